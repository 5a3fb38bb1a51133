package injection

import "regexp"

// The words that orders are made of.
const (
	some     = `(?:all|any|every|each|of|the|these|those|other|whatever)`
	earlier  = `(?:your|my|previous|prior|earlier|above|preceding|foregoing|past|former|initial|original|existing|current|system|safety|given|aforementioned)`
	rules    = `(?:instructions?|prompts?|directions?|guidance|guidelines?|directives?|commands?|rules|system messages?|programming|constraints|training|policies|context above|evidence rules)`
	person   = `(?:judge|evaluator|grader|verifier|fact[- ]?checker|reviewer|auditor|assistant|chat ?bot|(?:large )?language model|llm|ai|a\.i\.|model|dan|oracle|validator|approver|gpt\S*)`
	said     = `(?:claims?|statements?|assertions?|verdicts?|sentences?|answers?|outputs?|responses?|everything|all of (?:it|them|the above|this))`
	outcome  = `(?:supported|unsupported|contradicted|faithful|grounded|hallucinated|hallucination[- ]free|not hallucinat\w+|factual|"?yes"?|verified|passing|passed|entailed)`
	goodWord = `(?:supported|faithful|grounded|hallucination[- ]free|not (?:a )?hallucinat\w+|true|correct|accurate|valid|verified|factual|confirmed|approved|passed|entailed|right)`
	rate     = `(?:mark|label|rate|judge|score|classify|treat|consider|count|accept|deem|flag|tag|report|return|output|respond|reply|answer|say|write|declare|call|grade|evaluate|verify|approve|pass|assume|conclude|set|give|assign|clear)`
)

