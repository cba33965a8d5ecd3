"""Ratings of real campaigns on their segments."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.meta.agreement.agreement_table import agree
from tertium.meta.agreement.shared_systems import metric_scores, systems_as_rated
from tertium.meta.ratings.files import read_judgments, read_ratings
from tertium.meta.ratings.rating_sets import Rankings, Ratings
from tertium.meta.spans.files import read_spans
from tertium.meta.spans.segments import RatedCorpus, with_texts
from tertium.metrics.contract.table import parse_metric
from tertium.scored.scored import scored
from tertium.text.corpus import Corpus, System
from tests.support.meta.shuffled_exports import (
    shared_corpus,
    shuffled_campaign,
)
from tests.support.meta.span_files import (
    appraise_file,
    left_out,
)
from tests.support.ratings import write


@pytest.mark.shared
class TestShared:
    def test_every_system_of_wmt24s_second_wave_has_the_expected_mean(
        self, shared_data: Path, shared_oracles: Path
    ) -> None:
        text = (shared_oracles / "esa" / "wmt24-wave2.tsv").read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        expected = {
            ({"ces": "en-cs", "hin": "en-hi"}[row["target"]], row["system"]): row
            for row in csv.DictReader(lines, delimiter="\t")
        }
        assert len(expected) == 27
        export = shared_data / "wmt24" / "humeval" / "esa_wave2.csv.gz"
        for one in read_ratings(export, criteria=["esa"]):
            assert isinstance(one, Ratings)
            said = one.judgments()
            for number, (system, mean) in enumerate(zip(said.systems, said.values, strict=True)):
                row = expected.pop((one.name, system))
                own = one.value[one.system == number]
                assert len(own) == int(row["ratings"])
                assert own.mean() == pytest.approx(float(row["mean_of_ratings"]), abs=1e-6)
                assert mean == pytest.approx(float(row["mean_of_segments"]), abs=1e-6)
        assert not expected

    @pytest.mark.parametrize("documents", [False, True])
    def test_chrf_agrees_with_wmt24s_czech_ratings_of_segments(
        self, shared_data: Path, *, documents: bool
    ) -> None:
        texts = shared_corpus(shared_data / "wmt24", "en-cs", documents=documents)
        export = shared_data / "wmt24" / "humeval" / "esa_wave2.csv.gz"
        (one,) = read_judgments(export, pair="en-cs", criteria=["esa"], texts=texts)
        assert one.located
        systems = systems_as_rated(texts.systems, [one])
        (chrf,) = metric_scores(scored(texts.corpus, systems, [parse_metric("chrf")]))
        found = agree(one, chrf, measures=["segment-pearson-none"], resample=None)
        assert found.measured[0].value == pytest.approx(0.252, abs=0.001)

    def test_every_error_of_wmt24_fits_its_text(self, shared_data: Path) -> None:
        """As it could not if the ratings were on other segments."""
        export = shared_data / "wmt24" / "humeval" / "esa_wave2.csv.gz"
        for pair in ("en-cs", "en-hi"):
            texts = shared_corpus(shared_data / "wmt24", pair)
            (marked,) = read_spans(export, pair=pair)
            laid = with_texts(marked, texts.corpus, texts.systems)
            assert len(laid) > 2500
            assert sum(span.placed for span in laid.spans) > 1500
            assert "offsets beyond the text, cut to it" not in left_out(laid)

    def test_wmt23s_ratings_in_tasks_of_parts_of_documents_are_all_found(
        self, shared_data: Path, tmp_path: Path
    ) -> None:
        """The real ratings of MQM, shuffled into tasks that number their items."""
        folder = shared_data / "wmt23"
        (said,) = read_judgments(folder / "human-scores" / "zh-en.mqm.seg.score")
        texts = shared_corpus(folder, "zh-en")
        sources = (folder / "sources" / "zh-en.txt").read_text(encoding="utf-8").splitlines()
        rows, batches = shuffled_campaign(said, texts, sources)
        path = appraise_file(tmp_path, rows)
        with pytest.raises(InputError, match=r"5 items of document .* expected the whole"):
            read_judgments(path, texts=texts)
        tasks = write(tmp_path, "batches.json", json.dumps(batches))
        (found,) = read_judgments([path, tasks], texts=texts)
        assert found.segments is not None
        assert said.segments is not None
        assert found.ratings == len(rows) > 15_000
        for system, values in zip(found.systems, found.segments, strict=True):
            original = said.segments[said.systems.index(system)]
            rated = ~np.isnan(values)
            assert np.array_equal(values[rated], original[rated])

    def test_every_text_of_wmt10s_jcml_is_found(self, shared_data: Path) -> None:
        folder = shared_data / "wmt10"
        systems = tuple(
            System(name=one.name, hypotheses=one.read_text(encoding="utf-8").splitlines())
            for one in sorted((folder / "system-outputs").iterdir())
        )
        references = (folder / "reference.en").read_text(encoding="utf-8").splitlines()
        texts = RatedCorpus(Corpus(references=references), systems)
        for name, count in (("de-en", 1050), ("de-en-public", 2559)):
            path = folder / f"{name}.jcml.gz"
            (numbered,) = read_ratings(path)
            (located,) = read_ratings(path, texts=texts)
            assert isinstance(numbered, Rankings)
            assert isinstance(located, Rankings)
            assert located.rankings == numbered.rankings == count
            by_number, by_text = numbered.comparisons.segment, located.comparisons.segment
            assert by_number.tolist() == by_text.tolist()

    def test_equal_outputs_of_wmt08_are_tied_at_their_items(self, shared_data: Path) -> None:
        """Which shows that items count from 0: one line off, only a third of them are."""
        folder = shared_data / "wmt08"
        (one,) = read_ratings(
            folder / "judgments.csv.gz", pair="de-en", testset="news", criteria=["rank"]
        )
        assert isinstance(one, Rankings)
        texts = {
            path.name.removeprefix("de-en.newstest2008."): path.read_text(encoding="utf-8").split(
                "\n"
            )
            for path in (folder / "system-outputs").glob("de-en.*")
        }
        shares = {}
        for offset in (0, -1):
            ties = []
            said = one.comparisons
            rows = zip(said.segment, said.better, said.worse, said.tie, strict=True)
            for segment, better, worse, tie in rows:
                first, second = (texts.get(one.systems[i]) for i in (better, worse))
                line = segment + offset
                if first and second and line >= 0 and first[line] == second[line]:
                    ties.append(bool(tie))
            shares[offset] = np.mean(ties)
        assert shares[0] > 0.9
        assert shares[-1] < 0.6
