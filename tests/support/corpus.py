"""One short text and some questions in each of the sixteen languages, written for these tests."""

from __future__ import annotations

TARGETS = (
    "ar",
    "de",
    "en",
    "es",
    "fi",
    "fr",
    "hi",
    "it",
    "ja",
    "ko",
    "pt",
    "ru",
    "th",
    "tr",
    "vi",
    "zh",
)

PARAGRAPHS = {
    "ar": [
        "تأسست المكتبة في المدينة القديمة عام 1923.",
        "هل تفتح أبوابها كل يوم؟",
        "نعم، من الساعة التاسعة صباحًا حتى الخامسة مساءً.",
    ],
    "de": [
        "Die Bibliothek wurde am 3. Mai 1923 in der Altstadt gegründet.",
        "Laut Dr. Weber besitzt sie z. B. alte Karten und ca. 4.500 Briefe.",
        "„Wann ist sie geöffnet?“ fragen viele.",
        "Täglich von neun bis fünf!",
    ],
    "en": [
        "The library was founded in the old town in 1923.",
        "According to Dr. Weber, it owns old maps, e.g. one of the U.S. coast, and 4,500 letters.",
        '"When is it open?" many ask.',
        "Daily from nine to five!",
    ],
    "es": [
        "La biblioteca se fundó en el casco antiguo en 1923.",
        "Según el Dr. Weber, guarda mapas antiguos y unas 4.500 cartas.",
        "¿Cuándo abre?",
        "¡Todos los días de nueve a cinco!",
    ],
    "fi": [
        "Kirjasto perustettiin vanhaan kaupunkiin 3. toukokuuta 1923.",
        "Siellä on esim. vanhoja karttoja ja n. 4500 kirjettä.",
        "Milloin se on auki?",
        "Joka päivä yhdeksästä viiteen!",
    ],
    "fr": [
        "La bibliothèque a été fondée dans la vieille ville en 1923.",
        "Selon M. Weber, elle possède des cartes anciennes et env. 4 500 lettres.",
        "« Quand est-elle ouverte ? » demande-t-on souvent.",
        "Tous les jours de neuf à cinq heures !",
    ],
    "hi": [
        "यह पुस्तकालय 1923 में पुराने शहर में स्थापित हुआ था।",
        "डॉ. वेबर के अनुसार यहाँ पुराने नक्शे और 4,500 पत्र हैं।",
        "यह कब खुलता है?",
        "हर दिन नौ बजे से पाँच बजे तक।",
    ],
    "it": [
        "La biblioteca fu fondata nel centro storico nel 1923.",
        "Secondo il dott. Weber possiede carte antiche e circa 4.500 lettere.",
        "Quando apre?",
        "Ogni giorno dalle nove alle cinque!",
    ],
    "ja": [
        "この図書館は1923年に旧市街に設立されました。",
        "ウェーバー博士によると、古い地図と約4,500通の手紙があります。",
        "「いつ開いていますか。」とよく聞かれます。",
        "毎日九時から五時までです！",
    ],
    "ko": [
        "이 도서관은 1923년에 구시가지에 설립되었습니다.",
        "베버 박사에 따르면 오래된 지도와 편지 4,500통이 있습니다.",
        "언제 문을 엽니까?",
        "매일 아홉 시부터 다섯 시까지입니다!",
    ],
    "pt": [
        "A biblioteca foi fundada no centro histórico em 1923.",
        "Segundo o Dr. Weber, guarda mapas antigos e cerca de 4.500 cartas.",
        "Quando é que abre?",
        "Todos os dias, das nove às cinco!",
    ],
    "ru": [
        "Библиотека была основана в старом городе в 1923 г. и с тех пор выросла.",
        "По словам проф. Вебера, в ней хранятся старые карты и около 4500 писем.",
        "Когда она открыта?",
        "Каждый день с девяти до пяти!",
    ],
    "th": [
        "ห้องสมุดแห่งนี้ก่อตั้งขึ้นในเขตเมืองเก่าเมื่อปี พ.ศ. 2466 โดยชาวเมือง",
        "ที่นี่เก็บรักษาแผนที่โบราณและจดหมายไว้ประมาณสี่พันห้าร้อยฉบับ",
    ],
    "tr": [
        "Kütüphane 3. Mayıs 1923'te eski şehirde kuruldu.",
        "Dr. Weber'e göre orada eski haritalar ve yaklaşık 4.500 mektup var.",
        "Ne zaman açılıyor?",
        "Her gün dokuzdan beşe kadar!",
    ],
    "vi": [
        "Thư viện được thành lập ở khu phố cổ vào năm 1923.",
        "Theo TS. Weber, nơi đây lưu giữ nhiều bản đồ cũ và khoảng 4.500 bức thư.",
        "Khi nào thư viện mở cửa?",
        "Mỗi ngày từ chín giờ đến năm giờ!",
    ],
    "zh": [
        "这座图书馆于1923年在老城区成立。",
        "据韦伯博士说，馆内藏有古地图和约4,500封信。",
        "“什么时候开放？”",
        "很多人问。",
        "每天九点到五点！",
    ],
}  # fmt: skip
"""Each a list of its sentences, to be joined by a space, or by nothing in Chinese and Japanese."""

