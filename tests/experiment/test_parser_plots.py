"""The plots of an experiment: their figures are those of its results."""

import json
from statistics import median

import pytest

from plcfrs import Grammar
from plcfrs.experiment import Folder, load_experiment
from plcfrs.experiment.plots import parser_plots
from plcfrs.experiment.stages import run_stages

pytestmark = pytest.mark.full


@pytest.mark.usefixtures("done")
def test_figures_of_the_plots(run, write, small):
    run()
    results = run_stages(load_experiment(write(small)), Folder(run.folder))
    times, frequencies = parser_plots(results)
    assert [curve.name for curve in times.curves] == ["Tr", "Tr'"]
    lines = (run.folder / "parses" / "Tr.jsonl").read_text(encoding="utf-8").splitlines()
    seconds = [line["cpu_seconds"] for line in map(json.loads, lines) if len(line["tokens"]) == 9]
    curve = times.curves[0]
    assert dict(zip(curve.xs, curve.ys, strict=True))[9] == 1000 * median(seconds)
    assert list(curve.xs) == sorted({len(json.loads(line)["tokens"]) for line in lines})
    counts = sorted(Grammar.load(run.folder / "models" / "Tr.plcfrs").rules.values())[::-1]
    for rank, count in zip(frequencies.curves[0].xs, frequencies.curves[0].ys, strict=True):
        assert counts[int(rank) - 1] == count
    assert frequencies.curves[0].xs[-1] == len(counts)


def test_report_has_the_plots(run, small):
    run(small, plots=True)
    report = (run.folder / "report.html").read_text(encoding="utf-8")
    for title in ("CPU time by length", "Frequencies of binarized rules"):
        assert f"{title}</text>" in report
