"""Tests of the evaluation of the stop detector."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.understanding import stop

HEAD = "language\tlabel\tauthor\tsentence\n"


def write(path: Path, *rows: str) -> Path:
    path.write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_evaluation_counts_stop_decisions_by_language_and_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(
        tmp_path / "some.tsv", "en\tnow\tann\tlet go of me", "en\tnow\tbob\tgood morning", "de\tnone\tann\thallo"
    )
    assert stop.main(as_json=True, file=[file]) == 0
    out, err = capsys.readouterr()
    figures = {figure["name"]: figure["value"] for figure in json.loads(out)["figures"]}
    assert (figures["en: now, sentences"], figures["en: now, stops now"], figures["en: authors"]) == (2, 50.0, 2)
    assert (figures["de: none, stops now or hold"], figures["en: now, stops now, 95 % bound"]) == (0.0, 2.532)
    assert "good morning" in err
    assert "let go of me" not in err


def test_totals_option_hides_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "some.tsv", "en\tnow\tann\tgood morning")
    assert stop.main(as_json=False, file=[file], totals=True) == 0
    out, err = capsys.readouterr()
    assert "| now      |     0 |     0 |     1 |" in out
    assert "good morning" not in out + err


@pytest.mark.parametrize("row", ["en\tmaybe\tann\tstop", "en\tnow\tann\t"])
def test_error_names_line_of_invalid_sentence(row: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"some\.tsv, line 2"):
        stop.load(write(tmp_path / "some.tsv", row))


def test_error_names_line_of_sentence_without_author(tmp_path: Path) -> None:
    file = tmp_path / "some.tsv"
    file.write_text("language\tlabel\tsentence\nen\tnow\tstop\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"some\.tsv, line 2: expected the columns language, label .*, author"):
        stop.load(file)


@pytest.mark.parametrize(("count", "total", "lower", "upper"), [(0, 100, 0.0, 0.0295), (100, 100, 0.9705, 1.0)])
def test_confidence_interval_has_exact_bounds(count: int, total: int, lower: float, upper: float) -> None:
    assert stop.interval(count, total) == pytest.approx((lower, upper), abs=1e-4)
