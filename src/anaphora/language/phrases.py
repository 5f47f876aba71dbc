"""The few sentences that Anaphora says of its own accord, in each of the target languages."""

from __future__ import annotations

from typing import Final, Literal

SmallTalk = Literal["greeting", "thanks", "farewell", "assent", "about", "chat"]
"""What an utterance does that asks nothing of the documents: "about" asks about the assistant,
"chat" is any other talk, such as jokes and insults."""

_NOT_IN_DOCUMENTS: Final = {
    "ar": "لم أجد إجابة عن ذلك في المستندات.",
    "de": "Dazu habe ich in den Dokumenten keine Antwort gefunden.",
    "en": "I found no answer to that in the documents.",
    "es": "No he encontrado ninguna respuesta a eso en los documentos.",
    "fi": "En löytänyt siihen vastausta asiakirjoista.",
    "fr": "Je n’ai pas trouvé de réponse à cette question dans les documents.",
    "hi": "मुझे दस्तावेज़ों में इसका कोई उत्तर नहीं मिला।",
    "it": "Non ho trovato una risposta nei documenti.",
    "ja": "文書の中に、その答えは見つかりませんでした。",
    "ko": "문서에서 그에 대한 답을 찾지 못했습니다.",
    "pt": "Não encontrei resposta para isso nos documentos.",
    "ru": "Я не нашёл ответа на этот вопрос в документах.",
    "th": "ไม่พบคำตอบสำหรับคำถามนี้ในเอกสาร",
    "tr": "Belgelerde bunun yanıtını bulamadım.",
    "vi": "Tôi không tìm thấy câu trả lời cho câu hỏi đó trong tài liệu.",
    "zh": "我在文档中没有找到这个问题的答案。",
}