// orders are the forms of text that speaks to a model, in plain text.
var orders = compile(
	// To drop its instructions.
	`\b(?:ignore|disregard|forget|override|overrule|bypass|discard|abandon|drop|neglect|stop following|do not follow|don'?t follow|do not obey|pay no attention to|set aside|supersedes?|replaces?|cancels?|voids?)\b\W+(?:`+some+`\W+){0,4}`+earlier+`\W+(?:`+some+`\W+){0,3}(?:\w+\W+)?`+rules,
	`\b(?:ignore|disregard|forget|override|bypass|stop following|do not follow|don'?t follow)\b\W+(?:all|any|every)\W+(?:of\W+)?(?:(?:the|these|those|other)\W+)?(?:instructions|prompts?|directives|system messages?|programming)\b`,
	`\b(?:ignore|disregard|forget)\b\W+(?:(?:all|any|everything|anything)\W+)(?:\w+\W+){0,3}(?:above|before|so far|told|said (?:before|above|earlier)|earlier)\b`,
	`\b(?:ignore|disregard|forget|do not (?:use|read|check|consult|consider)|don'?t (?:use|read|check|consult|consider)|without (?:checking|reading|consulting))\b\W+(?:the|any|all|your|this)\W+(?:\w+\W+)?(?:context|passages?|evidence|documents?|sources?)\b.{0,60}\b(?:`+said+`|`+outcome+`|verdict|judg|(?:say|answer|reply) yes)`,
	`\b(?:new|updated|revised|real|actual|secret|hidden)\s+(?:system\s+)?(?:instructions?|prompt|directives?)\b\s*(?:for (?:the|you|any|all)\b[^.:]{0,30})?:`,
	`\b(?:instructions?|notes?|message|memo|notice|reminder|attention|important|directive|hint|command|order)\s*(?:for|to)\s+(?:the|any|all|every|whoever|an?|our)?\s*(?:\w+\s+)?`+person+`s?\b\s*[:,\-–—!]`,
	`\b(?:system|developer|admin(?:istrator)?|root|judge)\s+(?:prompt|message|override|instructions?|note|update|command|notice|alert)\b\s*[:\]>\-–—]`,
	`^\W*(?:attention|dear|hey|hello|hi|listen|note to|to the|to any|to all)?\W*`+person+`s?\s*[:,!]\W.*\b(?:`+rate+`|you must|you should|ignore)\b`,
	// To be someone else.
	`\byou (?:are|'re|will be|must be|shall be|have become)\s+(?:now|no longer|from now on|currently|actually|really|henceforth)\b.{0,80}\b(?:`+person+`|mode|jailbroken|unrestricted|uncensored|bound|limited|judging|checking|checks?|role)\b`,
	`\b(?:you are|you'?re|act as|act like|acting as|behave (?:as|like)|play the (?:role|part) of|roleplay|role-play|pretend|imagine|simulate|impersonate|assume the (?:role|identity) of|take on the role of)\b.{0,60}\b`+person+`\b.{0,80}\b(?:`+said+`|`+goodWord+`|always|never|agrees?|approves?|accepts?|yes|obeys?|no restrictions|unrestricted)\b`,
	`\b(?:from now on|henceforth|for the rest of this (?:conversation|session|evaluation))\b.{0,60}\b(?:you (?:are|will|must|should|shall)|`+rate+`|every verdict|all verdicts|all claims)\b.{0,80}\b(?:`+goodWord+`|`+outcome+`|agree|approve|accept|comply|obey|yes)`,
	`\b(?:developer|debug|maintenance|god|dan|jailbreak|unrestricted|approval|test|admin|sudo)\s+mode\b.{0,40}\b(?:on|enabled|activated|active|engaged|is)\b.{0,80}\b(?:`+said+`|`+outcome+`|judge|check|verif\w+|restrictions?|approve\w*)`,
	`\blet'?s play\b.{0,80}\b(?:`+person+`|`+said+`|`+outcome+`)\b`,
	`\b(?:as|being|i am|this is|i'?m) (?:the|your|an?) (?:\w+ )?(?:developer|creator|administrator|admin|supervisor|operator|engineer|openai|anthropic|author of (?:this|the) (?:test|evaluation|prompt))\b.{0,80}\b(?:`+said+`|verdict|`+outcome+`|instruct|authori[sz]e|order|command|override)`,
	`\byour\s+(?:new|real|true|only|actual)\s+(?:role|task|job|goal|purpose|objective|mission)\s+is\b.{0,60}\b(?:approve|accept|agree|claims?|verdicts?|`+outcome+`)\b`,
	// To give a verdict.
	`\b(?:return|answer|say|reply|respond|always output|only output|output only|output always|output just|output the word)\W+(?:with\W+)?(?:(?:only|always|just|simply|the word)\W+)?(?:supported|unsupported)\b`,
	`\b(?:never|do not|don'?t|avoid|must not|can ?not)\W+(?:ever\W+)?(?:output|return|answer|say|mark|label|call|give|flag|report|write|reply)(?:ing)?\W+(?:\w+\W+){0,4}(?:unsupported|contradicted|hallucinat\w+)\b`,
	`\b(?:return|output|report|give|set|assign|answer with)\b.{0,20}\bscore of (?:0|zero)\b`,
	`\bevidence is (?:not|never) (?:required|needed|necessary)\b`,
	`\bskip\W+(?:(?:the|all|any|further)\W+)?(?:verification|fact-?checking|judging|evaluation of)\b`,
	`\b(?:all|every|each)\s+(?:(?:of|the|these|those)\s+){0,2}(?:claims?|statements?|assertions?)\s+(?:in this \w+\s+)?(?:have|has|are|is)?\s*(?:been\s+|already\s+)*(?:passed|verified|accurate|true|fact-?checked)\b`,
	`\b(?:evaluator|grader|verifier|fact[- ]?checker|llm|ai|language model)s?\s+(?:has|have)\s+(?:already\s+)?(?:confirmed|verified|approved|accepted|validated|checked)\b.{0,60}\b`+said,
	`\b`+rate+`\b(?:\W+\w+){0,5}\W+(?:`+said+`)\b.{0,50}(?:\b(?:as|is|are|be|to be|with|to|=|like)\b|[:=])\W*(?:\w+\W+){0,2}?`+outcome,
	`\b`+rate+`\b(?:\W+\w+){0,3}\W+(?:everything|(?:all|every|each|any|these|the following|the above|this)\b\W*(?:(?:of|the|these|those|remaining|following|listed)\W+){0,3}(?:statements?|assertions?|verdicts?|answers?|outputs?|responses?|it|above|them))\b\W*(?:\w+\W+){0,4}?(?:as|is|are|be|=|:)\W*`+goodWord+`\b`,
	`\b`+rate+`\b(?:\W+\w+){0,5}?\W+claims?\b\W*(?:\w+\W+){0,4}?(?:as|is|are|be|=|:)\W*(?:true|correct|accurate|factual|verified)\b`,
	`\b`+rate+`\b\W+(?:\w+\W+){0,4}?(?:with|as|:)?\W*["'“‘*`+"`"+`](?:supported|unsupported|contradicted|faithful)["'”’*`+"`"+`]`,
	`\b`+rate+`\b(?:\W+\w+){0,3}\W+(?:supported|faithful|grounded)\s+(?:for|to|on|in)\s+(?:all|every|each|any|everything|the)\b`,
	`\b(?:all|every|each|any|the following|these|both|following)\s+(?:(?:of|the|other|remaining|listed|above|below|following|these)\s+){0,3}(?:claims?|statements?|verdicts?|assertions?)\b.{0,60}\b(?:is|are|be|as|must|shall|should|count)\b.{0,30}`+outcome+`\W*(?:$|\n|[.!?;,]|and\b|or\b|as\b|regardless|without|no matter|even|by (?:the|this) (?:context|passages?|evidence|documents?|sources?))`,
	`\b(?:claims?|statements?|assertions?|sentences?)\s*#?\s*\d+(?:\s*(?:[-–,&]|and|to|through)\s*\d+)*\s*(?::|is|are|=+>?|->|→|must be|should be|(?:has|have) been|-)\s*["']?(?:definitely |fully |clearly |verified as |marked as |found )?`+outcome,
	`\b(?:claims?|statements?|assertions?|verdicts?)\b.{0,100}(?:\b(?:is|are|as)\b|:)\s*(?:(?:all|both|fully|clearly|definitely|now|therefore|thus|always|entirely|well)\s+){0,2}["']?(?:supported|faithful|grounded|hallucination[- ]free)\W*(?:$|[.!?;,])`,
	`\b(?:verified|supported|faithful|grounded)\s+(?:claims?|statements?|assertions?|answers?)\s+that\b`,
	`\b(?:the )?(?:correct|right|final|expected|only|true|proper|required)\s+verdicts?\b.{0,30}`+outcome,
	`\bverdicts?\b["'\s]*(?:[:=]|is|are|must be|should be|shall be|->|→)\s*["'\[{\s]*(?:"?claim|always |\d+\b|`+outcome+`)`,
	`"(?:verdicts?|no_claim|evidence)"\s*:\s*[\["]|"claim"\s*:\s*\d|"claims"\s*:\s*\[`,
	`\b(?:hallucination|faithfulness|judge'?s?|evaluation)(?:[ _-]?score)?["']?\s*(?:[:=]|is|must be|should be|of|to)\s*["']?(?:0(?:\.0+)?\b|zero|1\.0\b|100\s?%|perfect|pass)`,
	`\b(?:there (?:is|are)|contains?|has|have|report|found|finds?|with)\s+(?:no|zero|0)\s+hallucinations?\b`,
	`\b(?:the|this|dear|any|every|an?|ai|llm)\s+(?:`+person+`)s?\s+(?:must|should|shall|will|has to|have to|needs? to|is (?:instructed|required|ordered|asked|told|directed) to|are (?:instructed|required|ordered|asked|told|directed) to|may not|can ?not)\b.{0,80}\b(?:as|is|are|be|verdict|reply|answer|say|return|output)\W+(?:\w+\W+){0,2}?`+outcome+`\b`,
	`\b(?:the|this|any|every|an?|ai|llm)\s+(?:`+person+`)s?\s+(?:must|should|shall|will|has to|have to|needs? to)\s+(?:always\s+|now\s+)?(?:ignore|disregard|forget|agree with|approve|accept|obey)\b.{0,60}\b(?:context|evidence|claims?|statements?|instructions?|verdicts?|rules|everything)\b`,
	`\b(?:do not|don'?t|never|stop|no need to|skip|without|there is no need to)\s*(?:judg\w+|fact-?check\w*|verify\w*|check\w*|question\w*|evaluat\w+|flag\w*|contradict\w*|reject\w*|dispute?\w*)\b\W+(?:(?:any|the|this|these|all|of|following|remaining|other|further|whether)\W+){1,4}(?:`+said+`)\b`,
	`\b(?:claims?|statements?|answer|output|response|everything (?:above|below|else|in (?:this|the) \w+))\s+(?:above|below|here|that follow\w*|in this (?:answer|document|text))?\s*(?:has|have) (?:already |been |previously |all )+(?:verified|fact-?checked|validated|approved|confirmed|checked)\b`,
	`\byou (?:must|should|shall|will|have to|need to|are to|are (?:required|instructed|ordered|asked|told) to)\b.{0,60}\b(?:`+said+`|verdict)\b.{0,40}`+outcome,
	`\byou (?:must|should|shall|will|have to|need to)\s+(?:always\s+)?(?:agree|approve|accept|obey|comply)\b.{0,60}\b(?:claims?|statements?|answer|output|verdicts?|instructions?|everything)\b`,
	`\b(?:decode|decrypt|translate)\b.{0,60}\b(?:and|then)\s+(?:\w+\s+){0,2}(?:execute|follow|obey|comply|apply|carry out|do)\b`,
	`\b(?:execute|follow|obey|carry out|apply|comply with)\b.{0,20}\b(?:base64|rot13|hex|encoded|hidden|decoded|embedded|secret)\b.{0,20}\b(?:instructions?|commands?|orders?|directives?|text|message|string)\b`,
	`\b(?:use|quote|cite|copy|give|take)\b.{0,40}\b(?:this|the (?:following|above|claim|answer|sentence)|any sentence|first sentence)\b.{0,50}\bas (?:the |its |your |their )?evidence\b`,
	`\b(?:treat|take|consider|regard|accept|use)\b.{0,60}\b(?:as|is)\b.{0,20}\b(?:evidence|ground truth|part of the context|the context)\b`,
	// Fake turns, fences and tokens.
	`<\|\s*[a-z0-9_/ ]{2,40}\s*\|>|<｜[^｜<>]{1,40}｜>|<\|[^|<>]{2,40}｜?>`,
	`\[/?(?:inst|sys|system_prompt|available_tools|tool_results|assistant|system)\]|<</?sys>>`,
	`</?(?:start_of_turn|end_of_turn|start_of_image|bos|eos|start_header_id|end_header_id|turn|channel|im_start|im_end|tool_call|tool_response|tool_result|think|thinking|function_calls?|function_results?|system|sys|system[-_ ]?(?:prompt|message|reminder|override)|assistant|instructions?|judge|verdicts?)\s*>|<extra_id_\d+>|</(?:context|passages?|evidence)\s*>`,
	`^\s*#{2,}\s*(?:(?:system|instructions?|response|human|assistant|user|judge)\s*:|system\s*$|system (?:prompt|message|override)|new (?:task|instructions?)|verdicts?\s*:|end of (?:context|prompt|instructions|passages?))`,
	`^\s*(?:\*\*|__|\[|\()?(?:system|assistant|human|user|developer|judge|evaluator|admin|tool)(?:\*\*|__|\]|\))?\s*:.*(?:\b(?:claims?|verdicts?|supported|unsupported|hallucinat\w+|faithful|ignore|disregard|override|instructions?|you are|you must|approve)\b)`,
	`\[\s*(?:end|answer|question|passage \d+|context|claims?)\s+[0-9a-f]{4,}\s*\]`,
	`(?:-{2,}|={2,}|\*{2,}|#{2,}|<{2,}|\[)\s*(?:begin|end|start)(?:ing)?\s+(?:of\s+)?(?:the\s+)?(?:context|passages?|documents?|prompt|system prompt|instructions?|answer|output|question|evidence|data|user input|text to (?:check|evaluate)|evaluation|conversation|claims?)`,
	`\bend of (?:the )?(?:context|passages?|prompt|system prompt|instructions|answer|untrusted (?:text|data)|data to check|material)\b\s*[.:\]\-–—=]`,
	`\bcheck these claims against the context\b|\blist the claims of these sentences\b|\btwo looks at these claims\b`,
	// Chinese.
	`(?:忽略|无视|忘记|忘掉|不要理会|不必理会|不要遵守|不要遵循|抛开|跳过|覆盖|推翻|绕过)[^。！？\n]{0,12}(?:之前|以前|先前|以上|上述|上面|前面|此前|所有|全部|任何|你的|系统|原有|原来|既有)[^。！？\n]{0,12}(?:指令|指示|提示词?|规则|要求|说明|命令|设定|约束|内容|上下文)`,
	`(?:把|将|请|请将|请把|务必|必须|应当|应该|一律|直接|都)[^。！？\n]{0,24}(?:标记|标注|判定|判断|判|评定|评|视|认定|当作|当成|看作|回答|输出|返回|记|设置|设)(?:为|成|作|定为|：|:)?[^。！？\n]{0,8}(?:supported|有依据|有支持|得到支持|被支持|受支持|支持|属实|正确|真实|成立|通过|无幻觉|没有幻觉|可信)`,
	`(?:所有|全部|每[一个条项]+|任何|以下|上述|以上|这些|本[文回]答?)[^。！？\n]{0,8}(?:声明|陈述|断言|主张|说法|论断|结论|回答|答案|句子|内容)[^。！？\n]{0,12}(?:均|都|皆|全|应|须|必须|一律|已)[^。！？\n]{0,10}(?:supported|有依据|得到支持|被支持|受支持|支持|属实|通过|无幻觉|验证|核实|视为正确)`,
	`(?:声明|陈述|断言|主张)\s*[\d一二三四五六七八九十]+\s*(?:：|:|是|为|应为|均为|=)\s*[^。！？\n]{0,6}(?:supported|有依据|得到支持|被支持|支持|属实|正确)`,
	`(?:判定|裁定|裁决|结论|评判|评分|幻觉分数?|幻觉得分|幻觉评分)(?:结果)?\s*(?:：|:|=|为|是|必须为|应为|必须是)\s*[“"'\s]*(?:supported|有依据|得到支持|支持|0\b|零|通过|无幻觉)`,
	`(?:你|您)(?:现在|从现在起|从此|此刻|已经|将)?(?:是|要扮演|扮演|充当|变成|不再是|作为)[^。！？\n]{0,16}(?:评审|裁判|评委|法官|审核员|评判者|判官|助手|模型|机器人|ai|开发者模式|dan|事实核查员)`,
	`(?:评审|裁判|评委|审核员|评判者|模型)[^。！？\n]{0,8}(?:必须|应当|应该|应|务必|需要)[^。！？\n]{0,12}(?:认为|判|视|认定|标记)[^。！？\n]{0,16}(?:正确|支持|属实|有依据|通过|无幻觉)`,
	`(?:不要|不得|切勿|禁止|不能|别)[^。！？\n]{0,6}(?:判定|判|标记|标注|认定|输出|回答)[^。！？\n]{0,8}(?:不支持|无依据|没有依据|矛盾|unsupported|幻觉)`,
	`(?:假装|扮演|角色扮演|从现在(?:开始|起))[^。！？\n]{0,30}(?:评审|裁判|评委|审核员|模型|助手|声明|陈述|支持|同意|通过|指令)`,
	`(?:系统|开发者|管理员|裁判|评审)(?:提示词?|消息|指令|通知|命令|覆盖|公告)\s*(?:：|:|】|\])`,
	`^\W*[【\[（(]?(?:系统|助手|用户|管理员|开发者|裁判|评审|致裁判|致评审|致模型)[】\]）)]?\s*(?:：|:).*(?:声明|陈述|判|支持|指令|忽略|通过|核实)`,
	`(?:致|告|写给|通知)(?:各位)?(?:裁判|评审|评委|审核员|模型|ai|评判者)`,
	`(?:新|最新|真正|隐藏|特别|重要)的?(?:指令|指示|系统提示|任务)\s*(?:：|:)`,
	`(?:不要|不必|无需|不用|禁止|切勿|停止)[^。！？\n]{0,6}(?:核查|核实|检查|质疑|判断|评判|评估|验证)[^。！？\n]{0,10}(?:声明|陈述|说法|回答|答案|内容|上下文)`,
	`(?:执行|遵循|遵守|服从|照做)[^。！？\n]{0,10}(?:隐藏|base64|编码|解码)[^。！？\n]{0,8}(?:指令|命令|指示|内容)|解码[^。！？\n]{0,16}(?:执行|遵循|遵守|服从|照做)`,
	`(?:上下文|文档|资料|提示|问题|回答)(?:到此)?(?:结束|完毕|终止)[^。！？\n]{0,20}(?:指令|声明|裁判|评审|判|任务)`,
)

