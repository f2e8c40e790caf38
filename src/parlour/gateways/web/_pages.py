"""The browser client's files, where it has been built; a page that says how to where not."""

from pathlib import Path, PurePosixPath

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parent / "static"
ASSETS = "assets/"  # named after their content
INDEX = "index.html"
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
            return await self._files.get_response(path, request.scope)
        except HTTPException as error:
            return Response(status_code=error.status_code)