_REPLIES: Final[dict[SmallTalk, dict[str, str]]] = {
    "greeting": {
        "ar": "مرحبًا! اسألني عن أي شيء في مستنداتك.",
        "de": "Hallo! Fragen Sie mich etwas zu Ihren Dokumenten.",
        "en": "Hello! Ask me something about your documents.",
        "es": "¡Hola! Pregúnteme algo sobre sus documentos.",
        "fi": "Hei! Kysy minulta jotakin asiakirjoistasi.",
        "fr": "Bonjour\u202f! Posez-moi une question sur vos documents.",
        "hi": "नमस्ते! अपने दस्तावेज़ों के बारे में मुझसे कुछ पूछिए।",
        "it": "Salve! Mi chieda qualcosa sui suoi documenti.",
        "ja": "こんにちは。お手元の文書について、何でもお尋ねください。",
        "ko": "안녕하세요! 문서에 대해 궁금한 점을 물어보세요.",
        "pt": "Olá! Pergunte-me algo sobre os seus documentos.",
        "ru": "Здравствуйте! Задайте мне вопрос о ваших документах.",
        "th": "สวัสดี ถามคำถามเกี่ยวกับเอกสารของคุณได้เลย",
        "tr": "Merhaba! Bana belgeleriniz hakkında bir soru sorun.",
        "vi": "Xin chào! Hãy hỏi tôi điều gì đó về tài liệu của bạn.",
        "zh": "您好！请向我提出有关您文档的问题。",
    },
    "thanks": {
        "ar": "على الرحب والسعة! اسألني متى شئت عن أي شيء آخر في مستنداتك.",
        "de": "Gern geschehen! Fragen Sie mich jederzeit mehr zu Ihren Dokumenten.",
        "en": "You're welcome! Ask me anything else about your documents.",
        "es": "¡De nada! Pregúnteme cualquier otra cosa sobre sus documentos cuando quiera.",
        "fi": "Ole hyvä! Kysy milloin vain lisää asiakirjoistasi.",
        "fr": "Je vous en prie\u202f! Posez-moi une autre question sur vos documents quand vous "
        "voudrez.",
        "hi": "आपका स्वागत है! अपने दस्तावेज़ों के बारे में जब चाहें और पूछिए।",
        "it": "Prego! Mi chieda pure altro sui suoi documenti.",
        "ja": "どういたしまして。お手元の文書について、いつでもまたお尋ねください。",
        "ko": "천만에요! 문서에 대해 더 궁금한 점이 있으면 언제든지 물어보세요.",
        "pt": "De nada! Pergunte-me quando quiser mais alguma coisa sobre os seus documentos.",
        "ru": "Пожалуйста! Спрашивайте меня о ваших документах, когда захотите.",
        "th": "ด้วยความยินดี ถามคำถามอื่นเกี่ยวกับเอกสารของคุณได้ทุกเมื่อ",
        "tr": "Rica ederim! Belgeleriniz hakkında istediğiniz zaman başka bir şey sorun.",
        "vi": "Không có gì! Bạn cứ hỏi tôi thêm về tài liệu của bạn bất cứ lúc nào.",
        "zh": "不客气！您可以随时继续询问有关您文档的问题。",
    },
    "farewell": {
        "ar": "إلى اللقاء! عد متى أردت أن تسأل عن مستنداتك.",
        "de": "Auf Wiedersehen! Kommen Sie gern mit weiteren Fragen zu Ihren Dokumenten wieder.",
        "en": "Goodbye! Come back whenever you have a question about your documents.",
        "es": "¡Hasta luego! Vuelva cuando tenga una pregunta sobre sus documentos.",
        "fi": "Näkemiin! Palaa, kun sinulla on kysyttävää asiakirjoistasi.",
        "fr": "Au revoir\u202f! Revenez quand vous aurez une question sur vos documents.",
        "hi": "अलविदा! जब भी अपने दस्तावेज़ों के बारे में कुछ पूछना हो, फिर आइए।",
        "it": "Arrivederci! Torni quando avrà una domanda sui suoi documenti.",
        "ja": "さようなら。文書についてお尋ねになりたいときは、またお越しください。",
        "ko": "안녕히 가세요! 문서에 대해 궁금한 점이 생기면 다시 찾아 주세요.",
        "pt": "Até logo! Volte quando tiver uma pergunta sobre os seus documentos.",
        "ru": "До свидания! Возвращайтесь, когда появится вопрос о ваших документах.",
        "th": "ลาก่อน กลับมาถามเกี่ยวกับเอกสารของคุณได้ทุกเมื่อ",
        "tr": "Hoşça kalın! Belgeleriniz hakkında bir sorunuz olduğunda yine bekleriz.",
        "vi": "Tạm biệt! Hãy quay lại khi bạn có câu hỏi về tài liệu của mình.",
        "zh": "再见！对您的文档有疑问时，欢迎随时再来。",
    },
    "assent": {
        "ar": "اسألني متى شئت عن أي شيء في مستنداتك.",
        "de": "Fragen Sie mich gern etwas zu Ihren Dokumenten.",
        "en": "Ask me something about your documents whenever you like.",
        "es": "Pregúnteme algo sobre sus documentos cuando quiera.",
        "fi": "Kysy minulta milloin vain jotakin asiakirjoistasi.",
        "fr": "Posez-moi une question sur vos documents quand vous voudrez.",
        "hi": "जब चाहें अपने दस्तावेज़ों के बारे में मुझसे पूछिए।",
        "it": "Mi chieda pure qualcosa sui suoi documenti.",
        "ja": "お手元の文書について、いつでもお尋ねください。",
        "ko": "문서에 대해 궁금한 점을 언제든지 물어보세요.",
        "pt": "Pergunte-me quando quiser algo sobre os seus documentos.",
        "ru": "Задайте мне вопрос о ваших документах, когда захотите.",
        "th": "ถามคำถามเกี่ยวกับเอกสารของคุณได้ทุกเมื่อ",
        "tr": "Bana belgeleriniz hakkında istediğiniz zaman bir soru sorun.",
        "vi": "Bạn cứ hỏi tôi về tài liệu của bạn bất cứ lúc nào.",
        "zh": "您可以随时向我提出有关您文档的问题。",
    },
    "about": {
        "ar": "أنا أنافورا: أجيب عن الأسئلة من مستنداتك وأبيّن موضع كل إجابة فيها. اسألني عنها.",
        "de": "Ich bin Anaphora: Ich beantworte Fragen aus Ihren Dokumenten und zeige, wo die "
        "Antwort steht. Fragen Sie mich etwas dazu.",
        "en": "I am Anaphora: I answer questions from your documents and show where each answer "
        "stands. Ask me something about them.",
        "es": "Soy Anaphora: respondo a preguntas a partir de sus documentos y muestro dónde está "
        "cada respuesta. Pregúnteme algo sobre ellos.",
        "fi": "Olen Anaphora: vastaan kysymyksiin asiakirjoistasi ja näytän, missä vastaus on. "
        "Kysy minulta niistä jotakin.",
        "fr": "Je suis Anaphora\u202f: je réponds aux questions à partir de vos documents et je "
        "montre où se trouve chaque réponse. Posez-moi une question.",
        "hi": "मैं Anaphora हूँ: मैं आपके दस्तावेज़ों से सवालों के जवाब देता हूँ और दिखाता हूँ कि "
        "हर जवाब कहाँ लिखा है। उनके बारे में कुछ पूछिए।",
        "it": "Sono Anaphora: rispondo alle domande con i suoi documenti e mostro dove si trova "
        "ogni risposta. Mi chieda qualcosa.",
        "ja": "私はAnaphoraです。お手元の文書から質問にお答えし、答えの出典をお示しします。"
        "文書について何でもお尋ねください。",
        "ko": "저는 Anaphora입니다. 문서를 바탕으로 질문에 답하고 답이 어디에 있는지 보여 드립니다."
        " 문서에 대해 물어보세요.",
        "pt": "Sou a Anaphora: respondo a perguntas com os seus documentos e mostro onde está cada "
        "resposta. Pergunte-me algo sobre eles.",
        "ru": "Я Anaphora: отвечаю на вопросы по вашим документам и показываю, где находится "
        "ответ. Задайте мне вопрос о них.",
        "th": "ฉันคือ Anaphora ฉันตอบคำถามจากเอกสารของคุณและแสดงว่าคำตอบอยู่ที่ใด ถามเกี่ยวกับเอกสารได้เลย",
        "tr": "Ben Anaphora: soruları belgelerinize dayanarak yanıtlar ve her yanıtın nerede "
        "olduğunu gösteririm. Bana belgeleriniz hakkında bir soru sorun.",
        "vi": "Tôi là Anaphora: tôi trả lời câu hỏi dựa trên tài liệu của bạn và cho biết câu trả "
        "lời nằm ở đâu. Hãy hỏi tôi về các tài liệu ấy.",
        "zh": "我是 Anaphora：我根据您的文档回答问题，并指出答案的出处。请向我提出有关文档的问题。",
    },
    "chat": {
        "ar": "هذا ليس في مستنداتك، وأنا لا أجيب إلا منها. اسألني عن شيء فيها.",
        "de": "Das steht nicht in Ihren Dokumenten, und nur aus ihnen antworte ich. Fragen Sie "
        "mich etwas dazu.",
        "en": "That is not in your documents, and I answer only from them. Ask me something about "
        "them.",
        "es": "Eso no está en sus documentos, y yo solo respondo a partir de ellos. Pregúnteme "
        "algo sobre su contenido.",
        "fi": "Sitä ei ole asiakirjoissasi, ja vastaan vain niiden pohjalta. Kysy minulta niistä "
        "jotakin.",
        "fr": "Cela ne figure pas dans vos documents, et je ne réponds qu’à partir de ceux-ci. "
        "Posez-moi une question à leur sujet.",
        "hi": "यह आपके दस्तावेज़ों में नहीं है, और मैं केवल उन्हीं से उत्तर देता हूँ। उनके बारे में कुछ पूछिए।",
        "it": "Questo non si trova nei suoi documenti, e io rispondo solo con quelli. Mi chieda "
        "qualcosa su di essi.",
        "ja": "それは文書の中にありません。私は文書からのみお答えしています。"
        "文書について何でもお尋ねください。",
        "ko": "그것은 문서에 없으며, 저는 문서의 내용으로만 답합니다. 문서에 대해 물어보세요.",
        "pt": "Isso não está nos seus documentos, e eu só respondo com base neles. Pergunte-me "
        "algo sobre eles.",
        "ru": "Этого нет в ваших документах, а я отвечаю только по ним. Задайте мне вопрос о них.",
        "th": "เรื่องนี้ไม่มีในเอกสารของคุณ และฉันตอบจากเอกสารเท่านั้น ถามเกี่ยวกับเอกสารได้เลย",
        "tr": "Bu, belgelerinizde yok ve ben yalnızca onlara dayanarak yanıt veririm. Bana onlar "
        "hakkında bir şey sorun.",
        "vi": "Điều đó không có trong tài liệu của bạn, và tôi chỉ trả lời dựa trên tài liệu. Hãy "
        "hỏi tôi về nội dung của tài liệu.",
        "zh": "您的文档中没有这方面的内容，而我只根据文档回答。请向我提出有关文档的问题。",
    },
}


def not_in_documents(lang: str) -> str:
    """Says that the documents hold no answer; in English for a language without a sentence.

    >>> not_in_documents("en")
    'I found no answer to that in the documents.'
    """
    return _NOT_IN_DOCUMENTS.get(lang, _NOT_IN_DOCUMENTS["en"])


def small_talk_reply(kind: SmallTalk, lang: str) -> str:
    """Answers small talk by inviting a question; in English for a language without a sentence.

    >>> small_talk_reply("greeting", "de")
    'Hallo! Fragen Sie mich etwas zu Ihren Dokumenten.'
    """
    replies = _REPLIES[kind]
    return replies.get(lang, replies["en"])
