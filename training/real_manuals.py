"""Makes the real manuals of training/README.md from packages that lie unpacked in a folder.

    python training/real_manuals.py PACKAGES OUT

Each folder in PACKAGES is a package as `dpkg -x` unpacks it; those of packages.jsonl that are from
PyPI and npm are called PACKAGE-VERSION. OUT gets a folder for each language.
It is then indexed, `anaphora index OUT/LANG --index INDEXES/LANG`. The program yelp-build, of the
package yelp-tools, makes pages of GNOME's help.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from anaphora.language import identify

GNOME = {
    "ar": "ar", "de": "de", "en": "C", "es": "es", "fi": "fi", "fr": "fr", "it": "it", "ja": "ja",
    "ko": "ko", "pt": "pt_BR", "ru": "ru", "tr": "tr", "vi": "vi", "zh": "zh_CN",
}  # fmt: skip
"""The languages, and what they are called in GNOME's packages."""
PACKAGES = (
    "gnome-user-docs", "evolution-common", "eog", "cheese-common", "totem-common",
    "gnome-calculator", "file-roller", "simple-scan",
    "gnome-terminal-data", "baobab", "orca", "gnome-system-monitor", "vinagre", "gnome-sudoku",
    "seahorse", "evince-common", "gnome-boxes", "gnome-clocks", "gnome-music", "polari", "pitivi",
    "accerciser", "deja-dup", "epiphany-browser-data", "shotwell-common", "gnome-chess",
    "gnome-mines", "five-or-more", "quadrapassel", "iagno", "gnome-nibbles", "bijiben",
    "gthumb-data", "drawing", "meld", "modem-manager-gui-help",
)  # fmt: skip
"""Of GNOME. Where two packages have a page, the later one's is kept."""
APACHE = {"pt": "pt-br", "zh": "zh-cn"}
DJANGO = "python-django-doc/usr/share/doc/python-django-doc/html"
ENGLISH = (
    ("apache", "apache2-doc/usr/share/doc/apache2-doc/manual/en", 110),
    ("django", f"{DJANGO}/topics", 70),
    ("django", f"{DJANGO}/howto", 70),
    ("django", f"{DJANGO}/faq", 70),
    ("sqlite", "sqlite3-doc/usr/share/doc/sqlite3/*", 60),
    ("rustbook", "rust-doc/usr/share/doc/rust-doc/html/book/*", 60),
    ("bind", "bind9-doc/usr/share/doc/bind9-doc/arm", 18),
    ("borg", "borgbackup-doc/usr/share/doc/borgbackup/html", 45),
    ("celery", "python-celery-doc/usr/share/doc/python-celery-doc/html/userguide", 18),
    ("cmake", "cmake-doc/usr/share/doc/cmake-data/html/manual/*", 25),
    ("cups", "cups-server-common/usr/share/cups/doc-root/help", 45),
    ("flask", "python-flask-doc/usr/share/doc/python-flask-doc/html", 45),
    ("imagemagick", "imagemagick-6-doc/usr/share/doc/imagemagick-6-common/html/www/*", 45),
    ("keystone", "keystone-doc/usr/share/doc/keystone-doc/html/admin", 30),
    ("mkdocs", "mkdocs-doc/usr/share/doc/mkdocs/html/user-guide", 12),
    ("nodejs", "nodejs-doc/usr/share/doc/nodejs/api", 25),
    ("nova", "nova-doc/usr/share/doc/nova-doc/html/user", 18),
    ("nova", "nova-doc/usr/share/doc/nova-doc/html/admin/*", 30),
    ("ntpsec", "ntpsec-doc/usr/share/doc/ntpsec-doc/html", 45),
    ("pandas", "python-pandas-doc/usr/share/doc/python-pandas-doc/html/user_guide", 27),
    ("racket", "racket-doc/usr/share/doc/racket/guide", 45),
    ("sklearn", "python-sklearn-doc/usr/share/doc/python-sklearn-doc/html/modules/*", 30),
    ("sphinx", "sphinx-doc/usr/share/doc/sphinx-doc/html/usage", 30),
    ("sqlalchemy", "python-sqlalchemy-doc/usr/share/doc/python-sqlalchemy-doc/html/orm", 25),
    ("sqlalchemy", "python-sqlalchemy-doc/usr/share/doc/python-sqlalchemy-doc/html/faq", 9),
    ("swiprolog", "swi-prolog-doc/usr/share/swi-prolog/doc/Manual", 40),
    ("zsh", "zsh-doc/usr/share/doc/zsh-common/html", 45),
    ("beets", "beets-doc/usr/share/doc/beets/html", 25),
    ("csvkit", "csvkit-doc/usr/share/doc/csvkit/html", 20),
    ("cyrus", "cyrus-doc/usr/share/doc/cyrus-doc/html", 20),
    ("ganeti", "ganeti-doc/usr/share/doc/ganeti/html/*", 12),
    ("kea", "kea-doc/usr/share/doc/kea/html/arm", 12),
    ("krb5", "krb5-doc/usr/share/doc/krb5-doc/admin", 20),
    ("krb5", "krb5-doc/usr/share/doc/krb5-doc/user", 10),
    ("mapproxy", "mapproxy-doc/usr/share/doc/mapproxy/html", 16),
    ("mopidy", "mopidy-doc/usr/share/doc/mopidy/html/*", 12),
    ("mopidy", "mopidy-doc/usr/share/doc/mopidy/html/installation", 6),
    ("ocrmypdf", "ocrmypdf-doc/usr/share/doc/ocrmypdf/html/*", 16),
    ("openvswitch", "openvswitch-doc/usr/share/doc/openvswitch-doc/html/howto", 12),
    ("openvswitch", "openvswitch-doc/usr/share/doc/openvswitch-doc/html/faq", 10),
    ("patroni", "patroni-doc/usr/share/doc/patroni/html", 16),
    ("pgbackrest", "pgbackrest-doc/usr/share/doc/pgbackrest-doc/html", 6),
    ("scrapy", "python-scrapy-doc/usr/share/doc/python-scrapy-doc/html/topics", 20),
    ("scons", "scons-doc/usr/share/doc/scons/HTML", 24),
    ("supervisor", "supervisor-doc/usr/share/doc/supervisor/html", 14),
    ("varnish", "varnish-doc/usr/share/doc/varnish/html/users-guide", 24),
    ("varnish", "varnish-doc/usr/share/doc/varnish/html/tutorial", 7),
    ("bashguide", "abs-guide/usr/share/doc/abs-guide/html", 24),
    ("freedombox", "freedombox-doc-en/usr/share/freedombox/manual/en", 40),
    ("erlang", "erlang-doc/usr/share/doc/erlang-doc/doc/getting_started", 8),
    ("erlang", "erlang-doc/usr/share/doc/erlang-doc/lib/ssh-4.15.2/doc/html", 8),
    ("ghc", "ghc-doc/usr/share/doc/ghc-doc/html/users_guide/*", 12),
    ("glance", "glance-doc/usr/share/doc/glance-doc/html/admin", 14),
    ("neutron", "neutron-doc/usr/share/doc/neutron-doc/html/admin/*", 18),
    ("swift", "swift-doc/usr/share/doc/swift-doc/base/admin", 12),
    ("swift", "swift-doc/usr/share/doc/swift-doc/base/*", 10),
    ("heat", "heat-doc/usr/share/doc/heat-doc/html/template_guide", 10),
    ("tomcat", "tomcat10-docs/usr/share/tomcat10-docs/docs/*", 24),
    ("ant", "ant-doc/usr/share/doc/ant/manual/*", 14),
    ("ant", "ant-doc/usr/share/doc/ant/manual/Tasks", 24),
)
"""Of the manuals in English: their names, folders and numbers of pages that are drawn. With /* at
its end, only the pages of the folder itself are."""
KICAD = {"de", "en", "es", "fr", "ja", "ru", "zh"}
LISTED = Path(__file__).with_name("packages.jsonl")
"""The pages of other manuals: one JSON object a line, with the pages of a package."""
_LOCALES = {
    "es": "es-ES", "fr": "fr-FR", "it": "it-IT", "ja": "ja-JP", "ko": "ko-KR", "pt": "pt-BR",
    "ru": "ru-RU", "tr": "tr-TR", "zh": "zh-CN",
}  # fmt: skip
_HELP = re.compile(r"<script[^>]*data-help-name=[\"']([^\"']+)[\"'][^>]*>(.*?)</script>", re.DOTALL)
_LEFT_OUT = re.compile("legal|genindex|search|license|copyright|print|mod_.*module")
_LARGEST = 1_500_000
"""Bytes of a page."""
_SHORTEST = 300
_IDENTIFIED = 1500
"""Characters of a page, after its first quarter, whose language is identified."""


