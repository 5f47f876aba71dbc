"""The prompt in each of the target languages.

Its parts are those of multilingual-document-grounded-qa §4.2: what to do, the context, the
question, and the cue for the rewritten one. Beyond the paper the instruction says what to do with
a new topic, which is where its rewrites failed, and it is in the question's language, as the mRAG
paper found best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Wording:
    """The instruction, and what stands before each part and each turn."""

    instruction: str
    context: str
    question: str
    rewritten: str
    title: str
    user: str
    assistant: str


WORDINGS: Final = {
    "ar": Wording(
        "أعد صياغة السؤال بحيث يُفهم دون الرجوع إلى المحادثة: اذكر صراحةً ما يحذفه أو يشير إليه. "
        "إذا كان السؤال مكتملًا أو بدأ موضوعًا جديدًا فكرره كما هو. "
        "اكتب بالعربية السؤال المعاد صياغته فقط، ولا تُجب عنه.",
        "السياق",
        "السؤال",
        "السؤال المعاد صياغته",
        "العنوان",
        "المستخدم",
        "المساعد",
    ),
    "de": Wording(
        "Formuliere die Frage so um, dass man sie ohne das Gespräch versteht: Nenne ausdrücklich, "
        "was sie auslässt oder worauf sie sich bezieht. Ist sie schon vollständig oder beginnt sie "
        "ein neues Thema, wiederhole sie unverändert. Schreibe auf Deutsch nur die umformulierte "
        "Frage und beantworte sie nicht.",
        "Kontext",
        "Frage",
        "Umformulierte Frage",
        "Titel",
        "Nutzer",
        "Assistent",
    ),
    "en": Wording(
        "Reword the question so that it can be understood without the conversation: name whatever "
        "it leaves out or points back to. If it is complete already or begins a new topic, repeat "
        "it unchanged. Write the rewritten question alone, in English, and do not answer it.",
        "Context",
        "Question",
        "Rewritten question",
        "Title",
        "User",
        "Assistant",
    ),
    "es": Wording(
        "Reformula la pregunta para que se entienda sin la conversación: nombra lo que omite o "
        "aquello a lo que se refiere. Si ya está completa o empieza un tema nuevo, repítela sin "
        "cambios. Escribe en español solo la pregunta reformulada y no la respondas.",
        "Contexto",
        "Pregunta",
        "Pregunta reformulada",
        "Título",
        "Usuario",
        "Asistente",
    ),
    "fi": Wording(
        "Muotoile kysymys niin, että sen ymmärtää ilman keskustelua: mainitse se, minkä kysymys "
        "jättää pois tai mihin se viittaa. Jos kysymys on jo täydellinen tai aloittaa uuden "
        "aiheen, toista se muuttamatta. Kirjoita suomeksi vain uudelleen muotoiltu kysymys äläkä "
        "vastaa siihen.",
        "Konteksti",
        "Kysymys",
        "Uudelleen muotoiltu kysymys",
        "Otsikko",
        "Käyttäjä",
        "Avustaja",
    ),
    "fr": Wording(
        "Reformule la question pour qu’on la comprenne sans la conversation : nomme ce qu’elle "
        "omet ou ce à quoi elle renvoie. Si elle est déjà complète ou si elle ouvre un nouveau "
        "sujet, répète-la telle quelle. Écris en français uniquement la question reformulée, sans "
        "y répondre.",
        "Contexte",
        "Question",
        "Question reformulée",
        "Titre",
        "Utilisateur",
        "Assistant",
    ),
    "hi": Wording(
        "प्रश्न को इस तरह फिर से लिखिए कि वह बातचीत के बिना भी समझ में आए: जो बात छूट गई है या जिसकी ओर "
        "संकेत है, उसका नाम लीजिए। यदि प्रश्न पहले से पूरा है या नया विषय शुरू करता है, तो उसे वैसा ही "
        "दोहराइए। केवल दोबारा लिखा हुआ प्रश्न हिन्दी में लिखिए, उसका उत्तर मत दीजिए।",
        "संदर्भ",
        "प्रश्न",
        "दोबारा लिखा हुआ प्रश्न",
        "शीर्षक",
        "उपयोगकर्ता",
        "सहायक",
    ),
    "it": Wording(
        "Riformula la domanda in modo che si capisca senza la conversazione: nomina ciò che omette "
        "o a cui rimanda. Se è già completa o apre un nuovo argomento, ripetila senza cambiarla. "
        "Scrivi in italiano soltanto la domanda riformulata e non rispondere.",
        "Contesto",
        "Domanda",
        "Domanda riformulata",
        "Titolo",
        "Utente",
        "Assistente",
    ),
    "ja": Wording(
        "会話を読まなくても意味が通じるように、質問を書き直してください。省かれている言葉や、"
        "指し示されているものをはっきり書いてください。質問がすでに完全な場合や、新しい話題を"
        "始めている場合は、そのまま繰り返してください。質問には答えず、書き直した質問だけを"
        "日本語で書いてください。",
        "文脈",
        "質問",
        "書き直した質問",
        "題名",
        "利用者",
        "アシスタント",
    ),
    "ko": Wording(
        "대화를 보지 않아도 이해할 수 있도록 질문을 다시 쓰세요. 생략된 말이나 가리키는 대상을 "
        "분명히 밝히세요. 질문이 이미 완전하거나 새로운 주제를 시작하면 그대로 반복하세요. "
        "질문에 답하지 말고 다시 쓴 질문만 한국어로 쓰세요.",
        "문맥",
        "질문",
        "다시 쓴 질문",
        "제목",
        "사용자",
        "도우미",
    ),
    "pt": Wording(
        "Reformule a pergunta de modo que se entenda sem a conversa: nomeie o que ela omite ou "
        "aquilo a que se refere. Se já estiver completa ou iniciar um assunto novo, repita-a sem "
        "mudanças. Escreva em português apenas a pergunta reformulada e não a responda.",
        "Contexto",
        "Pergunta",
        "Pergunta reformulada",
        "Título",
        "Usuário",
        "Assistente",
    ),
    "ru": Wording(
        "Переформулируй вопрос так, чтобы он был понятен без разговора: назови то, что в нём "
        "пропущено или на что он ссылается. Если вопрос уже полон или начинает новую тему, "
        "повтори его без изменений. Напиши по-русски только переформулированный вопрос и не "
        "отвечай на него.",
        "Контекст",
        "Вопрос",
        "Переформулированный вопрос",
        "Заголовок",
        "Пользователь",
        "Помощник",
    ),
    "th": Wording(
        "เขียนคำถามใหม่ให้เข้าใจได้โดยไม่ต้องอ่านบทสนทนา โดยระบุสิ่งที่คำถามละไว้หรืออ้างถึงให้ชัดเจน "
        "หากคำถามสมบูรณ์อยู่แล้วหรือเริ่มหัวข้อใหม่ ให้เขียนซ้ำตามเดิม "
        "เขียนเฉพาะคำถามที่เขียนใหม่เป็นภาษาไทย และไม่ต้องตอบคำถาม",
        "บริบท",
        "คำถาม",
        "คำถามที่เขียนใหม่",
        "ชื่อเรื่อง",
        "ผู้ใช้",
        "ผู้ช่วย",
    ),
    "tr": Wording(
        "Soruyu, konuşma okunmadan da anlaşılacak biçimde yeniden yaz: Soruda eksik bırakılanı ya "
        "da işaret edileni açıkça belirt. Soru zaten tamsa veya yeni bir konu açıyorsa onu "
        "değiştirmeden yinele. Yalnızca yeniden yazılmış soruyu Türkçe yaz ve soruyu yanıtlama.",
        "Bağlam",
        "Soru",
        "Yeniden yazılmış soru",
        "Başlık",
        "Kullanıcı",
        "Yardımcı",
    ),
    "vi": Wording(
        "Hãy viết lại câu hỏi sao cho có thể hiểu được mà không cần đọc cuộc trò chuyện: nêu rõ "
        "điều mà câu hỏi lược bỏ hoặc ám chỉ. Nếu câu hỏi đã đầy đủ hoặc mở ra chủ đề mới, hãy "
        "lặp lại nguyên văn. Chỉ viết câu hỏi đã viết lại bằng tiếng Việt và đừng trả lời.",
        "Ngữ cảnh",
        "Câu hỏi",
        "Câu hỏi đã viết lại",
        "Tiêu đề",
        "Người dùng",
        "Trợ lý",
    ),
    "zh": Wording(
        "请改写问题，使人不看对话也能明白：把省略的内容或所指的事物说清楚。"
        "如果问题本来就完整，或者开始了新的话题，就原样重复。"
        "只用中文写出改写后的问题，不要回答它。",
        "上下文",
        "问题",
        "改写后的问题",
        "标题",
        "用户",
        "助手",
    ),
}


def wording(lang: str) -> Wording:
    """The prompt's words in a language; in English for a language without.

    >>> wording("fi").question, wording("xx").question
    ('Kysymys', 'Question')
    """
    return WORDINGS.get(lang, WORDINGS["en"])
