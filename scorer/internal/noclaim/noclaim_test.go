package noclaim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/evaltest/go-evaltest/scorer/internal/noclaim"
)

func ExampleIs() {
	fmt.Println(noclaim.Is("Here is what I found about refunds:", "How long do refunds take?"))
	fmt.Println(noclaim.Is("Here is what I found about free upgrades:", "How long do refunds take?"))
	fmt.Println(noclaim.Is("Did you know refunds take 90 days?", "How long do refunds take?"))
	// Output:
	// true
	// false
	// false
}

func ExampleAbstains() {
	fmt.Println(noclaim.Abstains("Sorry, the documents do not say how long refunds take."))
	fmt.Println(noclaim.Abstains("抱歉，我无法回答这个问题。"))
	fmt.Println(noclaim.Abstains("I don't know, but refunds usually take 90 days."))
	// Output:
	// true
	// true
	// false
}

const (
	howLong = "How long do refunds take?"
	yesNo   = "Is shipping free?"
	zhLong  = "退款需要多久？"
)

func TestSentencesWithoutAClaim(t *testing.T) {
	for _, c := range []struct{ sentence, question string }{
		{"", ""}, {"   ", ""}, {"---", ""}, {"***", ""}, {"-", ""}, {"•", ""}, {"👍", ""}, {"🎉🎉!", ""}, {"...", ""}, {"……", ""},
		{"|---|:--:|", ""}, {"| --- | --- |", ""}, {"```", ""}, {"```json", ""}, {"~~~", ""},
		{"Hello!", ""}, {"Hi there,", ""}, {"Good morning!", ""}, {"Hello, nice to meet you.", ""}, {"I hope you're doing well.", ""},
		{"Thank you for your question!", ""}, {"Thanks for reaching out.", ""}, {"You're welcome!", ""}, {"Hi, thanks for asking!", ""},
		{"Sure!", ""}, {"Certainly.", howLong}, {"Sure!", "Could you help me with my refund?"}, {"Sure!", "Tell me about refunds."}, {"Sure, I can help you with that.", ""}, {"Great question!", ""}, {"Of course!", "Can you tell me how long refunds take?"},
		{"Let me know if you have any other questions!", ""}, {"Please let me know if you need anything else.", ""}, {"Feel free to ask.", ""},
		{"If you have any further questions, feel free to reach out.", ""}, {"I’m happy to help!", ""}, {"I hope this helps!", ""},
		{"Let me know if you have more questions about refunds.", howLong},
		{"Would you like to know more?", ""}, {"Would you like to know more about refunds?", howLong}, {"Is there anything else I can help with?", ""},
		{"Is there anything else I can help you with today?", ""}, {"What is your order number?", ""}, {"Could you please provide your email address?", ""},
		{"How can I help you today?", ""}, {"Which product do you mean?", ""}, {"How long do refunds take?", howLong}, {"**How long do refunds take?**", howLong},
		{"Best regards,", ""}, {"Have a great day!", ""}, {"Take care!", ""},
		{"Based on the documents:", ""}, {"According to the provided context,", ""}, {"Here is what I found:", ""}, {"Sure! Here is a summary:", ""},
		{"Based on the documents, here is what I found about refunds:", howLong}, {"Regarding refunds:", howLong}, {"The answer is as follows:", ""},
		{"I don't know.", ""}, {"I do not know how long refunds take.", howLong}, {"I'm sorry, but I don't have enough information to answer the question.", ""},
		{"I cannot answer that based on the context.", ""}, {"Based on the documents, I don't know.", ""}, {"Sorry for the inconvenience.", yesNo},
		{"The provided context does not contain enough information to answer your question.", ""}, {"- I don’t know.", ""}, {"This is not mentioned in the provided context.", howLong}, {"> **I don't know.**", ""},
		{"## Refund policy", "What is your refund policy?"}, {"**Summary**", ""}, {"Summary:", ""}, {"Refunds:", howLong}, {"### Key Takeaways", ""},
		{"1. Details:", ""}, {"Sources", ""}, {"# Summary and conclusion", ""}, {"**Refunds:**", howLong},
		{"Here's a quick summary:", ""}, {"I'm unable to answer that question.", ""}, {"There is no information about this in the context.", ""},
	} {
		assert.True(t, noclaim.Is(c.sentence, c.question), "%q, asked %q", c.sentence, c.question)
	}
}

