import json

import pytest

from anaphora.datasets.camrest import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Turn


def turn(number, complete, ellipsis="", coreference="", reply="Tabii."):
    return {
        "turn": number,
        "usr": {
            "transcript": complete,
            "slu": [],
            "transcript_complete": complete,
            "transcript_with_ellipsis": ellipsis,
            "transcript_with_coreference": coreference,
        },
        "sys": {"sent": reply, "DA": []},
    }


def dialogue(number, *turns):
    return {"dialogue_id": number, "finished": True, "goal": {}, "dial": list(turns)}


TALK = dialogue(
    7,
    turn(0, "İyi bir lokanta arıyorum."),
    turn(1, "Lokantanın adresi ne?", "Adresi?", "Onun adresi ne?"),
    turn(2, "Lokanta açık mı?", "Açık mı?"),
)


def test_one_example_for_each_incomplete_version_and_one_for_a_complete_turn(write):
    path = write("CamRest676_annotated.json", [TALK])
    found = list(FORMAT.examples(path))
    assert FORMAT.recognises(path)
    assert [(e.id, e.question, e.rewrites) for e in found] == [
        ("7_0_none", "İyi bir lokanta arıyorum.", ("İyi bir lokanta arıyorum.",)),
        ("7_1_ellipsis", "Adresi?", ("Lokantanın adresi ne?",)),
        ("7_1_coreference", "Onun adresi ne?", ("Lokantanın adresi ne?",)),
        ("7_2_ellipsis", "Açık mı?", ("Lokanta açık mı?",)),
    ]
    assert found[3].conversation.history == (
        Turn("user", "İyi bir lokanta arıyorum."),
        Turn("assistant", "Tabii."),
        Turn("user", "Lokantanın adresi ne?"),
        Turn("assistant", "Tabii."),
    )
    assert found[2].tags == {"dialogue": "7", "turn": "1", "incompleteness": "coreference"}
    assert found[0].tags["incompleteness"] == "none"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"dialogue_id": 8}, 'item 2: "dial" is missing'),
        (dialogue(8, {"turn": 0}), 'item 2, dial 1: "usr" is missing'),
        (dialogue(8, turn(0, "")), 'item 2, dial 1, usr: "transcript_complete" is empty'),
        (dialogue(8, turn(0, "a", 5)), '"transcript_with_ellipsis" must be a string'),
        (dialogue(7, turn(1, "a", "b")), "gives the id '7_1_ellipsis' for the second time"),
        (dialogue(8, turn(0, "a", reply=None)), 'item 2, dial 1, sys: "sent" must be a string'),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write, bad, said):
    path = write("a.json", [TALK, bad])
    found = FORMAT.examples(path)
    assert [next(found).depth for _ in range(4)] == [1, 2, 2, 3]
    with pytest.raises(MalformedData) as error:
        list(found)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def test_a_file_cut_short(write):
    path = write("a.json", json.dumps([TALK, TALK])[:-30])
    with pytest.raises(MalformedData, match=r"a\.json, character \d+: .*cut short"):
        list(FORMAT.examples(path))


def test_other_files_are_not_taken_for_it(write, tmp_path):
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(write("a.json", [{"dial": []}]))
