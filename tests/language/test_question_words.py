"""Question types in sixteen languages."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpus import TARGETS

from anaphora.language.question_words import compared, question_type

QUESTIONS = {
    "ar": {
        "who": ["من أسس المكتبة؟", "ومن هو المدير الحالي؟", "في عام 1923، من كان المدير؟"],
        "what": ["ما اسم المتحف؟", "ماذا يوجد في الطابق الأول؟", "وما هو رمز الولاية؟"],
        "which": ["أي غرفة هي الأكبر؟", "في أيّ مبنى تقع القاعة؟"],
        "when": ["متى افتُتح المتحف؟", "في أي عام بُني الجسر؟"],
        "where": ["أين يقع المتحف؟", "من أين جاءت اللوحات؟"],
        "why": ["لماذا أُغلق الجسر؟"],
        "how": ["كيف أصل إلى المحطة؟", "وكيف أدفع؟"],
        "how many": ["كم يبلغ سعر التذكرة؟", "ما عدد الغرف؟"],
        "yes/no": ["هل المتحف مفتوح اليوم؟", "أليس الدخول مجانيا؟"],
        "other": ["وماذا عن باريس؟", "والأطفال؟", "من بين الغرف الثلاث"],
    },
    "de": {
        "who": ["Wer hat das Museum gegründet?", "Wem gehört die Brücke?"],
        "what": ["Was kostet nichts?", "Wie heißt die Leiterin?", "Worauf beruht das Verfahren?"],
        "which": ["Welche Sprachen werden gesprochen?", "Aus welchem Land kommt sie?"],
        "when": ["Wann wurde die Brücke gebaut?", "In welchem Jahr starb er?"],
        "where": ["Wo liegt das Museum?", "Woher kommt der Name?"],
        "why": ["Warum ist die Brücke gesperrt?", "Weshalb?"],
        "how": ["Wie komme ich zum Bahnhof?"],
        "how many": ["Wie viele Zimmer gibt es?", "Wie groß ist der Saal?", "Wie lange dauert es?"],
        "yes/no": ["Ist das Museum heute offen?", "Und kann man dort essen?"],
        "other": ["Und in Berlin?", "Was ist mit Kindern?", "Nenne die Zimmer."],
    },
    "en": {
        "who": ["Who founded the museum?", "Whose idea was it?", "When the king died, who ruled?"],
        "what": ["What's its height in feet?", "What did the man who built it do?"],
        "which": ["Which rooms are open?", "Of these, which is oldest?"],
        "when": ["When was the bridge built?", "In which year did she die?", "At what time?"],
        "where": ["Where is the station?", "And where was that?"],
        "why": ["Why is it closed?", "How come it is closed?"],
        "how": ["How do I get there?"],
        "how many": ["How many rooms are there?", "How tall is the tower?", "How often?"],
        "yes/no": ["Is it open?", "And didn't they say when?", "Besides it, is any open?"],
        "other": ["What about children?", "And Berlin?", "Tell me about the bridge."],
    },
    "es": {
        "who": ["¿Quién fundó el museo?", "¿De quién es el puente?"],
        "what": ["¿Qué se ve desde allí?", "¿Cuál es la altura?", "que hay dentro"],
        "which": ["¿Cuál de los dos es mayor?", "¿A cuáles te refieres?"],
        "when": ["¿Cuándo abre?", "¿En qué año murió?", "¿Desde cuándo vive allí?"],
        "where": ["¿Dónde está el museo?", "¿Y adónde fue?"],
        "why": ["¿Por qué está cerrado?"],
        "how": ["¿Cómo llego a la estación?", "Entonces, ¿cómo se paga?"],
        "how many": ["¿Cuántas salas hay?", "¿Con qué frecuencia pasa el tren?"],
        "yes/no": ["¿Hay alguna razón por la que cerró?", "¿Abre el museo los lunes?"],
        "other": ["¿Y en Sevilla?", "¿Qué hay de los niños?"],
    },
    "fi": {
        "who": ["Kuka perusti museon?", "Kenelle silta kuuluu?"],
        "what": ["Mikä on tornin nimi?", "Mitä siellä voi nähdä?", "Millainen talo se on?"],
        "which": ["Kumpi on vanhempi?", "Kummassa talossa hän asui?"],
        "when": ["Milloin museo avattiin?", "Minä vuonna hän kuoli?"],
        "where": ["Missä museo on?", "Minne juna menee?"],
        "why": ["Miksi silta on suljettu?"],
        "how": ["Miten pääsen asemalle?", "Kuinka silta rakennettiin?"],
        "how many": ["Kuinka monta huonetta siellä on?", "Paljonko lippu maksaa?"],
        "yes/no": ["Onko museo auki?", "Ja voiko siellä syödä?"],
        "other": ["Entä Turku?", "Kerro sillasta."],
    },
    "fr": {
        "who": ["Qui a fondé le musée ?", "À qui est le pont ?"],
        "what": ["Qu’est-ce que c’est ?", "Que voit-on ?", "Quelle est la hauteur de la tour ?"],
        "which": ["Dans quel pays est-il né ?", "Lequel est le plus vieux ?"],
        "when": ["Quand ouvre-t-il ?", "En quelle année est-elle morte ?"],
        "where": ["Où est la gare ?", "D'où vient le nom ?"],
        "why": ["Pourquoi est-ce fermé ?"],
        "how": ["Comment aller à la gare ?"],
        "how many": ["Combien de salles y a-t-il ?", "Quel âge a-t-elle ?"],
        "yes/no": ["Est-ce que le musée est ouvert ?", "Le pont est-il ouvert ?"],
        "other": ["Et en 2013 ?", "Qu'en est-il des enfants ?"],
    },
    "hi": {
        "who": ["संग्रहालय की स्थापना किसने की?", "निदेशक कौन है?"],
        "what": ["मीनार का नाम क्या?", "मीनार का नाम क्या है?", "क्या है यह?"],
        "which": ["सबसे पुराना कमरा कौन सा है?", "यह किस देश में है?"],
        "when": ["पुल कब बना?", "उनकी मृत्यु किस वर्ष हुई?", "यह कितने बजे खुलता है?"],
        "where": ["स्टेशन कहाँ है?", "स्टेशन कहां है?"],
        "why": ["पुल क्यों बंद है?"],
        "how": ["मैं वहाँ कैसे पहुँचूँ?"],
        "how many": ["वहाँ कितने कमरे हैं?"],
        "yes/no": ["क्या संग्रहालय आज खुला है?", "यह सही है क्या?"],
        "other": ["और दिल्ली में?", "बच्चों के बारे में क्या?"],
    },
    "it": {
        "who": ["Chi ha fondato il museo?", "Di chi è il ponte?"],
        "what": ["Cosa si vede?", "Cos’è questo?", "Qual è l'altezza della torre?"],
        "which": ["Quale sala è aperta?", "In quali paesi si parla?"],
        "when": ["Quando apre?", "In che anno è morta?", "A che ora?"],
        "where": ["Dove si trova?", "Dov’è la stazione?"],
        "why": ["Perché è chiuso?", "Come mai?"],
        "how": ["Come arrivo alla stazione?", "E come si paga?"],
        "how many": ["Quante sale ci sono?", "Quanto costa il biglietto?"],
        "yes/no": ["È aperto oggi il museo?", "Si può mangiare come a casa?"],
        "other": ["E a Roma?", "Per quanto riguarda i bambini?"],
    },
    "ja": {
        "who": ["博物館を作ったのは誰ですか？", "創立者は誰か"],
        "what": ["塔の名前は何ですか？", "そこで何が見られますか。"],
        "which": ["どの部屋が一番広いですか？", "どちらが古いですか"],
        "when": ["橋はいつ建てられましたか？", "何年に亡くなりましたか？"],
        "where": ["駅はどこにありますか？", "首都はどこ"],
        "why": ["なぜ閉まっているのですか？", "どうして？"],
        "how": ["駅へはどのように行きますか？", "どうやって払うの？"],
        "how many": ["部屋はいくつありますか？", "人口は何人ですか？", "どのくらいかかりますか？"],
        "yes/no": ["博物館は開いていますか？", "誰かが住んでいますか？"],
        "other": ["人口は？", "橋について教えてください。"],
    },
    "ko": {
        "who": ["박물관은 누가 세웠나요?", "그 다리는 누구의 것입니까?"],
        "what": ["탑의 이름은 무엇인가요?", "거기서 뭘 볼 수 있어요?"],
        "which": ["어느 방이 가장 넓나요?", "어떤 언어를 쓰나요?"],
        "when": ["다리는 언제 지어졌나요?", "몇 년에 죽었나요?", "몇 시에 여나요?"],
        "where": ["역은 어디에 있나요?"],
        "why": ["왜 닫혔나요?"],
        "how": ["역까지 어떻게 가나요?"],
        "how many": ["방이 몇 개 있나요?", "얼마나 걸리나요?", "몇 시간 걸리나요?"],
        "yes/no": ["박물관은 오늘 여나요?", "왜냐하면 문을 닫았습니까?"],
        "other": ["그럼 부산은?", "다리에 대해 알려 주세요."],
    },
    "pt": {
        "who": ["Quem fundou o museu?", "De quem é a ponte?"],
        "what": ["O que se vê de lá?", "Qual é a altura da torre?", "Como se chama a diretora?"],
        "which": ["Quais salas estão abertas?", "Qual dos dois é maior?"],
        "when": ["Quando abre?", "Em que ano ela morreu?"],
        "where": ["Onde fica a estação?", "E aonde ele foi?"],
        "why": ["Por que está fechado?", "Porque está fechado?"],
        "how": ["Como chego à estação?"],
        "how many": ["Quantas salas há?", "Quanto custa o bilhete?"],
        "yes/no": ["O museu está aberto hoje?", "É verdade que fecha quando chove?"],
        "other": ["E em Lisboa?", "E quanto às crianças?"],
    },
    "ru": {
        "who": ["Кто основал музей?", "Чьё это здание?", "А кому принадлежит мост?"],
        "what": ["Что там можно увидеть?", "Как называется башня?", "О чём эта книга?"],
        "which": ["Какой зал открыт?", "В какой стране он родился?"],
        "when": ["Когда построили мост?", "В каком году, что важно, он умер?"],
        "where": ["Где находится вокзал?", "Откуда взялось название?"],
        "why": ["Почему закрыт мост?", "Зачем его построили?"],
        "how": ["Как пройти к вокзалу?", "Каким образом платят?"],
        "how many": ["Сколько там залов?", "Как долго это длится?"],
        "yes/no": ["Открыт ли музей?", "Музей сегодня открыт?"],
        "other": ["А в Москве?", "Как насчёт детей?"],
    },
    "th": {
        "who": ["ใครเป็นผู้ก่อตั้งพิพิธภัณฑ์", "ผู้อำนวยการคือใคร"],
        "what": ["หอคอยชื่ออะไร", "มีอะไรเกี่ยวกับสะพาน"],
        "which": ["ห้องไหนใหญ่ที่สุด", "เขาเกิดในประเทศใด"],
        "when": ["สะพานสร้างเมื่อไร", "เธอเสียชีวิตในปีใด", "เปิดกี่โมง"],
        "where": ["สถานีอยู่ที่ไหน"],
        "why": ["ทำไมสะพานปิด", "เพราะเหตุใดจึงปิด"],
        "how": ["ไปสถานีได้อย่างไร"],
        "how many": ["มีกี่ห้อง", "ตั๋วราคาเท่าไร"],
        "yes/no": ["พิพิธภัณฑ์เปิดวันนี้ไหม", "มีใครอยู่หรือเปล่า"],
        "other": ["แล้วเชียงใหม่ล่ะ", "เล่าเกี่ยวกับสะพาน"],
    },
    "tr": {
        "who": ["Müzeyi kim kurdu?", "Köprü kimindir?", "Müdür KİMDİR?"],
        "what": ["Kulenin adı nedir?", "Orada ne görülür?"],
        "which": ["En eski oda hangisidir?", "Hangi ülkede doğdu?"],
        "when": ["Köprü ne zaman yapıldı?", "Hangi yılda öldü?", "Saat kaçta açılıyor?"],
        "where": ["İstasyon nerede?", "Adı nereden geliyor?"],
        "why": ["Köprü neden kapalı?", "Niçin kapandı?"],
        "how": ["İstasyona nasıl giderim?"],
        "how many": ["Kaç oda var?", "Kule ne kadar yüksek?"],
        "yes/no": [
            "Müze bugün açık mı?",
            "Kule büyük müdür?",
            "Orada yemek yiyebilir miyim?",
            "Kimse var mıydı?",
        ],
        "other": ["Peki Ankara?", "Köprüyü anlat."],
    },
    "vi": {
        "who": ["Ai đã xây bảo tàng?", "Giám đốc là ai?"],
        "what": ["Tên của tháp là gì?", "Thủ đô của Ai Cập tên gì?"],
        "which": ["Phòng nào lớn nhất?"],
        "when": ["Cầu được xây khi nào?", "Bà mất năm nào?", "Mấy giờ mở cửa?"],
        "where": ["Nhà ga ở đâu?"],
        "why": ["Tại sao cầu đóng cửa?", "Vì sao?"],
        "how": ["Làm thế nào để đến nhà ga?", "Cầu được xây như thế nào?"],
        "how many": ["Có bao nhiêu phòng?", "Mất bao lâu?"],
        "yes/no": ["Hôm nay bảo tàng có mở cửa không?", "Có ai ở đó không?", "Mở cửa chưa?"],
        "other": ["Còn ở Hà Nội thì sao?", "Hãy kể về cây cầu."],
    },
    "zh": {
        "who": ["谁建了博物馆？", "館長是誰？"],
        "what": ["塔叫什么名字？", "那里被称为什么？", "這是什麼？"],
        "which": ["哪个房间最大？", "他出生在哪个国家？"],
        "when": ["桥是何时建的？", "她在哪一年去世？", "什麼時候開門？"],
        "where": ["车站在哪里？", "他在哪工作？", "車站在哪裡？"],
        "why": ["桥为什么关闭？", "為什麼？"],
        "how": ["怎么去车站？", "如何付款？"],
        "how many": ["有多少个房间？", "塔有多高？", "有几间房？"],
        "yes/no": ["博物馆今天开门吗？", "那里是否可以吃饭？", "有什么关系吗？"],
        "other": ["上海呢？", "许多大学几乎关门", "任何人"],
    },
}
CASES = [
    (lang, expected, question)
    for lang, types in QUESTIONS.items()
    for expected, questions in types.items()
    for question in questions
]


@pytest.mark.parametrize(("lang", "expected", "question"), CASES)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_types(lang, expected, question, form):
    assert question_type(unicodedata.normalize(form, question), lang) == expected


def test_every_language_has_every_type():
    assert set(QUESTIONS) == set(TARGETS)
    assert {len(types) for types in QUESTIONS.values()} == {10}


def test_width_and_case_do_not_matter():
    assert question_type("ＷＨＥＲＥ　ＩＳ　ＩＴ？", "en") == "where"
    assert question_type("WO IST ES? DAS IST SO GROSS.", "de") == "where"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("I was there when it closed. Who owns it now?", "who"),
        ("Who owns it? I need to know when it opens.", "who"),
        ("Thanks! What about 2013?", "other"),
        ("Can you tell me who owns it?", "who"),
        ("Could you describe the bridge?", "other"),
        ("whoever whatsoever nowhere", "other"),
        ("", "other"),
        ("?", "other"),
    ],
)
def test_which_part_of_an_utterance_asks(question, expected):
    assert question_type(question, "en") == expected


def test_languages_without_a_table():
    assert question_type("Who was it?", "unknown") == "who"
    assert question_type("Hur många rum finns det?", "sv") == "other"


@given(st.text(max_size=80), st.sampled_from([*TARGETS, "unknown", "sv"]))
def test_any_text_has_a_type(text, lang):
    types = {expected for _, expected, _ in CASES}
    assert question_type(text, lang) in types


COMPARISONS = {
    "ar": ("ما الفرق بين أ وب؟", "ما هو أ؟"),
    "de": ("Was ist der Unterschied zwischen a und b?", "Was ist a?"),
    "en": ("what's the difference between a and b", "what is a"),
    "es": ("¿Cuál es la diferencia entre a y b?", "¿Qué es a?"),
    "fi": ("Mikä ero on a:n ja b:n välillä?", "Mikä on a?"),
    "fr": ("quelle différence entre a et b", "qu'est-ce que a"),
    "hi": ("a और b में क्या अंतर है?", "a क्या है?"),
    "it": ("Che differenza c'è tra a e b?", "Che cos'è a?"),
    "ja": ("aとbの違いは？", "aとは？"),
    "ko": ("a와 b의 차이는?", "a는 무엇인가요?"),
    "pt": ("Qual a diferença entre a e b?", "O que é a?"),
    "ru": ("чем a отличается от b", "что такое a"),
    "th": ("a กับ b ต่างกันอย่างไร", "a คืออะไร"),
    "tr": ("a ile b arasındaki fark nedir?", "a nedir?"),
    "vi": ("a khác b thế nào", "a là gì"),
    "zh": ("a和b有什么区别？", "a是什么？"),
}


@pytest.mark.parametrize("lang", COMPARISONS)
def test_comparisons_are_told_from_other_questions(lang: str) -> None:
    comparison, other = COMPARISONS[lang]
    assert "a" in compared(comparison, lang) or "ا" in compared(comparison, lang)
    assert compared(other, lang) == ""