func TestSentencesThatAreJudged(t *testing.T) {
	for _, c := range []struct{ sentence, question string }{
		{"Refunds take 14 days.", ""}, {"Refunds take 14 days.", howLong}, {"14.", howLong}, {"1.", ""}, {"1999", ""}, {"50%", ""}, {"Paris", "What is the capital of France?"},
		{"**Paris**", "Is it Paris or London?"}, {"## Paris", "Is it Paris or London?"}, {"Yes.", yesNo}, {"No", yesNo}, {"Sure!", yesNo}, {"Sure!", "Free shipping?"}, {"Sure!", "Can I get a refund?"}, {"Of course.", "Can you refund my order?"}, {"Shipping to Brazil is not mentioned in the context.", howLong}, {"Sure!", "Can you tell me if shipping is free?"}, {"## Free shipping", "You have free shipping, right?"}, {"Absolutely.", yesNo},
		{"Unfortunately.", yesNo}, {"No problem.", "Is there a problem with my order?"}, {"Of course!", "I have an account. Can I return it?"},
		{"Did you know refunds take 90 days?", howLong}, {"Isn't it true that Paris is in Germany?", ""}, {"Isn't shipping free?", yesNo}, {"Why is shipping free?", yesNo},
		{"Shipping is free, right?", yesNo}, {"Refunds take 90 days, don't they?", howLong}, {"Did you know that shipping is free?", yesNo},
		{"Would you like to know more about the free upgrade?", howLong}, {"What is your order number 90?", ""}, {"Could you please provide your free upgrade code?", ""},
		{"## Free shipping worldwide", ""}, {"## Free shipping worldwide", "Do you offer free shipping worldwide?"}, {"## No refunds", howLong}, {"**Refunds within 90 days**", howLong},
		{"Shipping: free", yesNo}, {"Answer: Paris", ""}, {"Summary: refunds take 90 days.", howLong}, {"Refund policy 2024:", "What is your refund policy?"},
		{"Sure, shipping is free.", ""}, {"Hello, your order has shipped.", ""}, {"Thanks, your refund was sent.", ""}, {"Hello from Paris!", ""}, {"Hi Anna!", ""},
		{"Thank you for your purchase of 3 phones!", ""}, {"Have a great day in Paris!", ""}, {"Best regards, Apple", ""},
		{"Based on the documents, refunds take 90 days.", howLong}, {"Here is what I found: shipping is free.", yesNo}, {"According to Apple:", ""},
		{"Let me know if you want to use the free upgrade.", ""}, {"Feel free to use the free upgrade.", ""}, {"If you have any questions, call 555-123-4567.", ""},
		{"I don't know, but refunds take 90 days.", howLong}, {"I don't know why refunds take 90 days.", howLong}, {"I cannot answer that because shipping is free.", yesNo},
		{"The context does not mention refunds.", howLong}, {"The documents do not mention a fee.", ""}, {"I am not sure that Paris is free.", ""},
		{"Please contact support.", ""}, {"It is a wonderful product.", ""}, {"This might take a while.", ""}, {"Everyone loves it.", ""}, {"| a | 1 |", ""}, {"$5", ""},
		{"Here's why shipping is free:", yesNo}, {"As you know, refunds take 90 days.", howLong}, {"Since shipping is free,", yesNo},
		{"Because shipping is free:", yesNo}, {"Here is why refunds take 90 days:", howLong}, {"Why do refunds take 90 days?", howLong},
		{"Sorry, your refund was denied.", ""}, {"Sorry, shipping is not free.", yesNo}, {"I apologize that shipping is not free.", yesNo},
		{"Correct.", yesNo}, {"Exactly!", yesNo}, {"Let me explain why shipping is free.", yesNo}, {"Here are the 5 steps:", ""},
		{"False", "True or false: shipping is free."}, {"(A)", "Which is right, (A) or (B)?"}, {"A.", "Which is right, A or B?"}, {"Both.", ""},
		{"Free.", yesNo},
		{strings.Repeat("hello, ", 60) + "hello", ""}, {"Hello\xff\xfe refunds", ""},
	} {
		assert.False(t, noclaim.Is(c.sentence, c.question), "%q, asked %q", c.sentence, c.question)
	}
}

