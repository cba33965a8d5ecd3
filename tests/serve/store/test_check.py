"""Each kind of damage is found, and told in one line."""

import pytest
from sqlalchemy import text

from tertium.serve.store.check import check_store
from tertium.serve.store.texts import packed
from tests.support.serve.site import Site

DAMAGE = {
    "UPDATE text SET sha256 = 'x' WHERE id = 1": "text 1: found another hash",
    "UPDATE text SET lines = 9 WHERE id = 1": "text 1: found 3 lines, expected 9",
    "UPDATE text SET data = :broken WHERE id = 1": "text 1: cannot be read",
    "UPDATE text SET data = :other WHERE id = 1": "text 1: found 1 line, expected 3",
    "UPDATE test_set SET segments = 4 WHERE id = 1": "test set 1: found 3 sources, expected 4",
    "UPDATE output SET sha256 = 'x' WHERE id = 1": "output 1: found another hash than that of its",
    "UPDATE output SET number = 2 WHERE id = 1": "system 1: found 1 output, numbered up to 2",
    "UPDATE job SET state = 'running' WHERE id = 1": "job 1: is running, but no worker has it",
    "UPDATE job SET worker = 'w' WHERE state = 'done'": "is over, but a worker has it",
    "INSERT INTO score (output_id, spec, version, signature, columns, rows, value, created_at) "
    "VALUES (1, 'bleu', '1', 's', 2, :other, 0, "
    "'2026-01-01 00:00:00+00:00')": "bytes of rows, expected 48",
    "INSERT INTO annotation_event (test_set_id, target_kind, target_id, annotator, segment, "
    "action, start, \"end\", type, origin, at, client_key) VALUES (1, 'output', 77, 'a', 3, 'add', "
    "0, 2, 'person', 'hand', '2026-01-01 00:00:00+00:00', 'k')": "segment 3 of 3",
    "INSERT INTO annotation_file (test_set_id, target_kind, target_id, annotator, name, format, "
    "sha256, data, sent_by, at) VALUES (1, 'output', 1, 'a', 'n', 'muc', 'x', :other, 'a', "
    "'2026-01-01 00:00:00+00:00')": "annotation_file 1: found another hash",
}


def test_a_store_as_it_was_written_is_clean(any_site: Site) -> None:
    checked = check_store(any_site.store)
    assert checked.problems == ()
    assert checked.clean
    assert (checked.rows["project"], checked.rows["text"]) == (2, 3)


@pytest.mark.parametrize("statement", DAMAGE, ids=DAMAGE.values())
def test_damage_is_found(any_site: Site, statement: str) -> None:
    values = {
        name: value
        for name, value in {"broken": b"no zlib", "other": packed(["one"]).data}.items()
        if f":{name}" in statement
    }
    with any_site.store.writing() as session:
        session.execute(text(statement), values)
    checked = check_store(any_site.store)
    assert not checked.clean
    assert any(DAMAGE[statement] in one for one in checked.problems), checked.problems


def test_rows_that_name_nothing_are_found(site: Site) -> None:
    with site.store.engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.exec_driver_sql("DELETE FROM text WHERE id = 1")
        connection.exec_driver_sql("PRAGMA foreign_keys=ON")
        connection.exec_driver_sql("BEGIN")
    found = check_store(site.store).problems
    assert "output.text_id: 1 row without its text" in found
    assert "test_set.sources_text_id: 1 row without its text" in found
