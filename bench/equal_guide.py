"""Questions about Anaphora's guide in five languages, asked by `bench.equal_answers`.

They are questions that users ask, some of which the guide does not answer. What the right answers
are does not matter here: only whether two versions of Anaphora give the same ones.
"""

from __future__ import annotations

QUESTIONS = {
    "en": (
        "How do I check an index for damage?",
        "How do I repair a damaged index?",
        "Which file formats are read?",
        "What does the option --lexical do?",
        "What is hybrid retrieval?",
        "What is the default value of k1?",
        "How is the language of a question found?",
        "What happens when the LLM endpoint fails?",
        "How do I write a TREC run file?",
        "Where is the prepared language model kept?",
        "Which metrics measure a ranking?",
        "Who won the chess championship in 1972?",
    ),
    "es": (
        "¿Cómo compruebo si un índice está dañado?",
        "¿Cómo reparo un índice dañado?",
        "¿Qué formatos de archivo se leen?",
        "¿Qué hace la opción --lexical?",
        "¿Qué es la búsqueda híbrida?",
        "¿Cuál es el valor predeterminado de k1?",
        "¿Cómo se detecta el idioma de una pregunta?",
        "¿Qué pasa cuando falla el servidor del modelo de lenguaje?",
        "¿Cómo escribo un archivo de resultados en formato TREC?",
        "¿Dónde se guarda el modelo preparado?",
        "¿Qué métricas miden las respuestas?",
        "¿Cuántos habitantes tiene Montevideo?",
    ),
    "fr": (
        "Comment vérifier qu'un index n'est pas endommagé ?",
        "Comment réparer un index endommagé ?",
        "Quels formats de fichiers sont lus ?",
        "Que fait l'option --lexical ?",
        "Qu'est-ce que la recherche hybride ?",
        "Quelle est la valeur par défaut de k1 ?",
        "Comment la langue d'une question est-elle reconnue ?",
        "Que se passe-t-il si le serveur du LLM tombe en panne ?",
        "Comment écrire un fichier de résultats au format TREC ?",
        "Où est conservé le modèle préparé ?",
        "Quelles métriques mesurent les réponses ?",
        "Qui a peint la Joconde ?",
    ),
    "vi": (
        "Làm sao kiểm tra chỉ mục có bị hỏng không?",
        "Làm thế nào để sửa một chỉ mục bị hỏng?",
        "Những định dạng tệp nào được đọc?",
        "Tùy chọn --lexical dùng để làm gì?",
        "Tìm kiếm lai là gì?",
        "Giá trị mặc định của k1 là bao nhiêu?",
        "Ngôn ngữ của câu hỏi được nhận ra thế nào?",
        "Điều gì xảy ra khi máy chủ LLM bị lỗi?",
        "Làm sao ghi tệp kết quả theo dạng TREC?",
        "Mô hình đã chuẩn bị được lưu ở đâu?",
        "Những độ đo nào đo câu trả lời?",
        "Núi cao nhất Việt Nam là núi nào?",
    ),
    "zh": (
        "怎样检查索引是否损坏？",
        "如何修复损坏的索引？",
        "可以读取哪些文件格式？",
        "--lexical 选项有什么用？",
        "什么是混合检索？",
        "k1 的默认值是多少？",
        "问题的语言是怎样识别的？",
        "大语言模型的服务器出错时会怎样？",
        "如何写出 TREC 格式的结果文件？",
        "准备好的模型存放在哪里？",
        "哪些指标衡量答案？",
        "长江有多长？",
    ),
}

TALKS = {
    "en": (
        "How do I check an index?",
        "With anaphora index verify.",
        "And how do I repair it?",
        "anaphora index repair rebuilds what was damaged.",
        "Does it bring back the vectors?",
    ),
    "es": (
        "¿Qué es BM25?",
        "BM25 es la fórmula predeterminada para las palabras.",
        "¿Y qué parámetros tiene?",
        "Sus parámetros son k1 y b.",
        "¿Cuáles son sus valores predeterminados?",
    ),
    "fr": (
        "Comment indexer un dossier ?",
        "Avec la commande anaphora index.",
        "Et si elle est interrompue ?",
        "Ce qui a été enregistré est conservé.",
        "Qu'est-ce qui est relu ensuite ?",
    ),
    "vi": (
        "LM-Dirichlet là gì?",
        "LM-Dirichlet là một mô hình ngôn ngữ.",
        "Tham số của nó là gì?",
        "Tham số của nó là mu.",
        "Còn BM25 thì sao?",
    ),
    "zh": (
        "怎样继续提问？",
        "用 chat 命令。",
        "怎样离开它？",
        "输入 /quit。",
        "那 /why 呢？",
    ),
}
"""User and assistant alternate; the second and the third turn of the user are asked."""

SMALL_TALK = (
    "Hello",
    "Good morning",
    "Thank you very much!",
    "OK, thanks. Bye!",
    "Who are you?",
    "Merci beaucoup !",
    "¡Adiós!",
    "你好",
    "Cảm ơn bạn",
    "Спасибо",
    "Tell me a joke",
    "Cuéntame un chiste",
    "I am sad",
    "You are stupid",
    "给我讲个笑话",
    "Who are you according to the handbook?",
)
"""Greetings and thanks, then jokes, feelings and insults, and a question that only looks so."""

EXTRA = """# Watering the office plants

The ferns on the third floor are watered every Tuesday with two litres of rain water.
"""
"""A document that the guide does not hold."""

EXTRA_QUESTION = "When are the ferns on the third floor watered?"
