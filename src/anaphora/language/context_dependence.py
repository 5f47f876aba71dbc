"""Questions that lean on what was said before: pronouns, pointing words, "and …?"."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from anaphora.records import UNKNOWN

# Words that stand for something said before. Left out where the same word is as often something
# else: "es" and "das" in German, "le" and "en" in French, "هي" in Arabic, "其" in Chinese.
_POINTING: Final = {
    "ar": "ذلك تلك هذا هذه هؤلاء هناك فيه فيها منه منها به بها له لها لهم عنه عنها",
    "de": "er sie ihm ihn ihnen ihr ihre ihrem ihren ihrer sein seine seinem seinen seiner dieser "
    "diese dieses diesem diesen jener davon dazu dafür damit dabei dort dann",
    "en": "he him his she her hers it its they them their theirs this that these those there then "
    "one ones another else same",
    "es": "él ella ellos ellas su sus suyo suya este estos esa ese esas esos eso esto aquel "
    "aquella ahí allí entonces",
    "fi": "hän hänen häntä hänellä se sen sitä siitä siinä siihen sillä ne niiden niitä niistä "
    "niissä tämä tämän tätä nämä tuo tuon nuo siellä sieltä silloin",
    "fr": "il ils elle elles lui leur leurs eux ce cet cette ces cela ça celui celle ceux celles "
    "son sa ses alors",
    "hi": "वह वे उस उसे उसका उसकी उसके उन उन्हें उनका उनकी उनके यह ये इस इसे इसका इसकी इसके इन इनका "
    "वहाँ वहां तब",
    "it": "lui lei loro egli essi esse suo sua suoi sue questo questa questi queste quello quella "
    "quelli quelle ciò allora",
    "ko": "그것 그것은 그것을 그녀 그녀는 그들 그들은 그들의 그의 그는 그가 그를 이것 이것은 저것 "
    "거기 거기서 그곳 그때 그런",
    "pt": "ele ela eles elas seu sua seus suas dele dela deles delas isso isto esse essa esses "
    "essas este estes aquele aquela lá ali então",
    "ru": "он она оно они его её ее их ему ей им ним ней нём нем них этот эта эти этого этой этих "
    "этом этому тот та те того той тех там тогда",
    "tr": "onu onun ona ondan onlar onları onların onlara bu bunu bunun buna bunda bunlar şu orada",
    "vi": "nó họ ấy đó đấy này kia vậy",
}

# Words that begin a question which goes on from the one before.
_JOINING: Final = {
    "ar": "وماذا ومتى وأين وكيف ومن وهل ولماذا وكم وما و ثم لكن",
    "de": "und aber oder",
    "en": "and but or so what's_about what_about how_about",
    "es": "y e pero o entonces",
    "fi": "entä ja mutta entäs",
    "fr": "et mais ou",
    "hi": "और लेकिन तो फिर",
    "it": "e ed ma o invece",
    "ko": "그럼 그러면 그리고 그런데 하지만",
    "pt": "e mas ou então",
    "ru": "а и но или",
    "tr": "peki ya ve ama",
    "vi": "còn và thế nhưng vậy",
}

# In writing without spaces a word cannot be looked up, only found.
_UNSPACED: Final = {
    "zh": r"[他她它]|这|那|這|(?:呢|的话)[？?。\s]*$",
    "ja": r"それ|これ|その|この|あの|そこ|彼|(?:は|も)[？?。\s]*$|^(?:では|じゃ|また)",
    "th": r"พวกเขา|นั้น|นี้|นั่น|ล่ะ|^แล้ว|^และ",
}

_WORD: Final = re.compile(r"[\w'’\u0300-\u036f\u0900-\u0963]+")


def is_context_dependent(text: str, lang: str) -> bool:
    """Whether a question points back: by a pronoun, a pointing word, or by how it begins.

    Languages without a list are looked up in English.

    >>> is_context_dependent("When did they disband?", "en"), is_context_dependent("¿Y en 1998?", "es")
    (True, True)
    >>> is_context_dependent("什么是猫？", "zh")
    False
    """
    text = unicodedata.normalize("NFC", text).casefold()
    if lang in _UNSPACED:
        return re.search(_UNSPACED[lang], text) is not None
    if lang == UNKNOWN or lang not in _POINTING:
        lang = "en"
    words = [word.strip("'’") for word in _WORD.findall(text)]
    if not words:
        return False
    joining = _words(_JOINING[lang])
    if words[0] in joining or "_".join(words[:2]) in joining:
        return True
    pointing = _words(_POINTING[lang])
    return any(part in pointing for word in words for part in (word, *re.split("['’]", word)))


@lru_cache(maxsize=64)
def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())
