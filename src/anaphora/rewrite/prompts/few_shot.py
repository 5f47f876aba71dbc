"""Three worked examples in each of the target languages (dialogue-rag-node-linking §4.2 shows a
model as many): a pronoun, an ellipsis, and a new topic, where the question stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Worked:
    """The user's turn and the answer to it, the question after them, and its rewrite."""

    asked: str
    answered: str
    question: str
    rewrite: str


EXAMPLES: Final = {
    "ar": (
        Worked(
            "من أشرف على حفر قناة السويس؟",
            "شركة يرأسها فرديناند دي ليسبس.",
            "متى افتُتحت؟",
            "متى افتُتحت قناة السويس؟",
        ),
        Worked(
            "كم يبعد المريخ عن الشمس؟",
            "نحو 228 مليون كيلومتر.",
            "والزهرة؟",
            "كم تبعد الزهرة عن الشمس؟",
        ),
        Worked(
            "كيف أجدد جواز سفري؟",
            "املأ النموذج وأحضر صورة.",
            "ما أسرع حيوان على اليابسة؟",
            "ما أسرع حيوان على اليابسة؟",
        ),
    ),
    "de": (
        Worked(
            "Wer ließ den Suezkanal graben?",
            "Eine Gesellschaft unter Ferdinand de Lesseps.",
            "Wann wurde er eröffnet?",
            "Wann wurde der Suezkanal eröffnet?",
        ),
        Worked(
            "Wie weit ist der Mars von der Sonne entfernt?",
            "Etwa 228 Millionen Kilometer.",
            "Und die Venus?",
            "Wie weit ist die Venus von der Sonne entfernt?",
        ),
        Worked(
            "Wie verlängere ich meinen Pass?",
            "Füllen Sie das Formular aus und bringen Sie ein Foto mit.",
            "Welches Landtier läuft am schnellsten?",
            "Welches Landtier läuft am schnellsten?",
        ),
    ),
    "en": (
        Worked(
            "Who had the Suez Canal dug?",
            "A company led by Ferdinand de Lesseps.",
            "When was it opened?",
            "When was the Suez Canal opened?",
        ),
        Worked(
            "How far is Mars from the Sun?",
            "About 228 million kilometres.",
            "And Venus?",
            "How far is Venus from the Sun?",
        ),
        Worked(
            "How do I renew my passport?",
            "Fill in the form and bring a photograph.",
            "Which land animal runs fastest?",
            "Which land animal runs fastest?",
        ),
    ),
    "es": (
        Worked(
            "¿Quién hizo excavar el canal de Suez?",
            "Una compañía dirigida por Ferdinand de Lesseps.",
            "¿Cuándo se inauguró?",
            "¿Cuándo se inauguró el canal de Suez?",
        ),
        Worked(
            "¿A qué distancia está Marte del Sol?",
            "A unos 228 millones de kilómetros.",
            "¿Y Venus?",
            "¿A qué distancia está Venus del Sol?",
        ),
        Worked(
            "¿Cómo renuevo mi pasaporte?",
            "Rellene el formulario y traiga una fotografía.",
            "¿Qué animal terrestre corre más rápido?",
            "¿Qué animal terrestre corre más rápido?",
        ),
    ),
    "fi": (
        Worked(
            "Kuka kaivatti Suezin kanavan?",
            "Ferdinand de Lessepsin johtama yhtiö.",
            "Milloin se avattiin?",
            "Milloin Suezin kanava avattiin?",
        ),
        Worked(
            "Kuinka kaukana Mars on Auringosta?",
            "Noin 228 miljoonan kilometrin päässä.",
            "Entä Venus?",
            "Kuinka kaukana Venus on Auringosta?",
        ),
        Worked(
            "Miten uusin passini?",
            "Täytä lomake ja ota valokuva mukaan.",
            "Mikä maaeläin juoksee nopeimmin?",
            "Mikä maaeläin juoksee nopeimmin?",
        ),
    ),
    "fr": (
        Worked(
            "Qui a fait creuser le canal de Suez ?",
            "Une compagnie dirigée par Ferdinand de Lesseps.",
            "Quand a-t-il été inauguré ?",
            "Quand le canal de Suez a-t-il été inauguré ?",
        ),
        Worked(
            "À quelle distance du Soleil se trouve Mars ?",
            "À environ 228 millions de kilomètres.",
            "Et Vénus ?",
            "À quelle distance du Soleil se trouve Vénus ?",
        ),
        Worked(
            "Comment renouveler mon passeport ?",
            "Remplissez le formulaire et apportez une photo.",
            "Quel animal terrestre court le plus vite ?",
            "Quel animal terrestre court le plus vite ?",
        ),
    ),
    "hi": (
        Worked(
            "स्वेज़ नहर किसने खुदवाई थी?",
            "फ़र्डिनांड डी लेसेप्स की कंपनी ने।",
            "वह कब खुली थी?",
            "स्वेज़ नहर कब खुली थी?",
        ),
        Worked(
            "मंगल सूर्य से कितनी दूर है?",
            "लगभग 22.8 करोड़ किलोमीटर।",
            "और शुक्र?",
            "शुक्र सूर्य से कितनी दूर है?",
        ),
        Worked(
            "मैं अपना पासपोर्ट कैसे नवीनीकृत करूँ?",
            "फ़ॉर्म भरिए और एक फ़ोटो लाइए।",
            "ज़मीन पर सबसे तेज़ कौन सा जानवर दौड़ता है?",
            "ज़मीन पर सबसे तेज़ कौन सा जानवर दौड़ता है?",
        ),
    ),
    "it": (
        Worked(
            "Chi fece scavare il canale di Suez?",
            "Una compagnia guidata da Ferdinand de Lesseps.",
            "Quando fu inaugurato?",
            "Quando fu inaugurato il canale di Suez?",
        ),
        Worked(
            "Quanto dista Marte dal Sole?",
            "Circa 228 milioni di chilometri.",
            "E Venere?",
            "Quanto dista Venere dal Sole?",
        ),
        Worked(
            "Come rinnovo il passaporto?",
            "Compili il modulo e porti una fotografia.",
            "Quale animale terrestre corre più veloce?",
            "Quale animale terrestre corre più veloce?",
        ),
    ),
    "ja": (
        Worked(
            "スエズ運河を掘らせたのは誰ですか？",
            "フェルディナン・ド・レセップスが率いた会社です。",
            "それはいつ開通しましたか？",
            "スエズ運河はいつ開通しましたか？",
        ),
        Worked(
            "火星は太陽からどのくらい離れていますか？",
            "約2億2800万キロメートルです。",
            "金星は？",
            "金星は太陽からどのくらい離れていますか？",
        ),
        Worked(
            "パスポートはどうやって更新しますか？",
            "用紙に記入して、写真を持ってきてください。",
            "陸上でいちばん速く走る動物は何ですか？",
            "陸上でいちばん速く走る動物は何ですか？",
        ),
    ),
    "ko": (
        Worked(
            "수에즈 운하는 누가 파게 했나요?",
            "페르디낭 드 레셉스가 이끈 회사입니다.",
            "그것은 언제 개통되었나요?",
            "수에즈 운하는 언제 개통되었나요?",
        ),
        Worked(
            "화성은 태양에서 얼마나 떨어져 있나요?",
            "약 2억 2800만 킬로미터입니다.",
            "그럼 금성은?",
            "금성은 태양에서 얼마나 떨어져 있나요?",
        ),
        Worked(
            "여권은 어떻게 갱신하나요?",
            "신청서를 쓰고 사진을 가져오세요.",
            "육지에서 가장 빨리 달리는 동물은 무엇인가요?",
            "육지에서 가장 빨리 달리는 동물은 무엇인가요?",
        ),
    ),
    "pt": (
        Worked(
            "Quem mandou escavar o canal de Suez?",
            "Uma companhia dirigida por Ferdinand de Lesseps.",
            "Quando ele foi inaugurado?",
            "Quando o canal de Suez foi inaugurado?",
        ),
        Worked(
            "A que distância do Sol fica Marte?",
            "A cerca de 228 milhões de quilômetros.",
            "E Vênus?",
            "A que distância do Sol fica Vênus?",
        ),
        Worked(
            "Como renovo o meu passaporte?",
            "Preencha o formulário e traga uma fotografia.",
            "Qual animal terrestre corre mais rápido?",
            "Qual animal terrestre corre mais rápido?",
        ),
    ),
    "ru": (
        Worked(
            "Кто велел прорыть Суэцкий канал?",
            "Компания под руководством Фердинанда де Лессепса.",
            "Когда его открыли?",
            "Когда открыли Суэцкий канал?",
        ),
        Worked(
            "Как далеко Марс от Солнца?",
            "Примерно 228 миллионов километров.",
            "А Венера?",
            "Как далеко Венера от Солнца?",
        ),
        Worked(
            "Как мне продлить паспорт?",
            "Заполните бланк и принесите фотографию.",
            "Какое животное на суше бегает быстрее всех?",
            "Какое животное на суше бегает быстрее всех?",
        ),
    ),
    "th": (
        Worked(
            "ใครสั่งให้ขุดคลองสุเอซ",
            "บริษัทที่แฟร์ดีน็อง เดอ แลแซ็ปส์เป็นผู้นำ",
            "มันเปิดเมื่อไร",
            "คลองสุเอซเปิดเมื่อไร",
        ),
        Worked(
            "ดาวอังคารอยู่ห่างจากดวงอาทิตย์เท่าไร",
            "ประมาณ 228 ล้านกิโลเมตร",
            "แล้วดาวศุกร์ล่ะ",
            "ดาวศุกร์อยู่ห่างจากดวงอาทิตย์เท่าไร",
        ),
        Worked(
            "ฉันจะต่ออายุหนังสือเดินทางได้อย่างไร",
            "กรอกแบบฟอร์มและนำรูปถ่ายมาด้วย",
            "สัตว์บกชนิดใดวิ่งเร็วที่สุด",
            "สัตว์บกชนิดใดวิ่งเร็วที่สุด",
        ),
    ),
    "tr": (
        Worked(
            "Süveyş Kanalı'nı kim kazdırdı?",
            "Ferdinand de Lesseps'in yönettiği bir şirket.",
            "Ne zaman açıldı?",
            "Süveyş Kanalı ne zaman açıldı?",
        ),
        Worked(
            "Mars Güneş'ten ne kadar uzakta?",
            "Yaklaşık 228 milyon kilometre.",
            "Peki Venüs?",
            "Venüs Güneş'ten ne kadar uzakta?",
        ),
        Worked(
            "Pasaportumu nasıl yenilerim?",
            "Formu doldurun ve bir fotoğraf getirin.",
            "Karada en hızlı hangi hayvan koşar?",
            "Karada en hızlı hangi hayvan koşar?",
        ),
    ),
    "vi": (
        Worked(
            "Ai cho đào kênh đào Suez?",
            "Một công ty do Ferdinand de Lesseps đứng đầu.",
            "Nó được khánh thành khi nào?",
            "Kênh đào Suez được khánh thành khi nào?",
        ),
        Worked(
            "Sao Hỏa cách Mặt Trời bao xa?",
            "Khoảng 228 triệu kilômét.",
            "Còn sao Kim?",
            "Sao Kim cách Mặt Trời bao xa?",
        ),
        Worked(
            "Tôi gia hạn hộ chiếu như thế nào?",
            "Hãy điền vào mẫu đơn và mang theo một tấm ảnh.",
            "Loài vật nào trên cạn chạy nhanh nhất?",
            "Loài vật nào trên cạn chạy nhanh nhất?",
        ),
    ),
    "zh": (
        Worked(
            "是谁主持开凿苏伊士运河的？",
            "斐迪南·德·雷赛布领导的一家公司。",
            "它是什么时候通航的？",
            "苏伊士运河是什么时候通航的？",
        ),
        Worked(
            "火星离太阳有多远？",
            "大约2.28亿公里。",
            "金星呢？",
            "金星离太阳有多远？",
        ),
        Worked(
            "怎样换发护照？",
            "填写表格并带上照片。",
            "陆地上跑得最快的动物是什么？",
            "陆地上跑得最快的动物是什么？",
        ),
    ),
}


def worked(lang: str) -> tuple[Worked, Worked, Worked]:
    """The examples in a language; in English for a language without.

    >>> worked("de")[0].question
    'Wann wurde er eröffnet?'
    """
    return EXAMPLES.get(lang, EXAMPLES["en"])
