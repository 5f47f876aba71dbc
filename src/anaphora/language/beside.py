"""What people say beside a courtesy, and is none by itself: "doc", "for the tip"."""

from __future__ import annotations

from typing import Final

BESIDE: Final = {
    "ar": """
        لك | لكم | جدا | كثيرا | جزيلا | على المساعدة | على مساعدتك | على التوضيح | على الشرح
        على هذا الشرح | على المعلومات | على المعلومة | على الإجابة | على الرد | على النصيحة
        على صبرك | على وقتك | على كل شيء | للتوضيح | دكتور | يا دكتور | أستاذ | أخي | يا أخي | صديقي
        يا صديقي | والله | إذن
    """,
    "de": """
        für die hilfe | für deine hilfe | für ihre hilfe | für die auskunft | für die info
        für die infos | für die informationen | für die erklärung | für die antwort
        für die schnelle antwort | für die mühe | für deine mühe | für ihre mühe | für die geduld
        für deine geduld | für ihre geduld | für den tipp | für die tipps | für den rat
        für den hinweis | für deine zeit | für ihre zeit | für die unterstützung | für alles | dir
        ihnen | sehr | dann | nochmal | nochmals | erstmal | fürs erste | soweit | top | klasse
        spitze | und tschüss
    """,
    "en": """
        and goodbye | and good bye | and bye | and thanks | and thank you | i think | much | for now
        for today | very helpful | again | all | anaphora | everyone | you | mate | man | buddy
        doc | guys | folks | friend | my friend | sir | then | a lot | so much | very much
        for everything | for the help | for all the help | for all your help | for your help
        for helping | for the info | for the information | for the explanation
        for your explanation | for explaining | for clarifying | for the clarification | for the tip
        for the tips | for the advice | for your advice | for the answer | for your answer
        for the quick answer | for the quick reply | for the reply | for the details | for your time
        for your patience | for being so clear | for being so patient | very clear | clear | works
        til
    """,
    "es": """
        por todo | por la ayuda | por tu ayuda | por su ayuda | por la información | por la info
        por la explicación | por la aclaración | por aclararlo | por explicarlo | por el dato
        por el consejo | por los consejos | por la respuesta | por tu respuesta | por su respuesta
        por responder | por tu tiempo | por su tiempo | por tu paciencia | por su paciencia
        por la paciencia | a todos | doctor | doctora | amigo | amiga | de verdad | entonces | pues
        mucho | funciona
    """,
    "fi": """
        avusta | avustasi | tiedosta | tiedoista | vastauksesta | selityksestä | selvennyksestä
        neuvosta | neuvoista | vinkistä | vinkeistä | kärsivällisyydestä | ajastasi | kaikesta
        paljon | kovasti | sitten | vielä | todella | kaikille | teille | sinulle | toimii
    """,
    "fr": """
        quand même | tout de même | pour tout | pour l'aide | pour votre aide | pour ton aide
        pour l'info | pour les infos | pour l'information | pour les informations
        pour l'explication | pour les explications | pour vos explications | pour tes explications
        pour la réponse | pour votre réponse | pour ta réponse | pour la précision
        pour ces précisions | pour le conseil | pour les conseils | pour vos conseils
        pour votre gentillesse | pour votre patience | pour ta patience | pour votre temps | docteur
        monsieur | madame | alors | beaucoup | encore | infiniment | à tous | à vous | à toi | top
        nickel
    """,
    "hi": """
        जी | भाई | सर | मैडम | दोस्त | आपका | आपकी | बहुत | जानकारी के लिए | इस जानकारी के लिए
        समझाने के लिए | बताने के लिए | जवाब के लिए | आपके जवाब के लिए | मदद के लिए | आपकी मदद के लिए
        सहायता के लिए | समय देने के लिए | धैर्य के लिए | सलाह के लिए | हर चीज़ के लिए | चलो | चलिए
        सबको
    """,
    "it": """
        di tutto | per tutto | per l'aiuto | dell'aiuto | per il suo aiuto | per il tuo aiuto
        per l'informazione | per le informazioni | delle informazioni | per la spiegazione
        della spiegazione | per il chiarimento | per i chiarimenti | per la risposta
        della risposta | per il consiglio | per i consigli | per la pazienza | per il tempo
        dottore | dottoressa | amico mio | davvero | allora | a tutti | utile | funziona
    """,
    "ja": """
        とても | 大変 | 本当に | すごく | めっちゃ | いつも | いろいろ | 色々 | ご丁寧に | 丁寧に
        親切に | 教えてくれて | 教えていただき | 教えていただいて | 教えてくださり
        教えてくださって | 手伝ってくれて | 手伝っていただき | 説明してくれて | 説明していただき
        説明を | 丁寧な説明を | わかりやすい説明を | 分かりやすい説明を | ご説明を | ご回答を
        お返事を | 情報を | 回答を | ね | よ | です | でした | なあ | 笑
    """,
    "ko": """
        정말 | 정말로 | 진짜 | 너무 | 아주 | 매우 | 대단히 | 많이 | 다 | 잘 | 이제 | 항상 | 도움
        답변 | 설명 | 친절한 설명 | 친절한 답변 | 자세한 설명 | 빠른 답변 | 좋은 정보 | 정보
        알려주셔서 | 알려 주셔서 | 가르쳐 주셔서 | 설명해 주셔서 | 설명해주셔서 | 답해 주셔서
        답변해 주셔서 | 도와주셔서 | 도와 주셔서 | 친절하게 | 선생님 | 여러모로 | ㅎㅎ | ㅠㅠ | ㅜㅜ
    """,
    "pt": """
        por tudo | pela ajuda | pela sua ajuda | pela informação | pelas informações | pela info
        pela explicação | pelo esclarecimento | pela resposta | pela dica | pelas dicas
        pelo conselho | pelos conselhos | pela paciência | pelo tempo | pelo seu tempo
        por explicar | por esclarecer | mesmo | então | doutor | doutora | amigo | amiga | cara
        a todos | a todas | a você | legal | fixe | útil | funciona
    """,
    "ru": """
        за ответ | за быстрый ответ | за подробный ответ | за объяснение | за разъяснение
        за разъяснения | за информацию | за совет | за советы | за подсказку | за помощь
        за вашу помощь | за терпение | за время | за всё | вам | тебе | вас | большое | огромное
        ещё раз | тогда | теперь | очень | доктор | друг | ребята | всем | класс | работает
    """,
    "th": """
        ครับ | ครับผม | คร้าบ | ค่ะ | คะ | นะ | จ้า | จ้ะ | ฮะ | เลย | มาก | มากๆ | มาก ๆ | จริงๆ
        จริง ๆ | จัง | สำหรับข้อมูล | สำหรับคำตอบ | สำหรับคำแนะนำ | สำหรับคำอธิบาย
        สำหรับความช่วยเหลือ | สำหรับทุกอย่าง | ที่ช่วย | ที่ช่วยอธิบาย | ที่ช่วยตอบ | ที่อธิบาย | ที่ตอบ
        ที่แนะนำ | ที่สละเวลา | คุณหมอ | อาจารย์
    """,
    "tr": """
        bilgi için | bilgiler için | açıklama için | açıklaman için | açıklamanız için | cevap için
        cevabın için | cevabınız için | yanıt için | yardım için | yardımın için | yardımınız için
        ilgin için | ilginiz için | sabrın için | sabrınız için | zaman ayırdığınız için
        her şey için | o zaman | gerçekten | tekrar | herkese | şimdilik | hocam | abi | dostum
        arkadaşım | net | faydalı | çalışıyor
    """,
    "vi": """
        nhé | nha | ạ | nhỉ | luôn | lắm | nhiều | rất nhiều | rồi | bạn | anh | chị | em | cô | chú
        bác | tôi | mình | ad | admin | bác sĩ | cán bộ | mọi người | vì đã giúp | vì đã giúp đỡ
        đã giúp | đã giúp đỡ | đã giải thích | vì đã giải thích | đã trả lời | vì đã trả lời
        vì thông tin | về thông tin | vì câu trả lời | vì tất cả | xin | rất | hay | rõ | ổn | chuẩn
        thôi
    """,
    "zh": """
        了 | 啦 | 呀 | 哦 | 哈 | 啊 | 喽 | 那 | 真的 | 你的帮助 | 您的帮助 | 你的解答 | 您的解答
        你的耐心解答 | 您的耐心解答 | 你的解释 | 您的解释 | 你的回答 | 您的回答 | 你的回复
        您的回复 | 你的建议 | 您的建议 | 帮忙 | 提醒 | 分享 | 老师 | 医生 | 朋友 | 各位 | 你的幫助
        您的幫助
    """,
}
"""Forms of address, emphasis and what one is thanked for; by language, in its own writing."""
