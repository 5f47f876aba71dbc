"""Bare follow-ups take the whole question before; instructions about language are obeyed."""

from dataclasses import replace

import pytest
from support.conversations import conversation

from anaphora.records import Edit, Rewrite
from anaphora.rewrite.context import ContextRewriter
from anaphora.rewrite.follow_ups import FollowUpRewriter
from anaphora.rewrite.history import NoRewriter
from anaphora.rewrite.pronouns import PronounRewriter

PLAIN = FollowUpRewriter(NoRewriter())
WITH_PRONOUNS = FollowUpRewriter(PronounRewriter())


def rewritten(*texts, rewriter=PLAIN):
    (found,) = rewriter.rewrite([conversation(*texts)])
    return found


@pytest.mark.parametrize(
    ("question", "follow_up", "rewrite"),
    [
        ("Is the first row frozen?", "why?", "Is the first row frozen? Why?"),
        ("freeze the first row", "example?", "freeze the first row? Example?"),
        ("Was ist ein Sponsor?", "warum", "Was ist ein Sponsor? Warum?"),
        ("¿Se puede fijar una fila?", "¿por qué?", "¿Se puede fijar una fila? ¿por qué?"),
        ("Peut-on figer une ligne ?", "et ensuite ?", "Peut-on figer une ligne ? Et ensuite ?"),
        ("Почему строка закреплена?", "пример?", "Почему строка закреплена? Пример?"),
        ("首行可以冻结吗？", "为什么？", "首行可以冻结吗？为什么？"),
        ("怎么冻结首行", "然后呢？", "怎么冻结首行？然后呢？"),
        ("先頭行を固定できますか？", "なぜ？", "先頭行を固定できますか？なぜ？"),
        ("ตรึงแถวแรกได้ไหม", "ทำไม", "ตรึงแถวแรกได้ไหม ทำไม"),
        ("هل يمكن تجميد الصف؟", "لماذا؟", "هل يمكن تجميد الصف؟ لماذا؟"),
        ("첫 행을 고정할 수 있나요?", "왜?", "첫 행을 고정할 수 있나요? 왜?"),
        ("İlk satır sabit mi?", "neden?", "İlk satır sabit mi? Neden?"),
        ("Có cố định hàng đầu được không?", "tại sao?",
         "Có cố định hàng đầu được không? Tại sao?"),
        ("क्या पहली पंक्ति स्थिर है?", "क्यों?", "क्या पहली पंक्ति स्थिर है? क्यों?"),
        ("Posso bloccare la riga?", "perché?", "Posso bloccare la riga? Perché?"),
        ("Posso fixar a linha?", "por quê?", "Posso fixar a linha? Por quê?"),
        ("Onko rivi lukittu?", "miksi?", "Onko rivi lukittu? Miksi?"),
    ],
)  # fmt: skip
def test_a_bare_follow_up_takes_the_whole_question(question, follow_up, rewrite):
    found = rewritten(question, "…", follow_up)
    assert found.text == rewrite
    assert found.variants == (question,)
    (edit,) = found.edits
    assert (edit.kind, edit.text, edit.source_turn) == ("insert", question, 0)


def test_the_question_before_is_made_self_contained_first():
    found = rewritten(
        "Who were The Mothers?", "A band.", "When did they disband?", "In 1969.", "why?",
        rewriter=WITH_PRONOUNS,
    )  # fmt: skip
    assert found.text == "When did The Mothers disband? Why?"
    again = rewritten(
        "Who were The Mothers?", "A band.", "When did they disband?", "In 1969.", "why?",
        "They had no money.", "An example?", rewriter=WITH_PRONOUNS,
    )  # fmt: skip
    assert again.text == "When did The Mothers disband? Why? An example?"


@pytest.mark.parametrize(
    ("instruction", "lang"),
    [
        ("in French", "fr"),
        ("auf Deutsch", "de"),
        ("en español", "es"),
        ("用中文回答", "zh"),
        ("日本語で", "ja"),
        ("по-русски, пожалуйста", "ru"),
        ("باللغة العربية", "ar"),
        ("ตอบเป็นภาษาไทย", "th"),
        ("bằng tiếng Việt", "vi"),
        ("Türkçe cevap ver", "tr"),
    ],
)
def test_an_instruction_about_language_is_obeyed(instruction, lang):
    found = rewritten("What is a sponsor?", "A person who uploads.", instruction)
    assert (found.text, found.lang) == ("What is a sponsor?", lang)


def test_an_instruction_beside_a_question():
    found = rewritten(
        "what is a mentor", "A helper.", "in german?", "Ein Helfer.", "ok back to english, and it?"
    )
    assert (found.text, found.lang) == ("and it?", "en")


