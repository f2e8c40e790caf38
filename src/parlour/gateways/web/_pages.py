"""The browser client's files, where it has been built; a page that says how to where not."""

import gzip
import re
from functools import lru_cache
from pathlib import Path, PurePosixPath

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parent / "static"
ASSETS = "assets/"  # named after their content
INDEX = "index.html"
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.I)  # in Accept-Encoding
TEXTS = (".css", ".html", ".js", ".svg")  # what gzip makes smaller
UNBUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Parlour</title></head><body>
<h1>Parlour</h1>
<p>The server runs, and the browser client has not been built.</p>
<p>Start the server by <code>./run</code>, which builds it, or build it by hand:
<code>npm ci &amp;&amp; npm run build</code> in the folder <code>web/</code>.</p>
<p>The API works without it: <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</body></html>
"""


class Pages:
    """Serves the files below `folder`, and the client's one page for every address of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = StaticFiles(directory=folder, check_dir=False)

    async def page(self, request: Request) -> Response:
        """The file at an address."""
        if not (self._folder / INDEX).is_file():
            return HTMLResponse(UNBUILT)
        path = request.path_params["path"] or INDEX
        if not PurePosixPath(path).suffix:
            path = INDEX
        response = await self._file(path, request)
        kept = path.startswith(ASSETS) and response.status_code < 400
        response.headers["cache-control"] = (
            "public, max-age=31536000, immutable" if kept else "no-cache"
        )
        return response

    async def _file(self, path: str, request: Request) -> Response:
        try:
            found = await self._files.get_response(path, request.scope)
        except HTTPException as error:
            return Response(status_code=error.status_code)
        if not isinstance(found, FileResponse):
            if PurePosixPath(path).suffix in TEXTS:
                found.headers["vary"] = "accept-encoding"
            return found
        return _kept(found, request.headers.get("accept-encoding", ""))


def _kept(found: FileResponse, accepted: str) -> Response:
    """The same from memory: an open file for each who does not read would be somebody's last.

    It is whole: a range may be ignored (RFC 9110, 14.2), and a build's largest file has 100 kB.
    """
    path = Path(found.path)
    headers = dict(found.headers)
    del headers["content-length"], headers["accept-ranges"]
    is_text = path.suffix in TEXTS
    packed = is_text and GZIP.search(accepted) is not None
    if is_text:
        headers["vary"] = "accept-encoding"
    if packed:
        # Another form of the same (RFC 9110, 8.8.1): it may not pass for the same bytes.
        headers |= {"content-encoding": "gzip", "etag": f"W/{headers['etag']}"}
    content = _content(path, path.stat().st_mtime_ns, packed)
    return Response(content, found.status_code, headers)


@lru_cache(maxsize=64)
def _content(path: Path, changed: int, packed: bool) -> bytes:
    """What is in the file since it was `changed`; a build has some twenty of them."""
    plain = path.read_bytes()
    return gzip.compress(plain, mtime=0) if packed else plain
