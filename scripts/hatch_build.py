"""The wheel's build hook: the browser client is built into the package."""

import importlib.util
import pathlib
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BrowserClientHook(BuildHookInterface[Any]):
    """Runs scripts/build_web.py; an editable install, which ./run makes first, does without."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        web = pathlib.Path(self.root) / "web/package-lock.json"
        if version == "editable" or not web.exists():
            return
        script = pathlib.Path(self.root) / "scripts/build_web.py"
        spec = importlib.util.spec_from_file_location("build_web", script)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.build_alone()