def test_instructions_set_no_topic():
    rewriter = FollowUpRewriter(ContextRewriter(lambda words: [1.0] * len(words)))
    found = rewritten(
        "what is a mentor", "A helper.", "in german?", "Ein Helfer.", "and a sponsor?",
        rewriter=rewriter,
    )  # fmt: skip
    assert "mentor" in found.text
    assert "german" not in found.text


def test_languages_are_never_mixed():
    found = rewritten("Is the first row frozen?", "Yes.", "pourquoi ?")
    assert found.text == "Is the first row frozen? Why?"
    assert found.lang == "fr"


@pytest.mark.parametrize(
    ("question", "follow_up", "alternative"),
    [
        ("What is a sponsor?", "how do I find one", "What is a sponsor. how do I find one"),
        ("keep the first row visible", "and off again?",
         "keep the first row visible? and off again?"),
        ("Peut-on figer une ligne ?", "et deux ?", "Peut-on figer une ligne ? et deux ?"),
        ("怎么算我活了多少天", "换成小时呢", "怎么算我活了多少天。换成小时呢"),
        ("行を固定するには？", "解除するには？", "行を固定するには？解除するには？"),
        ("как выбрать фигуру", "а с клавиатуры", "как выбрать фигуру. а с клавиатуры"),
        ("eksi sayılar kırmızı olsun", "sarı yapmak istesem?",
         "eksi sayılar kırmızı olsun? sarı yapmak istesem?"),
        ("ตรึงแถวแรกทำอย่างไร", "แล้วสองแถวล่ะ", "ตรึงแถวแรกทำอย่างไร แล้วสองแถวล่ะ"),
        ("كيف أجمد الصف؟", "وكيف ألغيه؟", "كيف أجمد الصف؟ وكيف ألغيه؟"),
        ("cố định hàng thế nào", "còn hai hàng?", "cố định hàng thế nào? còn hai hàng?"),
    ],
)  # fmt: skip
def test_a_follow_up_may_be_asked_with_the_question_before(question, follow_up, alternative):
    found = rewritten(question, "…", follow_up)
    assert found.text == follow_up
    (other,) = found.alternatives
    assert (other.text, other.alternatives) == (alternative, ())
    assert [(edit.text, edit.source_turn) for edit in other.edits] == [(question, 0)]


def test_a_chain_keeps_one_topic():
    found = rewritten("how much space do I need", "600 MB.", "and a gpu?", "No.", "install it then")
    assert [one.text for one in found.alternatives] == [
        "how do i install it then",
        "how much space do I need. install it then",
    ]
    asked = "is it free", "who wrote it", "why", "and how fast is it"
    chain = [turn for text in asked for turn in (text, "…")]
    found = rewritten("what is preseeding", "…", *chain, "where is it described")
    assert [one.text for one in found.alternatives] == [
        "where is preseeding described",
        "what is preseeding. where is it described",
    ]


class Unsure:
    """Leaves every question with this confidence."""

    def __init__(self, confidence):
        self.confidence = confidence

    def rewrite(self, conversations):
        return [
            Rewrite(one.question.text, one.lang, confidence=self.confidence, decision="leave")
            for one in conversations
        ]


@pytest.mark.parametrize(
    ("earlier", "before", "question"),
    [
        ("make the text bigger", "which key opens the overview", "and for the lock screen"),
        ("wie mache ich ein foto", "wie richte ich den drucker ein", "und beidseitig"),
        ("c'est quoi un vpn", "comment trouver l'adresse ip", "et l'externe"),
        ("que es un perfil de color", "como imprimo a doble cara", "y si no la encuentra"),
        ("что такое vpn", "как отменить печать", "а если он молчит"),
        ("什么是debian", "怎么安装软件包", "那配置文件呢"),
        ("debianとは何ですか", "印刷の順番を変える", "両面も"),
        ("vpn nedir", "yazıcı nasıl eklenir", "peki ya iki taraflı"),
        ("vpn là gì", "in hai mặt thế nào", "còn thứ tự trang thì sao"),
    ],
)
def test_a_fragment_is_asked_with_the_last_question(earlier, before, question):
    turns = earlier, "…", before, "…", question
    found = rewritten(*turns, rewriter=FollowUpRewriter(Unsure(0.5))).alternatives
    assert [edit.text for edit in found[-1].edits] == [before]
    assert not any(earlier in one.text for one in found)