func TestChineseSentencesWithoutAClaim(t *testing.T) {
	for _, c := range []struct{ sentence, question string }{
		{"你好！", ""}, {"您好，请问有什么可以帮您？", ""}, {"谢谢您的提问！", ""}, {"不客气。", ""}, {"好的！", ""}, {"好的，以下是我找到的信息：", ""}, {"如果您还有其他问题，请随时告诉我。", ""}, {"希望对您有帮助！", ""},
		{"希望以上信息能帮到您。", ""}, {"还有其他问题吗？", ""}, {"请问您的订单号是多少？", ""}, {"祝您生活愉快！", ""}, {"再见！", ""}, {"根据您提供的资料：", ""}, {"关于退款：", zhLong}, {"退款需要多久？", zhLong},
		{"我不知道。", ""}, {"根据提供的资料无法回答。", ""}, {"抱歉，我无法回答这个问题。", ""}, {"很抱歉，我没有足够的信息来回答这个问题。", ""}, {"很高兴为您解答。", ""}, {"我无法根据提供的信息回答这个问题。", ""},
		{"文中没有提到这一点。", ""}, {"如需更多帮助，请随时联系我们。", ""}, {"总结：", ""}, {"## 结论", ""}, {"**注意事项**", ""}, {"## 退款", zhLong}, {"您好！很高兴为您服务。", ""}, {"没问题！", ""},
		{"好的，我来帮您查一下。", ""}, {"请稍等。", ""}, {"感谢您的耐心等待。", ""}, {"抱歉给您带来不便。", ""}, {"非常抱歉。", ""}, {"如有任何疑问，欢迎随时提问。", ""}, {"如果还有其他问题，欢迎随时联系我。", ""},
		{"您想了解更多吗？", ""}, {"您还需要其他帮助吗？", ""}, {"请问还有什么可以帮您的吗？", ""}, {"请提供您的订单号。", ""}, {"以下是详细说明：", ""}, {"具体如下：", ""}, {"答案如下：", ""}, {"根据上下文：", ""},
		{"总的来说：", ""}, {"我不太清楚。", ""}, {"我不确定。", ""}, {"目前没有相关信息。", ""}, {"很遗憾，我找不到相关信息。", ""}, {"您提供的资料中没有这方面的内容。", ""}, {"**退款政策**", "退款政策是什么？"},
		{"二、总结", ""}, {"（一）概述", ""}, {"您能提供更多细节吗？", ""}, {"这是个好问题！", ""}, {"当然可以！", "请告诉我退款需要多久。"},
	} {
		assert.True(t, noclaim.Is(c.sentence, c.question), "%q, asked %q", c.sentence, c.question)
	}
}

