"""The files of the page: smaller for whoever can read them so, and sent once."""

import sys
from pathlib import Path

import pytest

from tests.gateways.web.browsers import house
from tests.gateways.web.deaf import deaf

SCRIPT = "export const word = 'parlour';\n" * 1000


async def test_texts_are_sent_compressed_to_whoever_reads_that(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>client</title>")
    (tmp_path / "main.js").write_text(SCRIPT)
    (tmp_path / "dot.png").write_bytes(b"\x89PNG" + bytes(1000))
    plain = {"Accept-Encoding": "gzip;q=0, identity"}
    async with house(client=tmp_path) as doors, doors.guest() as alice:
        packed = await alice.http.get("/main.js")
        whole = await alice.http.get("/main.js", headers=plain)
        piece = await alice.http.get("/main.js", headers={"Range": "bytes=0-5"})
        known = {"If-None-Match": packed.headers["etag"]}
        again = await alice.http.get("/main.js", headers=known)
        head = await alice.http.head("/main.js")
        picture = await alice.http.get("/dot.png")
        (tmp_path / "main.js").write_text("rebuilt")
        rebuilt = await alice.http.get("/main.js", headers=known)

    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(SCRIPT) / 10
    assert packed.text == whole.text == SCRIPT
    assert "content-encoding" not in whole.headers
    assert packed.headers["vary"] == whole.headers["vary"] == "accept-encoding"
    assert packed.headers["content-type"] == whole.headers["content-type"]
    assert packed.headers["etag"] != whole.headers["etag"]
    assert (piece.status_code, piece.text) == (200, SCRIPT)
    assert "accept-ranges" not in whole.headers
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["vary"] == "accept-encoding"
    assert head.headers["content-length"] == packed.headers["content-length"]
    assert "content-encoding" not in picture.headers
    assert (rebuilt.status_code, rebuilt.text) == (200, "rebuilt")


@pytest.mark.skipif(sys.platform != "linux", reason="it says there which files are open")
async def test_who_does_not_read_a_file_keeps_none_open(tmp_path: Path) -> None:
    (tmp_path / "index.html").touch()
    script = tmp_path / "main.js"
    script.write_text(SCRIPT * 100)
    asked = b"GET /main.js HTTP/1.1\r\nHost: a\r\n\r\n"
    async with house(client=tmp_path) as doors, deaf(doors, asked):
        opened = [one.readlink() for one in Path("/proc/self/fd").iterdir() if one.is_symlink()]

    assert script not in opened