@pytest.mark.parametrize(
    ("earlier", "before", "question"),
    [
        ("what is a boot loader", "which one is used", "how do i change it"),
        ("was ist ein profil", "wo finde ich das", "kann man es umbenennen"),
        ("c'est quoi un profil", "où sont-ils enregistrés", "comment le supprimer"),
        ("что такое профиль", "где он хранится", "как его удалить"),
        ("什么是配置文件", "它在哪", "怎么删除它"),
        ("プロファイルとは", "それはどこにありますか", "それを消すには"),
        ("profil nedir", "nerede saklanır bu", "onu nasıl silerim"),
        ("hồ sơ là gì", "nó nằm ở đâu", "làm sao xóa nó"),
        ("ما هو الملف الشخصي", "أين هو هذا", "كيف أحذف هذا"),
    ],
)
def test_a_question_that_refers_is_asked_with_the_topic(earlier, before, question):
    turns = earlier, "…", before, "…", question
    found = rewritten(*turns, rewriter=FollowUpRewriter(Unsure(0.3))).alternatives
    assert [edit.text for edit in found[-1].edits] == [earlier]
    assert not any(before in one.text for one in found)


@pytest.mark.parametrize(
    ("first", "question"),
    [
        ("what port does it listen on", "does it work with https"),
        ("auf welchem port läuft er", "kann er auch https"),
        ("sur quel port il écoute", "il gère aussi https"),
        ("它用哪个端口", "它支持https吗"),
        ("それはどのポートを使いますか", "それはhttpsに対応していますか"),
        ("на каком порту он работает", "он поддерживает https"),
        ("nó dùng cổng nào", "nó có hỗ trợ https không"),
        ("그것은 어떤 포트를 쓰나요", "그것은 https를 지원하나요"),
    ],
)
def test_what_the_first_question_refers_to_is_named_by_no_turn(first, question):
    linker = FollowUpRewriter(Unsure(0.3))
    found = rewritten(first, "…", question, rewriter=linker)
    assert (found.text, found.decision, found.alternatives) == (question, "leave", ())
    assert "no turn names" in found.reason


def test_what_the_first_question_names_is_referred_to():
    found = rewritten("what is a proxy", "…", "does it work with https", rewriter=WITH_PRONOUNS)
    assert "does proxy work with https" in [one.text for one in found.alternatives]


@pytest.mark.parametrize(
    ("decision", "text", "variants", "searched"),
    [
        ("rewrite", "When did the band end?", ("When did it end?",), ("When did the band end?",)),
        ("leave", "When did it end?", ("When did the band end?",), ("When did the band end?",)),
        ("leave", "When did it end?", (), ()),
    ],
)
def test_the_two_questions_are_searched_with_the_linked_one(decision, text, variants, searched):
    class Linked:
        def rewrite(self, conversations):
            return [
                Rewrite(text, "en", (), variants, 0.5, decision)
                if len(one.turns) > 1
                else Rewrite(one.question.text, "en")
                for one in conversations
            ]

    found = rewritten(
        "Who sang in the band?", "Ann.", "When did it end?", rewriter=FollowUpRewriter(Linked())
    )
    assert found.alternatives[-1].text == "Who sang in the band? When did it end?"
    assert found.alternatives[-1].variants == searched


def test_the_question_before_is_itself_made_self_contained():
    decided = FollowUpRewriter(Deciding(PronounRewriter()))
    found = rewritten(
        "Who were The Mothers?", "A band.", "When did they disband?", "In 1969.", "and in Europe?",
        rewriter=decided,
    )  # fmt: skip
    assert found.alternatives[0].text == "When did The Mothers disband? and in Europe?"


def test_what_was_said_before_the_topic_is_not_taken_up():
    class Seen:
        """Takes the words of the first turn that says anything."""

        def rewrite(self, conversations):
            said = [next(turn.text for turn in one.turns if turn.text) for one in conversations]
            return [
                Rewrite(f"{one.question.text} {first}", one.lang, (), (), 0.7, "rewrite")
                for one, first in zip(conversations, said, strict=True)
            ]

    texts = "how do i print a letter", "…", "what is a footnote", "…", "where is it"
    found = rewritten(*texts, rewriter=FollowUpRewriter(Seen()))
    assert found.text == "where is it what is a footnote"


class Deciding:
    """A rewriter that says of what it changed that it decided to."""

    def __init__(self, rewriter):
        self.rewriter = rewriter

    def rewrite(self, conversations):
        return [
            replace(one, decision="rewrite" if one.edits else "leave", confidence=0.6)
            for one in self.rewriter.rewrite(conversations)
        ]


class Adding:
    """A rewriter that adds words of the question before."""

    def rewrite(self, conversations):
        return [
            Rewrite(
                f"{one.question.text} of pencils",
                one.lang,
                (Edit("insert", "of pencils", 0, len(one.question.text)),),
                (one.question.text,),
                0.6,
                "rewrite",
            )
            for one in conversations
        ]


