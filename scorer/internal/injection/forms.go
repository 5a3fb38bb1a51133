package injection

import (
	"encoding/base64"
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain undoes disguises: entities, JSON's escapes, zero-width characters,
// tag characters, full-width and styled letters, accents, look-alikes of other
// alphabets and letters set apart.
func plain(s string) string {
	if strings.Contains(s, "&") {
		s = html.UnescapeString(s)
	}
	s = escapes.Replace(s)
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r >= 0xE0020 && r <= 0xE007E: // a tag character stands for an ASCII one
			b.WriteRune(unicode.ToLower(r - 0xE0000))
		case unicode.In(r, unicode.Cf, unicode.Mn) || unicode.Is(unicode.Variation_Selector, r):
		case lookalikes[r] != 0:
			b.WriteRune(lookalikes[r])
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return spaced.ReplaceAllStringFunc(b.String(), func(s string) string {
		return strings.NewReplacer("   ", " ", "  ", " ", " ", "", "-", "", ".", "", "_", "", "*", "").Replace(s)
	})
}

var (
	escapes = strings.NewReplacer(`\n`, "\n", `\t`, " ", `\"`, `"`, `\u003c`, "<", `\u003e`, ">", `\u003C`, "<", `\u003E`, ">")
	spaced  = regexp.MustCompile(`\b(?:[a-z][ .\-_*]{1,3}){5,}[a-z]\b`) // i g n o r e
)

// lookalikes are letters of other alphabets that look like Latin ones.
var lookalikes = map[rune]rune{
	'а': 'a', 'в': 'b', 'е': 'e', 'к': 'k', 'м': 'm', 'н': 'h', 'о': 'o', 'р': 'p', 'с': 'c', 'т': 't', 'у': 'y', 'х': 'x', 'і': 'i', 'ѕ': 's', 'ԁ': 'd', 'ո': 'n', 'ѵ': 'v', 'ԛ': 'q', 'ԝ': 'w', 'ɡ': 'g', 'ɩ': 'i', 'ı': 'i', 'ј': 'j', 'һ': 'h', 'ӏ': 'l',
	'А': 'a', 'В': 'b', 'Е': 'e', 'К': 'k', 'М': 'm', 'Н': 'h', 'О': 'o', 'Р': 'p', 'С': 'c', 'Т': 't', 'У': 'y', 'Х': 'x', 'І': 'i', 'Ѕ': 's', 'Ј': 'j',
	'α': 'a', 'ε': 'e', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'χ': 'x', 'Α': 'a', 'Β': 'b', 'Ε': 'e', 'Ι': 'i', 'Κ': 'k', 'Μ': 'm', 'Ν': 'n', 'Ο': 'o', 'Ρ': 'p', 'Τ': 't', 'Χ': 'x',
}

func init() { // small capitals
	for i, r := range []rune("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ") {
		lookalikes[r] = 'a' + rune(i)
	}
	lookalikes['ғ'] = 'f'
}

// figures are digits in the place of letters.
var figures = strings.NewReplacer("0", "o", "1", "l", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s")

var mixed = regexp.MustCompile(`[a-z][013457@$]+[a-z]|\b[a-z]+[013457@$]{2}\b`)

var base64ish = regexp.MustCompile(`[A-Za-z0-9+/_-]{20,}={0,2}`)

// encoded gives the texts that base64 in s stands for.
func encoded(s string) []string {
	var texts []string
	for _, word := range base64ish.FindAllString(s, 8) {
		word = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(word, "="))
		if data, err := base64.RawStdEncoding.DecodeString(word); err == nil && utf8.Valid(data) {
			texts = append(texts, string(data))
		}
	}
	return texts
}
