"""A passage in several languages, a question about it, and the sentence that answers it."""

from __future__ import annotations

TEXTS = {
    "en": "The lighthouse was built in 1887. It is painted red. The ferry leaves at noon.",
    "de": "Der Leuchtturm wurde 1887 gebaut. Er ist rot gestrichen. Die Fähre fährt mittags ab.",
    "ja": "灯台は1887年に建てられた。灯台は赤く塗られている。渡し船は正午に出る。",
    "th": "ประภาคารสร้างขึ้นเมื่อปี 1887 และทาสีแดงทั้งหลัง เรือข้ามฟากออกจากท่าตอนเที่ยงวัน",
    "ar": "بنيت المنارة في عام 1887. طليت المنارة باللون الأحمر. تغادر العبارة عند الظهر.",
    "vi": "Ngọn hải đăng được xây năm 1887. Nó được sơn màu đỏ. Phà khởi hành lúc giữa trưa.",
    "ru": "Маяк был построен в 1887 году. Он выкрашен в красный цвет. Паром отходит в полдень.",
    "tr": "Deniz feneri 1887 yılında yapıldı. Kırmızıya boyalıdır. Feribot öğlen kalkar.",
    "zh": "灯塔建于1887年。灯塔漆成红色。渡船中午开航。",
}
QUESTIONS = {
    "en": "When was the lighthouse built?",
    "de": "Wann wurde der Leuchtturm gebaut?",
    "ja": "灯台はいつ建てられましたか。",
    "th": "ประภาคารสร้างขึ้นเมื่อไร",
    "ar": "متى بنيت المنارة؟",
    "vi": "Ngọn hải đăng được xây năm nào?",
    "ru": "Когда был построен маяк?",
    "tr": "Deniz feneri ne zaman yapıldı?",
    "zh": "灯塔建于哪一年？",
}
ANSWERS = {
    "en": "The lighthouse was built in 1887",
    "de": "Der Leuchtturm wurde 1887 gebaut",
    "ja": "灯台は1887年に建てられた",
    "th": "ประภาคารสร้างขึ้นเมื่อปี 1887",
    "ar": "بنيت المنارة في عام 1887",
    "vi": "Ngọn hải đăng được xây năm 1887",
    "ru": "Маяк был построен в 1887 году",
    "tr": "Deniz feneri 1887 yılında yapıldı",
    "zh": "灯塔建于1887年",
}