class Source(NamedTuple):
    """The pages in a folder; at most `most` of them are drawn.

    Attributes:
        name: the manual's name, empty if the folder has several, each in a folder of its name.
    """

    folder: Path
    name: str = ""
    deep: bool = True
    most: int | None = None


def sources(lang: str, packages: Path, gnome: Path) -> Iterator[Source]:
    """What is read in a language."""
    docs = "usr/share/doc"
    yield Source(gnome)
    if lang == "en":
        for name, folder, most in ENGLISH:
            deep = not folder.endswith("/*")
            yield Source(packages / folder.removesuffix("/*"), name, deep, most)
    else:
        manual = packages / "apache2-doc" / docs / "apache2-doc/manual"
        yield Source(manual / APACHE.get(lang, lang), "apache")
    if lang == "es":
        spanish = packages / "freedombox-doc-es/usr/share/freedombox/manual/es"
        yield Source(spanish, "freedombox", most=40)
    if lang in KICAD:
        yield Source(packages / f"kicad-doc-{lang}" / docs / "kicad/help" / lang, "kicad")


def make_gnome_pages(packages: Path, lang: str, out: Path) -> None:
    """Writes the help of GNOME's programs in a language as HTML."""
    for package in PACKAGES:
        for manual in sorted((packages / package / "usr/share/help" / GNOME[lang]).glob("*/")):
            folder = out / manual.name
            folder.mkdir(parents=True, exist_ok=True)
            book = manual / "index.docbook"
            source = book if book.exists() else manual
            # Of a page with an error the others are made.
            subprocess.run(
                ["yelp-build", "html", "-o", folder, source], capture_output=True, check=False
            )


