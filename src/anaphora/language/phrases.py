"""The few sentences that Anaphora says of its own accord, in each of the target languages."""

from __future__ import annotations

from typing import Final

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

_SMALL_TALK_REPLY: Final = {
    "ar": "مرحبًا! اسألني عن أي شيء في مستنداتك.",
    "de": "Hallo! Fragen Sie mich etwas zu Ihren Dokumenten.",
    "en": "Hello! Ask me something about your documents.",
    "es": "¡Hola! Pregúnteme algo sobre sus documentos.",
    "fi": "Hei! Kysy minulta jotakin asiakirjoistasi.",
    "fr": "Bonjour ! Posez-moi une question sur vos documents.",
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
}


def not_in_documents(lang: str) -> str:
    """Says that the documents hold no answer; in English for a language without a sentence.

    >>> not_in_documents("en")
    'I found no answer to that in the documents.'
    """
    return _NOT_IN_DOCUMENTS.get(lang, _NOT_IN_DOCUMENTS["en"])


def small_talk_reply(lang: str) -> str:
    """Answers a greeting by inviting a question; in English for a language without a sentence.

    >>> small_talk_reply("de")
    'Hallo! Fragen Sie mich etwas zu Ihren Dokumenten.'
    """
    return _SMALL_TALK_REPLY.get(lang, _SMALL_TALK_REPLY["en"])
