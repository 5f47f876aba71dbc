"""Pages of manuals in four languages, and questions on them, for the trainers."""

REAL = {
    "en": ("Brake", "The brake of the mill is released with the red lever.", "stop the sails"),
    "zh": ("刹车", "磨坊的刹车用红色的手柄松开。", "怎么让风车停下来"),
    "ar": ("الفرامل", "تُحرَّر فرامل الطاحونة بالمقبض الأحمر.", "كيف أوقف الطاحونة"),
    "ru": ("Тормоз", "Тормоз мельницы отпускают красным рычагом.", "как остановить мельницу"),
}
"""For each language the title and the text of a page of a manual, and a question on it."""
ON = {
    "en": ("and where is wood cut", "where is the wood of the mill cut"),
    "zh": ("那锯木头呢", "磨坊在哪里锯木头"),
    "ar": ("وأين يقطع الخشب", "أين يقطع الخشب في الطاحونة"),
    "ru": ("а где пилят дрова", "где на мельнице пилят дрова"),
}
"""A question after that of `REAL`, as it is typed and alone."""
CODE = "8f3a-91c7-d204-5be6-77aa"
LONG = {
    "en": ("Wheels", "Wood is cut by the saw in the yard."),
    "zh": ("轮子", "院子里的锯子用来锯木头。"),
    "ar": ("العجلات", "يقطع المنشار الخشب في الفناء."),
    "ru": ("Колёса", "Пила во дворе пилит дрова."),
}
"""A word and a sentence, between which one page has many codes."""
SAW = {
    "en": "Where is wood cut by the saw?",
    "zh": "锯子在哪里锯木头？",
    "ar": "أين يقطع المنشار الخشب؟",
    "ru": "Где пила пилит дрова?",
}
