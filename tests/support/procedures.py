"""Long and short answers in several scripts, written for these tests."""

from __future__ import annotations

QUESTIONS = {
    "ar": "كيف نفحص ضغط الأجهزة في المحطة؟",
    "ja": "設備の圧力をどのように点検しますか。",
    "ru": "Как на станции снимают показание манометра?",
    "th": "ตรวจสอบแรงดันของอุปกรณ์อย่างไร",
    "tr": "İstasyonda cihazların basınç değeri nasıl okunur?",
    "vi": "Kiểm tra áp suất của thiết bị trong trạm như thế nào?",
    "zh": "怎样检查站里设备的压力？",
}
STEPS = {
    "ar": "في الخطوة {n} نفتح غطاء {part} ونقرأ مقياس الضغط ثم نكتب القيمة في السجل. ",
    "ja": "手順{n}では{part}の蓋を開け、圧力計の値を読み取って記録簿に書きます。",
    "ru": "На шаге {n} откройте крышку: {part}, снимите показание манометра и запишите его. ",
    "th": "ขั้นตอนที่ {n} เปิดฝา{part} อ่านค่าแรงดันแล้วจดลงในสมุดบันทึก ",
    "tr": "{n}. adımda {part} kapağını açın, basınç değerini okuyun ve deftere yazın. ",
    "vi": "Ở bước {n}, mở nắp {part}, đọc giá trị áp suất rồi ghi vào sổ theo dõi. ",
    "zh": "第{n}步打开{part}的盖子，读出压力表上的数值，再写进维修记录。",
}
PARTS = {
    "ar": ["المضخة", "الصمام", "المرشح", "الخزان", "المحرك", "الأنبوب", "البطارية"],
    "ja": ["ポンプ", "弁", "濾過器", "水槽", "電動機", "配管", "蓄電池"],
    "ru": ["насос", "клапан", "фильтр", "бак", "двигатель", "труба", "аккумулятор"],
    "th": ["ปั๊ม", "วาล์ว", "ตัวกรอง", "ถังน้ำ", "มอเตอร์", "ท่อ", "แบตเตอรี่"],
    "tr": ["pompanın", "vananın", "filtrenin", "deponun", "motorun", "borunun", "akünün"],
    "vi": ["máy bơm", "van", "bộ lọc", "bể chứa", "động cơ", "đường ống", "ắc quy"],
    "zh": ["水泵", "阀门", "过滤器", "水箱", "电动机", "管道", "蓄电池"],
}
_VISITS = {
    "ar": "يفتح المتحف أبوابه للزوار في اليوم {n} من الشهر وتباع التذاكر عند المدخل. ",
    "ja": "美術館は毎月{n}日に無料で公開され、入場券は入口で配られる。",
    "ru": "Музей принимает гостей {n} числа каждого месяца, а билеты продают у входа. ",
    "th": "พิพิธภัณฑ์เปิดให้ชมฟรีในวันที่ {n} ของทุกเดือน ขายบัตรที่ทางเข้า ",
    "tr": "Müze her ayın {n}. günü ziyaretçilere açılır, biletler girişte satılır. ",
    "vi": "Bảo tàng mở cửa cho khách vào ngày {n} hằng tháng, vé bán ở cổng chính. ",
    "zh": "博物馆每月{n}日向游客免费开放，门票在入口处领取。",
}


def steps(lang: str, characters: int) -> str:
    """A procedure of whole sentences, of at least so many characters."""
    parts = PARTS[lang]
    return _until(
        characters,
        lambda n: STEPS[lang].format(n=n, part=parts[n % len(parts)]),
    )


def visits(lang: str, characters: int) -> str:
    """A text about something else."""
    return _until(characters, lambda n: _VISITS[lang].format(n=n))


def _until(characters, sentence):
    text, number = "", 0
    while len(text) < characters:
        number += 1
        text += sentence(number)
    return text.strip()