var (
	turnStarts = regexp.MustCompile(`(?m)<\|\s*(?:im_start|start_header_id|system|user|assistant|begin_of_text|start|message|header_start|start_of_role|turn|tool)\s*\|>|<｜[^｜<>]{1,40}｜>|\[inst\]|\[system_prompt\]|\[system\]|<<sys>>|<start_of_turn>|<(?:system|sys|instructions?|assistant|system[-_ ]?(?:prompt|message|reminder|override))>|^\s*#{2,}\s*(?:(?:system|instructions?|response|human|assistant|judge)\s*:|system\s*$|system (?:prompt|message|override)|new (?:task|instructions?))|(?:-{2,}|={2,}|\[)\s*end (?:of )?(?:the )?(?:context|prompt|instructions?|passages?)|\[\s*end\s+[0-9a-f]{4,}\s*\]`)
	turnEnds   = regexp.MustCompile(`<\|\s*(?:im_end|eot_id|end|end_of_text|endoftext|eot|eom_id|end_of_role)\s*\|>|\[/inst\]|\[/system_prompt\]|<</sys>>|<end_of_turn>|</(?:system|sys|instructions?|assistant|system[-_ ]?(?:prompt|message|reminder|override))>|<｜end[^｜]*｜>`)
	// record is a verdict written as JSON.
	record = regexp.MustCompile(`"claim"\s*:\s*"?\d.{0,400}"verdict"|"verdicts?"\s*:\s*(?:\[|"?` + outcome + `)`)
	// ruling is a verdict on claims in words.
	ruling = regexp.MustCompile(`(?s)\b(?:claims?|statements?|assertions?|answers?|verdicts?)\b.{0,120}\b(?:supported|unsupported|faithful|grounded|hallucinat\w+|verified)\b|\b(?:supported|faithful|grounded|verified)\s+(?:claims?|statements?|assertions?|answers?)\b|(?:声明|陈述|断言|主张|说法)[^。！？\n]{0,30}(?:有依据|得到支持|被支持|已核实|属实)`)
	// judging is the vocabulary of those who judge claims.
	judging = regexp.MustCompile(`\b(?:claims?|verdicts?|supported|unsupported|contradicted|hallucinat\w*|faithful\w*|grounded|judges?|evaluators?|graders?|fact-?check\w*|verifiers?|instructions?|approve[ds]?|prompts?|system message|evidence)\b|声明|陈述|断言|判定|判为|裁判|评审|评委|幻觉|有依据|得到支持|指令|指示|提示词|审核员`)
)