func TestChineseSentencesThatAreJudged(t *testing.T) {
	for _, c := range []struct{ sentence, question string }{
		{"退款需要十四天。", zhLong}, {"您知道退款需要90天吗？", zhLong}, {"难道不是免费的吗？", "运费是免费的吗？"}, {"好的，运费免费。", ""}, {"你好，您的订单已发货。", ""}, {"根据资料，退款需要90天。", zhLong},
		{"## 全球免费送货", ""}, {"好的。", "可以退款吗？"}, {"是的。", "可以退款吗？"}, {"巴黎", "法国的首都是哪里？"}, {"资料没有提到退款。", zhLong}, {"以下是我找到的信息：运费免费", ""},
		{"我不知道，但退款需要90天。", zhLong}, {"请联系客服。", ""}, {"希望您喜欢免费升级。", ""}, {"当然，运费免费。", "运费是免费的吗？"}, {"当然可以。", "我可以退款吗？"}, {"没问题。", "可以退款吗？"},
		{"不可以。", "可以退款吗？"}, {"当然。", "运费免费？"}, {"免费。", "运费多少？"}, {"十四天。", zhLong}, {"五", ""}, {"**北京**", "是北京还是上海？"}, {"## 不退款", zhLong}, {"运费：免费", ""},
		{"答案：北京", ""}, {"总结：退款需要90天。", ""}, {"退款政策2024：", "退款政策是什么？"}, {"感谢您购买三部手机！", ""}, {"祝您在北京生活愉快！", ""}, {"为什么运费是免费的？", "运费是免费的吗？"},
		{"运费是免费的，对吧？", "运费是免费的吗？"}, {"退款不是需要90天吗？", zhLong}, {"您想了解免费升级吗？", ""}, {"如有疑问，请致电555-1234。", ""}, {"以下是退款需要90天的原因：", zhLong},
		{"众所周知，退款需要90天。", zhLong}, {"由于运费免费，", ""}, {"根据苹果公司：", ""}, {"我不知道为什么退款需要90天。", zhLong}, {"我不确定，可能是90天。", zhLong}, {"合同没有规定罚款。", ""},
		{"没有。", "有罚款吗？"}, {"您好，张先生！", ""}, {"此致，苹果公司", ""}, {"大家都喜欢它。", ""}, {"您的订单已取消，谢谢。", ""}, {"抱歉，您的退款被拒绝了。", ""}, {"很抱歉，运费不免费。", ""},
		{"| 退款 | 90天 |", ""},
	} {
		assert.False(t, noclaim.Is(c.sentence, c.question), "%q, asked %q", c.sentence, c.question)
	}
}

func TestAbstains(t *testing.T) {
	for sentence, want := range map[string]bool{
		"I don't know.": true, "I do not know the answer to that.": true, "I'm not sure.": true, "Unknown.": true,
		"Unfortunately, I don't have enough information to answer.":  true,
		"I cannot answer that based on the context.":                 true,
		"Based on the documents, I don't know.":                      true,
		"The documents do not say how long refunds take.":            true,
		"The context does not mention the price of shipping.":        true,
		"I could not find any information about shipping to Brazil.": true,
		"Shipping to Brazil is not mentioned in the context.":        true,
		"我不知道。": true, "根据提供的资料无法回答": true, "抱歉，我无法回答这个问题。": true, "资料中没有提到退款的时间。": true,
		"": false, "Hello!": false, "Sure!": false, "Do you know?": false, "I don't know?": false,
		"Sorry for the inconvenience.":                             false,
		"I don't know much but refunds take 90 days.":              false,
		"I don't know, refunds take 90 days.":                      false,
		"The contract does not mention penalties.":                 false,
		"Refunds take 14 days.":                                    false,
		"The documents do not say that, however shipping is free.": false,
		"我不知道，但退款需要90天。":                                           false, "他不知道。": false, "退款需要十四天。": false,
		"I don't know " + strings.Repeat("very ", 100): false,
	} {
		assert.Equal(t, want, noclaim.Abstains(sentence), "%q", sentence)
	}
}

func TestAQuestionNeverHidesAnAddedWord(t *testing.T) {
	for _, addition := range []string{"90", "Paris", "free", "never", "NASA", "2.5%"} {
		for _, form := range []string{
			"Here is what I found about refunds %s:", "Would you like to know more about %s refunds?", "I don't know %s.", "Hello %s!", "## %s refunds", "%s: ",
		} {
			sentence := fmt.Sprintf(form, addition)
			assert.False(t, noclaim.Is(sentence, howLong), "%q", sentence)
		}
	}
}

func FuzzIs(f *testing.F) {
	f.Add("Here is what I found:", howLong)
	f.Add("**总结**：\xff", zhLong)
	f.Add("I don't know how long, Paris", "")
	f.Fuzz(func(t *testing.T, sentence, question string) {
		if noclaim.Is(sentence, question) {
			assert.False(t, noclaim.Is(sentence+" Refunds take 90417 days in Zanzibar.", question+" x"))
		}
		noclaim.Abstains(sentence)
	})
}

func BenchmarkIs(b *testing.B) {
	sentences := map[string]string{
		"claim": "Refunds are issued within 14 days of the purchase date.", "offer": "Let me know if you have any other questions!",
		"nearly a form": strings.Repeat("thanks, ", 37), "1 MB": strings.Repeat("a", 1<<20),
	}
	for name, s := range sentences {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				noclaim.Is(s, howLong)
			}
		})
	}
}
