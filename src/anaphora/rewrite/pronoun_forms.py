"""The pronouns of the target languages, and how an entity is written in the place of each.

Left out is what is as often something else: "sie" at a sentence's beginning, "es" in German, "le"
in French, Spanish and Portuguese "lo".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from anaphora.rewrite.pronoun_cases import (
    arabic_to,
    begins_with_vowel,
    finnish_genitive,
    french_of,
    german_genitive,
    korean,
    spanish_article,
    turkish,
)

Write = Callable[["re.Match[str]", str], str]
"""What stands in the place of a match for an entity."""

_PLAIN: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "ar": (
        ("فيه فيها فيهم", "في {}"),
        ("منه منها منهم", "من {}"),
        ("عنه عنها عنهم", "عن {}"),
        ("عليه عليها عليهم", "على {}"),
        ("إليه إليها إليهم", "إلى {}"),
        ("معه معها معهم", "مع {}"),
        ("بعده بعدها", "بعد {}"),
        ("قبله قبلها", "قبل {}"),
    ),
    "de": (("er sie ihn ihm ihnen", "{}"),),
    "en": (("he him she they them it", "{}"), ("his its their theirs hers", "{}'s")),
    "es": (("él ella ellos ellas", "{}"),),
    "fi": (("hän he se ne", "{}"),),
    "hi": (
        ("वह वो वे", "{}"),
        ("उसका उनका इसका इनका", "{} का"),
        ("उसकी उनकी इसकी इनकी", "{} की"),
        ("उसके उनके इसके इनके", "{} के"),
        ("उसे उन्हें इसे इन्हें उसको उनको इसको", "{} को"),
        ("उसने उन्होंने इसने इन्होंने", "{} ने"),
        ("उससे उनसे इससे इनसे", "{} से"),
        ("उसमें उनमें इसमें इनमें", "{} में"),
        ("उसपर उनपर इसपर", "{} पर"),
    ),
    "it": (("lui lei egli essi", "{}"),),
    "pt": (
        ("ele ela eles elas", "{}"),
        ("dele dela deles delas", "de {}"),
        ("nele nela neles nelas", "em {}"),
    ),
    "ru": (("он она они его её ее их ему ей него неё нее них нём нем ней ним ними", "{}"),),
    "tr": (("onlar", "{}"),),
    "vi": (("nó họ", "{}"), ("ông_ấy bà_ấy anh_ấy cô_ấy chị_ấy bọn_họ", "{}")),
}

_NOUN: Final = r"(?P<noun>\w[\w’'-]*)"
_NEXT_IS_A_WORD: Final = r"(?=\s+\w)"
_SAYS_NOTHING: Final = r"(?!(?:['’]s)?\s+(?:true|possible|likely|said|raining|snowing|that)\b)"

_FRENCH_SAYS_NOTHING: Final = (
    r"(?!\s+(?:n['’])?(?:y\s|existe|faut|pleut|suffit|convient|s['’]agit|se passe|possible|vrai|"
    r"nécessaire|important|obligatoire|utile|normal|est (?:possible|vrai|nécessaire|important))\b)"
)

_SPECIAL: Final[dict[str, tuple[tuple[str, Write], ...]]] = {
    "ar": (
        (r"\b(?:له|لها|لهم)\b", lambda match, name: arabic_to(name)),
        (r"\b(?:به|بها|بهم)\b", lambda match, name: f"ب{name}"),
        (r"(?<=هل )(?:هو|هي|هم)\b", lambda match, name: name),
    ),
    "de": (
        (
            r"\b(?:sein|ihr)(?:e|en|em|er|es)?\s+(?=\w)",
            lambda match, name: f"{german_genitive(name)} ",
        ),
    ),
    "en": (
        (rf"\bher{_NEXT_IS_A_WORD}(?!\s+(?:in|at|on|to|for|with|from|by|and|or|when|after|before|a|the"
         r"|an|as|so|that|this|into|about|during|while)\b)", lambda match, name: f"{name}'s"),
        (r"\bher\b", lambda match, name: name),
        (r"\b(?:this|that|these|those)(?=\s*[?.!]*\s*$)", lambda match, name: name),
    ),
    "es": (
        (
            rf"\b(?P<poss>sus?)\s+{_NOUN}",
            lambda match, name: (
                f"{spanish_article(match['noun'], match['poss'])} {match['noun']} de {name}"
            ),
        ),
    ),
    "fi": (
        (r"\b(?:hänen|heidän|sen|niiden)\b", lambda match, name: finnish_genitive(name)),
    ),
    "fr": (
        # The pronoun of an inverted question stays and the name goes before the verb.
        (
            r"^(?P<asks>(?:(?:depuis |jusqu['’]à )?quand|comment|où|d['’]où|pourquoi|combien)\s+)?"
            r"(?!existe|faut|pleut|suffit|convient)(?P<verb>\w+)"
            rf"(?=-(?:t-)?(?:ils?|elles?)\b{_FRENCH_SAYS_NOTHING})",
            lambda match, name: f"{match['asks'] or ''}{name} {match['verb'].lower()}",
        ),
        (
            rf"\bqu['’](?:(?:il|elle)s?)\b{_FRENCH_SAYS_NOTHING}",
            lambda match, name: f"qu’{name}" if begins_with_vowel(name) else f"que {name}",
        ),
        (
            rf"(?<![\w'’-])(?:ils?(?=\s+\w)|elles?(?![\w-])){_FRENCH_SAYS_NOTHING}",
            lambda match, name: name,
        ),
        (rf"\b(?:son|sa|ses|leurs)\s+{_NOUN}", lambda match, name: _french(match, name)),
    ),
    "it": (
        (rf"\b(?:suo|sua|suoi|sue|loro)\s+{_NOUN}", lambda m, name: f"{m['noun']} di {name}"),
    ),
    "ja": (
        ("彼女たち|彼女ら|彼女|彼ら|彼(?!岸|方)|それら|それ(?!ぞれ|から|で|に|以|な|とも)|そこ",
         lambda match, name: name),
        ("その(?!後|他|ほか|まま|時|とき|うち|ため|場|上|頃|ころ|よう)",
         lambda match, name: f"{name}の"),
    ),
    "ko": (
        (
            "(?<![가-힣])(?:그녀|그들|그것|이것|저것|그곳|이곳|거기)(?P<josa>은|는|이|가|을|를|의|"
            "에게서|에게|에서는|에서|에는|에|와|과|도|까지|부터|으로|로)?(?![가-힣])"
            "|(?<![가-힣])그(?P<josa_he>는|가|를|의|에게|와|도)(?![가-힣])"
            "|(?<![가-힣])거기(?P<josa_there>서)(?![가-힣])",
            lambda match, name: korean(
                name,
                "에서" if match["josa_there"] else match["josa"] or match["josa_he"] or "",
            ),
        ),
    ),
    "pt": (
        (
            rf"\b(?:[oa]s?\s+)?s(?:eu|ua)s?\s+{_NOUN}",
            lambda match, name: _portuguese(match, name),
        ),
    ),
    "th": (
        ("พวกเขา|(?<=ของ)(?:เขา|มัน|เธอ|ท่าน)", lambda match, name: name),
        ("^(?:เขา|มัน|เธอ|ท่าน)(?=เกิด|เป็น|มี|คือ|อยู่|ทำ|ได้|เขียน|แต่ง|สร้าง|ตาย|เสีย|เริ่ม|เปิด|ถูก|ใช้|จะ|เคย)",
         lambda match, name: name),
    ),
    "tr": (
        (r"^o(?=\s+(?:ne|kim|kaç|nasıl|hangi|niçin|neden)\w*)", lambda match, name: name),
        (r"\b(?:onun|bunun|onların|bunların)\b", lambda match, name: turkish(name, "genitive")),
        (r"\b(?:onu|bunu|onları|bunları)\b", lambda match, name: turkish(name, "accusative")),
        (r"\b(?:ona|buna|onlara)\b", lambda match, name: turkish(name, "dative")),
        (r"\b(?:onda|bunda|onlarda)\b", lambda match, name: turkish(name, "locative")),
        (r"\b(?:ondan|bundan|onlardan)\b", lambda match, name: turkish(name, "ablative")),
    ),
    "zh": (("(?<![其吉])[他她它牠](?:们|們)?(?!人|乡|鄉)", lambda match, name: name),),
}  # fmt: skip

_NOT_AFTER: Final = {"vi": r"(?<!dòng )(?<!tên )", "en": ""}
_NOT_BEFORE: Final = {"en": _SAYS_NOTHING, "vi": r"(?!\s+tên\b)"}


@lru_cache(maxsize=32)
def forms(lang: str) -> tuple[tuple[re.Pattern[str], Write], ...]:
    """The pronouns of a language as patterns, each with how an entity takes its place; none for a
    language without a table."""
    found: list[tuple[re.Pattern[str], Write]] = []
    for pattern, write in _SPECIAL.get(lang, ()):
        found.append((re.compile(pattern, re.IGNORECASE), write))
    for words, template in _PLAIN.get(lang, ()):
        either = "|".join(word.replace("_", r"\s+") for word in words.split())
        pattern = (
            rf"{_NOT_AFTER.get(lang, '')}(?<![\w\u0900-\u0963-])(?:{either})(?![\w\u0900-\u0963])"
            rf"{_NOT_BEFORE.get(lang, '')}"
        )
        # In German the polite "Sie" and "Ihnen" have a capital.
        flags = 0 if lang == "de" else re.IGNORECASE
        found.append((re.compile(pattern, flags), _filled(template)))
    return tuple(found)


def is_pronoun(word: str, lang: str) -> bool:
    """Whether a word by itself stands for an entity, alone or with an adposition.

    >>> is_pronoun("उसमें", "hi"), is_pronoun("Sie", "de"), is_pronoun("Он", "ru")
    (True, False, True)
    """
    return _cased(word, lang) in _adpositions(lang)


def adpositions(word: str, lang: str) -> tuple[str, str]:
    """What a pronoun says before and after the entity that it stands for.

    >>> adpositions("उसमें", "hi"), adpositions("dela", "pt"), adpositions("он", "ru")
    (('', 'में'), ('de', ''), ('', ''))
    """
    return _adpositions(lang).get(_cased(word, lang), ("", ""))


def possessed(word: str, noun: str, name: str, lang: str) -> tuple[str, str] | None:
    """What stands before and behind a noun, the name following, that has a possessive; None for
    what is none.

    >>> possessed("sus", "obras", "Frida Kahlo", "es"), possessed("son", "âge", "Édith", "fr")
    (('las', 'de'), ('l’', 'd’'))
    """
    for pattern, write in forms(lang):
        match = pattern.fullmatch(f"{word} {noun}")
        if match and "noun" in match.groupdict():
            before, _, behind = write(match, name).removesuffix(name).partition(match["noun"])
            return before.strip(), behind.strip()
    return None


def all_adpositions() -> frozenset[str]:
    """Those of all languages."""
    pairs = [pair for lang in _PLAIN if lang != "en" for pair in _adpositions(lang).values()]
    return frozenset(text for pair in pairs for text in pair if text)


@lru_cache(maxsize=32)
def _adpositions(lang: str) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for words, template in _PLAIN.get(lang, ()):
        before, after = template.split("{}")
        for word in words.split():
            found[word.replace("_", " ")] = before.strip(), after.strip()
    return found


def _cased(word: str, lang: str) -> str:
    # In German the polite "Sie" and "Ihnen" have a capital.
    return unicodedata.normalize("NFC", word if lang == "de" else word.lower())


def _filled(template: str) -> Write:
    return lambda match, name: template.format(name)


def _french(match: re.Match[str], name: str) -> str:
    noun, possessive = match["noun"], match[0].split()[0].lower()
    if possessive in ("ses", "leurs"):
        article = "les "
    elif begins_with_vowel(noun):
        article = "l’"
    else:
        article = "la " if possessive == "sa" else "le "
    return f"{article}{noun} {french_of(name)}"


def _portuguese(match: re.Match[str], name: str) -> str:
    article = {"seu": "o", "sua": "a", "seus": "os", "suas": "as"}[match[0].split()[-2].lower()]
    return f"{article} {match['noun']} de {name}"