def copy_pages(source: Source, lang: str, out: Path) -> int:
    """Copies the pages of a source that have a text in a language, and returns their number."""
    pages = sorted(source.folder.rglob("*.html") if source.deep else source.folder.glob("*.html"))
    if source.most:
        pages = random.Random(1).sample(pages, min(len(pages), source.most))
    copied = 0
    for page in pages:
        if (
            _LEFT_OUT.search(page.name)
            or page.is_symlink()
            or page.stat().st_size > _LARGEST
            or not is_in(lang, page)
        ):
            continue
        to = out / source.name / page.relative_to(source.folder)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(page, to)
        copied += 1
    return copied


def listed_packages() -> list[tuple[dict[str, Any], str]]:
    """The lines of packages.jsonl, each with the folder of its package."""
    lines = [json.loads(line) for line in LISTED.read_text("utf-8").splitlines()]
    return [
        (line, line["package"] if line["registry"] == "Debian" else versioned(line))
        for line in lines
    ]


def versioned(line: dict[str, Any]) -> str:
    return f"{line['package'].replace('@', '').replace('/', '-')}-{line['version']}"


def copy_listed(packages: Path, out: Path) -> None:
    """Copies the pages that packages.jsonl lists."""
    for line, folder in listed_packages():
        for page in line["pages"]:
            to = out / line["lang"] / line["manual"] / folder / page
            to.parent.mkdir(parents=True, exist_ok=True)
            if line.get("made") == "electron":
                to.with_name(to.name + ".html").write_text(
                    electron_page(packages / folder, line["lang"], page), "utf-8"
                )
            elif line.get("made") == "node-red":
                to.write_text(help_page((packages / folder / page).read_text("utf-8")), "utf-8")
            else:
                to.write_bytes(unpacked(packages / folder / page))


def unpacked(page: Path) -> bytes:
    """A page, which Debian may have compressed, and whose name may lack an ending."""
    packed = page.with_name(page.name + ".gz")
    if packed.exists():
        return gzip.decompress(packed.read_bytes())
    return (page if page.exists() else page.with_suffix("")).read_bytes()


def electron_page(folder: Path, lang: str, page: str) -> str:
    """A page of Electron's documentation: newer versions have its HTML, older ones its sections."""
    newer = folder / "dist" / "docs.json"
    pages = json.loads((newer if newer.exists() else folder / "index.json").read_text("utf-8"))
    found = pages.get("docs", pages)[_LOCALES[lang]]["/" + page]
    text = found.get("html") or "\n".join(
        part.get("markdown") or part.get("html", "") for part in found.get("sections", [])
    )
    return text if "<h1" in text[:300] else f"<h1>{found['title']}</h1>\n{text}"


def help_page(text: str) -> str:
    """The help on the nodes of Node-RED in one of its files."""
    parts = (f"<h1>{name}</h1>\n{help_}" for name, help_ in _HELP.findall(text))
    return "<html><body>\n" + "\n".join(parts) + "\n</body></html>\n"


def is_in(lang: str, page: Path) -> bool:
    """Whether a page has a text that is in a language."""
    text = re.sub(
        r"<(script|style|head).*?</\1>", " ", page.read_text("utf-8", "replace"), flags=re.DOTALL
    )
    text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))
    start = len(text) // 4
    return len(text) >= _SHORTEST and identify(text[start : start + _IDENTIFIED]) == lang


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packages", type=Path, metavar="PACKAGES")
    parser.add_argument("out", type=Path, metavar="OUT")
    options = parser.parse_args()
    if not shutil.which("yelp-build"):
        parser.error("the program yelp-build is missing; install the package yelp-tools")
    others = [f"kicad-doc-{lang}" for lang in sorted(KICAD)]
    others += sorted({folder.partition("/")[0] for _, folder, _ in ENGLISH})
    others += sorted({folder for _, folder in listed_packages()})
    missing = [one for one in [*PACKAGES, *others] if not (options.packages / one).is_dir()]
    if missing:
        parser.error(f"{options.packages} lacks {', '.join(missing)}")
    for lang in GNOME:
        with TemporaryDirectory() as temporary:
            gnome = Path(temporary)
            make_gnome_pages(options.packages, lang, gnome)
            counts = [
                copy_pages(source, lang, options.out / lang)
                for source in sources(lang, options.packages, gnome)
            ]
        print(f"{lang}: {sum(counts):,} pages")
    copy_listed(options.packages, options.out)


if __name__ == "__main__":
    main()
