"""From files to passages: finds, reads and splits files.

>>> from pathlib import Path
>>> from tempfile import mkdtemp
>>> folder = Path(mkdtemp()) / "docs"
>>> folder.mkdir()
>>> _ = (folder / "guide.md").write_text("# Guide\\n\\nPress the red key to stop the machine.")
>>> for found in find_files([folder], skip=folder / ".anaphora"):
...     for document in read(found.path, found.doc_id):
...         for passage in split(document):
...             print(passage.passage_id, passage.section, passage.text)
docs/guide.md#1 ('Guide',) Press the red key to stop the machine.

A new format is one module with a function from bytes or a path to `Content`, one line in
`kinds.SUFFIXES` and one in `reading`.
"""

from anaphora.ingest.content import Skipped
from anaphora.ingest.reading import read
from anaphora.ingest.splitting import split
from anaphora.ingest.walk import Found, find_files, path_text

__all__ = ["Found", "Skipped", "find_files", "path_text", "read", "split"]
