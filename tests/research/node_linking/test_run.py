"""The research trainer from files to figures, on a few talks that it can learn by heart."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from support.tiny_linking_models import DIALOGUES  # noqa: E402

from anaphora.errors import AnaphoraError  # noqa: E402
from anaphora.train import loop  # noqa: E402
from research.node_linking.__main__ import main, train_linking  # noqa: E402
from research.node_linking.fit import Recipe  # noqa: E402
from research.node_linking.sets import parts  # noqa: E402

NAMES = ["鲁迅", "老舍", "巴金", "茅盾", "沈从文", "张爱玲", "林语堂", "钱钟书"]
TINY = Recipe(
    encoder="bilstm", hidden=16, epochs=40, batch=160, warmup=4, average=0.9,
    heads_learning_rate=3e-3, learning_rate=3e-3, phrase_at_least=1000,
)  # fmt: skip


@pytest.fixture(scope="module")
def rewrite_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rewrite")
    rows = [f"你知道{name}吗\t知道\t他是谁\t{name}是谁\n" for name in NAMES]
    rows += [f"{name}是谁\t作家\t代表作呢\t{name}代表作呢\n" for name in NAMES]
    (folder / "train.txt").write_text("".join(rows * 3), "utf-8")
    (folder / "dev.txt").write_text("".join(rows[::3]), "utf-8")
    return folder


@pytest.fixture(scope="module")
def report(rewrite_set: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    torch.set_num_threads(1)
    out = tmp_path_factory.mktemp("out")
    recipe = replace(TINY, csf=True, rcf=True)
    found = train_linking(rewrite_set, out, recipe, None, out)
    assert json.loads((out / "report.json").read_text("utf-8")) == found
    assert len((out / "rewrites.txt").read_text("utf-8").splitlines()) == found["turns"][2]
    return found


def test_talks_are_learned_by_heart(report: dict[str, Any]) -> None:
    assert report["linker"]["EM"] > 0.8
    assert report["linker"]["TF"] > 0.8
    assert report["asked"]["EM"] == 0


def test_the_labels_can_say_everything_here(report: dict[str, Any]) -> None:
    assert report["labels"]["EM"] == report["labels"]["words covered"] == 1


def test_each_feature_has_a_factor_that_was_trained(report: dict[str, Any]) -> None:
    assert set(report["factors"]) == {"CSF", "RCF"}
    assert all(math.isfinite(one) and one != 1 for one in report["factors"].values())


def test_an_interrupted_run_ends_the_same(
    rewrite_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.set_num_threads(1)  # sums are in a fixed order
    recipe = replace(TINY, epochs=1, batch=60, checkpoint_seconds=0)
    straight = train_linking(rewrite_set, tmp_path / "a", recipe, None, tmp_path)

    class Stop(Exception):
        pass

    def save_and_stop(path: Path, step: int, *state: Any) -> None:
        save(path, step, *state)
        if step == 6:
            raise Stop

    save = loop._save
    with monkeypatch.context() as patch:
        patch.setattr(loop, "_save", save_and_stop)
        with pytest.raises(Stop):
            train_linking(rewrite_set, tmp_path / "b", recipe, None, tmp_path)
    assert not (tmp_path / "b" / "report.json").exists()
    assert train_linking(rewrite_set, tmp_path / "b", recipe, None, tmp_path) == straight
    a, b = (torch.load(tmp_path / name / "state.pt")["average"] for name in "ab")
    assert all(torch.equal(a[name], b[name]) for name in a)
    with pytest.raises(AnaphoraError, match="a training run with seed 7"):
        train_linking(rewrite_set, tmp_path / "b", replace(recipe, seed=8), None, tmp_path)


def test_the_command_ablates(
    rewrite_set: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = f"linking {rewrite_set} {tmp_path / 'out'} --ablation --encoder bilstm --hidden 8"
    monkeypatch.setattr("sys.argv", [*given.split(), "--epochs", "0.2", "--threads", "1"])
    main()
    rows = [line.split("|")[1].strip() for line in capsys.readouterr().out.splitlines()[-8:]]
    assert rows[-6:] == ["without", "csf", "rcf", "both", "as asked", "labels"]


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue[0])
def test_every_language_goes_through(dialogue: tuple[str, ...], tmp_path: Path) -> None:
    line = "\t".join(dialogue[1:]) + "\n"
    for name in ("train", "test"):
        (tmp_path / f"{name}.txt").write_text(line * 40, "utf-8")
    recipe = replace(TINY, epochs=1, hidden=4)
    found = train_linking(tmp_path, tmp_path / "out", recipe, None, tmp_path)
    assert found["turns"] == [39, 1, 40]
    assert found["labels"]["EM"] is not None


def test_a_single_file_is_split_by_dialogue(tmp_path: Path) -> None:
    turn = {
        "usr": {
            "transcript_complete": "Where is the Nandos restaurant?",
            "transcript_with_ellipsis": "Where is it?",
            "transcript_with_coreference": "Where is that?",
        },
        "sys": {"sent": "In the south."},
    }
    dialogues = [
        {"dialogue_id": number, "dial": [{"turn": at, **turn} for at in range(3)]}
        for number in range(20)
    ]
    path = tmp_path / "task.json"
    path.write_text(json.dumps(dialogues, indent=1), "utf-8")
    found = parts(path, 7)
    sides = [
        {one.tags["dialogue"] for one in group} for group in (found.train, found.tune, found.report)
    ]
    assert [len(side) for side in sides] == [14, 2, 4]
    assert not (sides[0] & sides[1])
    versions = [one.tags["incompleteness"] for one in found.train]
    assert len(versions) == 14 * 3
    assert set(versions) == {"ellipsis", "coreference"}
    assert not (sides[1] & sides[2])
    assert not (sides[0] & sides[2])
    assert found.lang == "en"


def test_a_folder_without_a_test_file(tmp_path: Path) -> None:
    for name in ("train", "more"):
        (tmp_path / f"{name}.txt").write_text(
            "鲁迅是谁\t作家\t代表作呢\t鲁迅代表作呢\n" * 9, "utf-8"
        )
    with pytest.raises(AnaphoraError, match="called train and one called test or dev"):
        parts(tmp_path, 7)