FIRST_QUESTIONS = {
    "ar": "من أسس المكتبة في المدينة القديمة؟",
    "de": "Wer hat die Bibliothek in der Altstadt gegründet?",
    "en": "Who founded the library in the old town?",
    "es": "¿Quién fundó la biblioteca del casco antiguo?",
    "fi": "Kuka perusti kirjaston vanhaan kaupunkiin?",
    "fr": "Qui a fondé la bibliothèque de la vieille ville ?",
    "hi": "पुराने शहर में पुस्तकालय की स्थापना किसने की?",
    "it": "Chi ha fondato la biblioteca del centro storico?",
    "ja": "旧市街の図書館は誰が設立しましたか？",
    "ko": "구시가지의 도서관은 누가 설립했습니까?",
    "pt": "Quem fundou a biblioteca do centro histórico?",
    "ru": "Кто основал библиотеку в старом городе?",
    "th": "ใครเป็นผู้ก่อตั้งห้องสมุดในเขตเมืองเก่า",
    "tr": "Eski şehirdeki kütüphaneyi kim kurdu?",
    "vi": "Ai đã thành lập thư viện ở khu phố cổ?",
    "zh": "老城区的图书馆是谁建立的？",
}

FOLLOW_UPS = {
    "ar": ["لماذا؟", "متى؟", "وماذا بعد ذلك؟"],
    "de": ["Warum?", "Und wann genau?", "Und danach?"],
    "en": ["Why?", "And before that?", "How much?"],
    "es": ["¿Por qué?", "¿Y luego?", "¿Cuándo?"],
    "fi": ["Miksi?", "Entä sitten?", "Milloin?"],
    "fr": ["Pourquoi ?", "Et en français ?", "Quand exactement ?"],
    "hi": ["क्यों?", "और फिर?", "कितना?"],
    "it": ["Perché?", "E quando è successo?"],
    "ja": ["なぜ？", "その後は？"],
    "ko": ["왜?", "그 다음은?"],
    "pt": ["Por quê?", "E quem era ele?"],
    "ru": ["Почему?", "А потом?", "Сколько?"],
    "th": ["ทำไม", "เมื่อไหร่"],
    "tr": ["Neden?", "Peki ya sonra?", "Ne zaman?"],
    "vi": ["Tại sao?", "Khi nào?"],
    "zh": ["为什么？", "那之后呢？"],
}
"""Follow-ups that say their language by themselves."""


def joined(lang: str) -> str:
    return ("" if lang in ("ja", "zh") else " ").join(PARAGRAPHS[lang])
