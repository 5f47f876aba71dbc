import gzip
import json
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anaphora.datasets import json_stream
from anaphora.datasets.json_stream import (
    Record,
    json_items,
    json_lines,
    json_members,
    json_texts,
    lines,
)
from anaphora.errors import AnaphoraError, MalformedData

TEXTS = [
    "一行\u2028没完",
    "سطر\u0085واحد",
    "tiê\u0301ng Viê\u0323t",
    "строка\x0b",
    "ไทย",
    "🪷 한국어",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(params=[1, 2, 7, 1 << 16])
def chunk(request, monkeypatch):
    """Reads so many characters at a time: every border that a value can meet."""
    monkeypatch.setattr(json_stream, "_CHUNK", request.param)


class TestRecord:
    def record(self, **values):
        return Record(values, "set.json", "item 3")

    def test_fields(self):
        record = self.record(a=" x ", b=7, c=None, d=["p", "q"], e={"f": "g"}, h=[{"i": 1}])
        assert record.text("a") == " x "
        assert record.filled("a") == "x"
        assert (record.identity("a"), record.identity("b"), record.number("b")) == (" x ", "7", 7)
        assert record.text("c", "none") == record.text("z", "none") == "none"
        assert ("a" in record, "c" in record, "z" in record) == (True, False, False)
        assert record.texts("d") == ("p", "q")
        assert record.record("e").text("f") == "g"
        assert record.records("h")[0].number("i") == 1

    @pytest.mark.parametrize("read", ["text", "filled", "identity", "number", "texts", "records"])
    def test_a_missing_field_is_named(self, read):
        with pytest.raises(MalformedData, match=r'^set\.json, item 3: "z" is missing$'):
            getattr(self.record(), read)("z")

    @pytest.mark.parametrize(
        ("read", "value", "said"),
        [
            ("text", 1, "must be a string"),
            ("text", None, "must be a string"),
            ("filled", " \n", "is empty"),
            ("identity", True, "must be a string or a whole number"),
            ("identity", " ", "must be a string or a whole number"),
            ("identity", 1.5, "must be a string or a whole number"),
            ("number", True, "must be a whole number"),
            ("number", "1", "must be a whole number"),
            ("texts", ["a", 1], "must be a list of strings"),
            ("texts", "a", "must be a list of strings"),
            ("record", [], "must be an object"),
            ("records", [{}, 1], "must be a list of objects"),
        ],
    )
    def test_a_wrong_type_is_named(self, read, value, said):
        with pytest.raises(MalformedData, match=f'item 3: "z" {said}$'):
            getattr(self.record(z=value), read)("z")

    def test_places_nest(self):
        record = self.record(a=[{}, {"b": {}}])
        with pytest.raises(MalformedData, match=r'item 3, a 2, b: "c" is missing'):
            record.records("a")[1].record("b").text("c")


class TestLines:
    def test_only_a_newline_ends_a_line(self, write):
        path = write("a.txt", "\ufeff" + "\r\n".join([*TEXTS, "  ", "ende"]))
        assert list(lines(path)) == [*enumerate(TEXTS, 1), (8, "ende")]

    def test_json_lines_keep_what_a_text_holds(self, write_lines):
        path = write_lines("a.jsonl", [{"text": text} for text in TEXTS])
        assert [record.text("text") for record in json_lines(path)] == TEXTS
        assert [record.place for record in json_lines(path)] == [f"line {n}" for n in range(1, 7)]

    @pytest.mark.parametrize(
        ("bad", "said"),
        [
            ('{"text": "по', "is not JSON, or cut short"),
            ("[1]", "is not a JSON object"),
            ("[" * 10_000, "is not JSON, or cut short"),
        ],
    )
    def test_a_bad_line_fails_when_it_is_reached(self, write_lines, bad, said):
        path = write_lines("a.jsonl", [{"text": "до"}, bad])
        found = json_lines(path)
        assert next(found).text("text") == "до"
        with pytest.raises(MalformedData, match=rf"a\.jsonl, line 2: {said}"):
            next(found)

    def test_another_encoding(self, tmp_path):
        path = tmp_path / "a.jsonl"
        path.write_bytes(b"{}\n" + '{"text": "été"}\n'.encode("latin-1"))
        with pytest.raises(MalformedData, match=r"a\.jsonl, line 2: is not UTF-8"):
            list(json_lines(path))

    @pytest.mark.parametrize("read", [json_lines, json_items, json_texts, json_members])
    def test_no_file(self, read, tmp_path):
        with pytest.raises(AnaphoraError, match=r"none\.json cannot be read: No such file"):
            list(read(tmp_path / "none.json"))


@pytest.mark.usefixtures("chunk")
class TestArray:
    @pytest.mark.parametrize("indent", [None, 1])
    def test_items(self, write, indent):
        text = json.dumps([{"text": text} for text in TEXTS], ensure_ascii=False, indent=indent)
        path = write("a.json", f"\ufeff{text}\n")
        assert [record.text("text") for record in json_items(path)] == TEXTS
        assert [record.place for record in json_items(path)] == [f"item {n}" for n in range(1, 7)]

    def test_texts(self, write):
        assert list(json_texts(write("a.json", TEXTS))) == TEXTS
        assert list(json_texts(write("a.json", " [ ] "))) == []

    def test_items_and_members_under_a_key(self, write):
        inner = {"data": 1, "d": [[]]}
        path = write("a.json", {"version": [1, inner], "data": [{"a": 1}, {"a": 2}], "more": "x"})
        assert [record.number("a") for record in json_items(path, "data")] == [1, 2]
        assert list(json_members(path)) == list(json.loads(path.read_text()).items())
        path = write("a.json", {"x": 1, "data": {"ж": [1], "ü": {}}, "y": 2})
        assert list(json_members(path, "data")) == [("ж", [1]), ("ü", {})]

    def test_a_key_that_is_not_there(self, write):
        with pytest.raises(MalformedData, match='its outermost object: "data" is missing'):
            list(json_items(write("a.json", {"other": {"data": []}}), "data"))

    @pytest.mark.parametrize(
        ("text", "read", "said"),
        [
            ("{}", json_items, r"character 0: should be '\['"),
            ("[]", json_members, "character 0: should be '{'"),
            ("", json_items, r"character 0: should be '\['"),
            ("[1]", json_items, "item 1: is not a JSON object"),
            ("[1]", json_texts, "item 1: is not a string"),
            ("[{} {}]", json_items, "character 4: should be ','"),
            ("[{}] []", json_items, "character 5: should be the end of the file"),
            ('{"a" 1}', json_members, "character 5: should be ':'"),
            ("{1: 2}", json_members, "character 1: should be a name"),
            ('[{"a": nul}]', json_items, "character 7: is not JSON, or cut short"),
        ],
    )
    def test_what_is_no_json(self, write, text, read, said):
        with pytest.raises(MalformedData, match=rf"a\.json, {said}"):
            list(read(write("a.json", text)))

    def test_every_cut_is_noticed(self, write):
        text = json.dumps({"a": {"ü": [True, "é"]}, "data": [{"b": "ж"}, {"c": -1.5}], "z": 10})
        whole = write("whole.json", text)
        assert len(list(json_items(whole, "data"))) == 2
        for end in range(len(text)):
            path = write("cut.json", text[:end])
            with pytest.raises(MalformedData, match=r"cut\.json, (character|its outermost)"):
                list(json_items(path, "data"))

    def test_a_cut_fails_when_it_is_reached(self, write):
        found = json_items(write("a.json", '[{"a": 1}, {"a": '))
        assert next(found).number("a") == 1
        with pytest.raises(MalformedData, match=r"a\.json, character 17: is not JSON, or cut"):
            next(found)

    def test_the_first_byte_that_is_not_utf8_is_named(self, tmp_path):
        path = tmp_path / "a.json"
        start = '["日本", "'.encode()
        path.write_bytes(start + b'\xe9t\xe9"]')
        with pytest.raises(MalformedData, match=rf"a\.json, byte {len(start)}: is not UTF-8"):
            list(json_texts(path))
        path.write_bytes('["日'.encode()[:-1])
        with pytest.raises(MalformedData, match=r"a\.json, byte 2: is not UTF-8"):
            list(json_texts(path))

    def test_nested_too_deep(self, write):
        with pytest.raises(MalformedData, match="is nested too deep"):
            list(json_items(write("a.json", "[" * 100_000 + "]" * 100_000)))

    def test_packed(self, tmp_path):
        path = tmp_path / "a.json.gz"
        packed = gzip.compress(json.dumps(TEXTS).encode())
        path.write_bytes(packed)
        assert list(json_texts(path)) == TEXTS
        for broken in (packed[:-12], b"[]"):
            path.write_bytes(broken)
            with pytest.raises(MalformedData, match=r"a\.json\.gz, its end: is cut short"):
                list(json_texts(path))


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(values=st.dictionaries(st.text(), JSON, max_size=5), ascii_only=st.booleans())
@pytest.mark.usefixtures("chunk")
def test_members_are_as_the_whole_file_is(write, values, ascii_only):
    text = json.dumps(values, ensure_ascii=ascii_only)
    path = write("a.json", text.encode("utf-8", "ignore").decode())
    assert dict(json_members(path)) == json.loads(path.read_text("utf-8"))


def test_one_item_at_a_time_is_held(write):
    item = json.dumps({"text": "длинный текст " * 1000}, ensure_ascii=False)
    path = write("a.json", "[" + ",".join([item] * 1000) + "]")
    tracemalloc.start()
    try:
        assert sum(1 for _ in json_items(path)) == 1000
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < path.stat().st_size / 10


def test_what_is_wrong_in_the_middle_does_not_read_the_rest(write):
    path = write("a.json", '[{"a": oops}, ' + "1, " * 2_000_000 + "1]")
    tracemalloc.start()
    try:
        with pytest.raises(MalformedData, match="character 7: is not JSON"):
            list(json_items(path))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2_000_000