@pytest.mark.parametrize(
    ("question", "complete"),
    [
        ("how do i make a selection bigger", True),
        ("怎么把选区扩大十个像素？", True),
        ("как настроить сетевую карту", True),
        ("làm sao tạo usb khởi động", True),
        ("set the homepage", True),
        ("cambiar la fuente", True),
        ("保存页面", True),
        ("шрифт крупнее", True),
        ("and bigger?", False),
        ("how do i delete it", False),
        ("does it run on windows", True),
        ("by 90 degrees", False),
    ],
)
def test_a_question_that_was_only_added_to_may_be_complete(question, complete):
    before = question if complete else "how do i sharpen a pencil"
    found = rewritten(before, "…", question, rewriter=FollowUpRewriter(Adding()))
    texts = [one.text for one in (found, *found.alternatives)]
    assert (question in texts) == complete
    assert all(one.decision == "leave" for one in found.alternatives if one.text == question)


def test_an_instruction_is_no_question_before():
    found = rewritten("как шифровать раздел", "…", "по-английски", "…", "можно ли его поменять")
    assert [one.text for one in found.alternatives] == [
        "как шифровать раздел. можно ли его поменять"
    ]


def test_in_another_language_the_alternatives_are_asked_again():
    found = rewritten("What is a sponsor?", "…", "how do I find one", "…", "in French")
    assert found.text == "how do I find one"
    (other,) = found.alternatives
    assert (other.text, other.lang) == ("What is a sponsor. how do I find one", "fr")


def test_questions_in_two_languages_are_not_joined():
    assert rewritten("怎么冻结首行？", "…", "How do I print a document?").alternatives == ()
    assert rewritten("How do I print it?").alternatives == ()


def test_courtesies_are_not_asked_again():
    found = rewritten("Is the row frozen?", "Yes.", "Thanks!", "You're welcome!", "why?")
    assert found.text == "Is the row frozen? Why?"


@pytest.mark.parametrize("first", ["why?", "in French", "为什么？", "", "?"])
def test_without_a_question_before_nothing_changes(first):
    assert rewritten(first).text == first
    assert rewritten("Hi!", "Hello!", first).text == first


def test_a_long_chain_of_bare_follow_ups():
    texts = ["Is the row frozen?"] + ["Yes.", "why?"] * 40
    assert rewritten(*texts).text == "Is the row frozen? Why? Why? Why?"
    assert rewritten(*texts, *["Yes.", "in French"] * 2_000).text == "Is the row frozen?"


class Copying:
    """A rewriter that puts words of the first question in the place of a word."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def rewrite(self, conversations):
        return [self._rewrite(one) for one in conversations]

    def _rewrite(self, one):
        question = one.question.text
        at = question.find(self.old)
        if at < 0 or len(one.turns) == 1:
            return Rewrite(question, one.lang, decision="leave", confidence=0.5)
        text = question.replace(self.old, self.new, 1)
        edit = Edit("replace", self.new, 0, at, self.old)
        return Rewrite(text, one.lang, (edit,), (question,), 0.7, "rewrite")


@pytest.mark.parametrize(
    ("before", "question", "old", "new", "together"),
    [
        ("stitch ten panoramas over night", "all of them at once?", "them", "panoramas",
         "stitch ten panoramas over night? all of them at once?"),
        ("как закрепить вкладку", "закрыть её случайно можно?", "её", "вкладку",
         "как закрепить вкладку? закрыть её случайно можно?"),
        ("怎么写圆滑线", "它可以嵌套吗", "它", "圆滑线", "怎么写圆滑线。它可以嵌套吗"),
        ("كيف أحذف الصف", "هل يمكن استعادته", "ه", " الصف", "كيف أحذف الصف. هل يمكن استعادته"),
        ("làm sao xóa hàng", "khôi phục nó thế nào", "nó", "hàng",
         "làm sao xóa hàng. khôi phục nó thế nào"),
        ("sekmeyi nasıl kilitlerim", "onu kapatabilir miyim", "onu", "sekmeyi",
         "sekmeyi nasıl kilitlerim. onu kapatabilir miyim"),
    ],
)  # fmt: skip
def test_between_quotations_words_of_a_question_are_not_put_into_another(
    before, question, old, new, together
):
    rewriter = FollowUpRewriter(Copying(old, new))
    asked = conversation(before, "", question)
    (found,) = rewriter.rewrite([asked])
    linked = question.replace(old, new, 1)
    assert found.text == together
    assert linked in found.variants
    assert linked not in [one.text for one in found.alternatives]
    (read,) = rewriter.rewrite([conversation(before, "An answer without citations.", question)])
    assert read.text == linked


def test_between_quotations_names_are_put_into_a_question():
    rewriter = FollowUpRewriter(Copying("they", "the Mothers of Invention"))
    texts = "Who were the Mothers of Invention?", "", "When did they disband?"
    assert rewritten(*texts, rewriter=rewriter).text == (
        "When did the Mothers of Invention disband?"
    )
