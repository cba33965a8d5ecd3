"""Pages of test sets, as they come from the server."""

import re

import pytest

from tests.support.serve.evaluations import BETTER, REFERENCE, WORSE
from tests.support.serve.site import Site

SETS = "/api/v1/projects/own/test-sets"
PAGE = "/projects/own/test-sets/evil"
HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}"


@pytest.fixture
def hostile(site: Site) -> Site:
    """A test set in which every field is an attack."""
    client = site.client("editor")
    texts = REFERENCE.replace("house", HOSTILE)
    about = {"name": HOSTILE, "slug": "evil", "licence": HOSTILE, "note": HOSTILE,
             "source_language": "de", "target_language": "en"}  # fmt: skip
    labels = f"{HOSTILE}\t{HOSTILE}\n" * 6 + "b\tc\n" * 6
    files = [
        ("references", (f"{HOSTILE}.txt", texts)),
        ("sources", ("s.txt", texts)),
        ("documents", ("d.tsv", labels)),
    ]
    assert client.post(SETS, data=about, files=files).status_code == 201
    for system, text in ((HOSTILE, WORSE), (HOSTILE, BETTER), ("plain", WORSE)):
        fields = {"system": system, "note": HOSTILE, "tags": f"{HOSTILE}, nightly build"}
        sent = client.post(f"{SETS}/evil/outputs", data=fields, files={"file": ("o.txt", text)})
        assert sent.status_code == 201, sent.text
    return site


@pytest.mark.parametrize(
    "path",
    ["/projects/own", "/projects/own/new-test-set", "/projects/own/explain", PAGE,
     f"{PAGE}/compare", f"{PAGE}/segments", f"{PAGE}/settings", f"{PAGE}/systems/SYSTEM"],
)  # fmt: skip
def test_no_text_is_taken_for_html(hostile: Site, path: str) -> None:
    client = hostile.client("editor")
    systems = client.get(f"{SETS}/evil/systems").json()
    found = client.get(path.replace("SYSTEM", str(systems[0]["id"])))
    assert found.status_code == 200, found.text
    assert "<script>alert" not in found.text
    assert "49" not in re.findall(r"&amp;(\w+)", found.text)
    assert "style=" not in found.text
    assert not re.search(r"\son\w+=", found.text)
    assert "http://" not in found.text.replace("http://HOST:PORT", "")
    assert "https://" not in found.text


def test_the_answer_comes_first(hostile: Site) -> None:
    page = hostile.client("reader").get(PAGE).text
    assert page.index('class="say"') < page.index('id="score-table"') < page.index("License:")
    assert "±" in page
    assert "Upload an output" not in page


def test_names_that_run_to_the_left_turn_no_sentence_around(hostile: Site) -> None:
    client = hostile.client("editor")
    for name, text in (("מערכת א", BETTER), ("מערכת", WORSE)):
        fields = {"system": name}
        client.post(f"{SETS}/evil/outputs", data=fields, files={"file": ("o.txt", text)})
    page = client.get(PAGE).text
    headline = re.search(r'<h2 class="say"[^>]* dir="ltr">(.*?)</h2>', page)
    assert headline is not None
    assert "\u2068מערכת א\u2069" in headline[1]
    systems = {
        one["name"]: one["outputs"][0]["id"] for one in client.get(f"{SETS}/evil/systems").json()
    }
    pair = f"first={systems['מערכת']}&second={systems['מערכת א']}"
    page = client.get(f"{PAGE}/compare?{pair}").text
    assert "\u2068מערכת א\u2069 and \u2068מערכת\u2069: no significant difference" in page


def test_pages_before_there_is_anything(site: Site) -> None:
    client = site.client("editor")
    made = client.post(SETS, data={"name": "Empty"}, files={"references": ("r.txt", "a\nb\n")})
    assert made.status_code == 201
    page = client.get("/projects/own/test-sets/empty")
    assert "No system yet" in page.text
    compare = client.get("/projects/own/test-sets/empty/compare")
    assert "nothing to compare yet" in compare.text
    segments = client.get("/projects/own/test-sets/empty/segments")
    assert "No output yet" in segments.text
    assert '<a class="btn primary" href="/projects/own/test-sets/empty#send">' in segments.text
    assert "segments.js" not in segments.text
    one = client.post(
        f"{SETS}/empty/outputs", data={"system": "a"}, files={"file": ("o.txt", "a\nb\n")}
    )
    assert one.status_code == 201
    assert client.get("/projects/own/test-sets/empty").status_code == 200
    assert client.get("/projects/own/test-sets/empty/segments").status_code == 200


def test_tags_may_have_spaces(hostile: Site) -> None:
    client = hostile.client("editor")
    first = client.get(f"{SETS}/evil/systems").json()[0]
    assert first["outputs"][0]["tags"] == [HOSTILE, "nightly build"]
    page = client.get(f"{PAGE}/systems/{first['id']}").text
    assert "<bdi>nightly build</bdi>" in page


def test_who_only_reads_sees_no_buttons(hostile: Site) -> None:
    page = hostile.client("reader").get(PAGE).text
    for word in ("Settings", "Make a report", "data-method"):
        assert word not in page.replace("Log out", "").split("<main")[1]


def test_segments_begin_with_the_best_two(hostile: Site) -> None:
    """The best is the first system of the test set; it is B, as on the page of a comparison."""
    assert 'data-best="1,0"' in hostile.client("reader").get(f"{PAGE}/segments").text
