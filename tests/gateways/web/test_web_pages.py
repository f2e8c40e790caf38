"""The files of the page: smaller for whoever can read them so, and sent once."""

from pathlib import Path

from tests.gateways.web.browsers import house

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
    assert (piece.status_code, piece.text) == (206, SCRIPT[:6])
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["vary"] == "accept-encoding"
    assert head.headers["content-length"] == packed.headers["content-length"]
    assert "content-encoding" not in picture.headers
    assert (rebuilt.status_code, rebuilt.text) == (200, "rebuilt")
