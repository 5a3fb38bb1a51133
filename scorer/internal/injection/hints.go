package injection

import (
	"strings"
	"unicode"
)

// hinted reports whether a text can hold what speaks to a model at all; most
// texts cannot, and are not read closer.
func hinted(s string) bool {
	return isDisguised(s) || containsAny(strings.ToLower(s), hints)
}

func containsAny(s string, list []string) bool {
	for _, hint := range list {
		if strings.Contains(s, hint) {
			return true
		}
	}
	return false
}

var hints = []string{
	"instruct", "guid", "<extra", "directi", "command", "policies", "rules", "programming", "constraint", "training", "prompt", "context", "told", "above",
	"judg", "evaluat", "grader", "verif", "fact-check", "fact check", "reviewer", "auditor", "assistant", "chatbot", "chat bot", "language model", "llm", "system message", "you are", "you're",
	"claim", "verdict", "support", "hallucin", "faithful", "grounded", "statement", "assertion", "evidence", "ground truth", "everything", "sentence",
	"answer", "output", "response", " mode", "your new ", "score of ", "skip ", "from now on", "pretend", "roleplay", "role-play", "decode", "system override", "system:",
	"<|", "|>", "<｜", "[inst", "[/inst", "<<", "<start", "<end", "</", "<sys", "<think", "<tool", "<function", "<bos", "<eos", "<im_", "<turn", "<channel", "<instr", "<assist", "<judge", "[sys", "[/sys", "[user", "[assist", "[tool", "[avail", "###", "## ", "[end", "[ end", "&lt", `\u003`, "--- end", "---end", "=== end", "end of",
	"忽略", "无视", "忘记", "忘掉", "理会", "遵守", "遵循", "抛开", "跳过", "推翻", "绕过", "指令", "指示", "提示", "裁判", "评审", "评委", "评判", "审核员", "判定", "判为", "判断", "不要判", "标记", "标注", "声明", "陈述", "断言", "主张", "论断", "说法", "回答", "系统", "扮演", "假装", "你现在", "有依据", "支持", "属实", "核实", "核查", "幻觉", "解码",
}

const (
	longWord = 24 // characters of a word that may be encoded text
	apart    = 5  // letters set apart in a row that may be a word
)

// isDisguised reports whether a text has invisible or styled characters,
// letters of two alphabets in a word, letters set apart, or a word so long
// that it may be encoded.
func isDisguised(s string) bool {
	var last rune
	word, single := 0, 0
	for _, r := range s {
		switch {
		case r < 0x80:
		case r >= 0xE0000 && r <= 0xE007F, r >= 0xFF21 && r <= 0xFF5A, r >= 0x1D400 && r <= 0x1D7FF, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Mn, r):
			return true
		}
		if isForeign(r) && isASCIILetter(last) || isForeign(last) && isASCIILetter(r) {
			return true
		}
		if isASCIILetter(r) || r >= '0' && r <= '9' || strings.ContainsRune("+/_-", r) {
			if word++; word >= longWord {
				return true
			}
		} else {
			if word == 1 && isASCIILetter(last) {
				if single++; single >= apart {
					return true
				}
			} else if word > 1 {
				single = 0
			}
			word = 0
		}
		last = r
	}
	return false
}

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// isForeign reports whether a letter is accented, a small capital, Greek or Cyrillic.
func isForeign(r rune) bool {
	return r >= 0xC0 && r <= 0x2AF || r >= 0x1D00 && r <= 0x1D7F || r >= 0xA730 && r <= 0xA7FF || r >= 0x370 && r <= 0x4FF
}
