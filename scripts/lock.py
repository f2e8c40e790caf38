#!/usr/bin/env python3
"""Write requirements/*.txt anew from pyproject.toml: versions and sha256 hashes, no addresses.

Needs `uv` on the PATH. Pins stay as they are unless pyproject.toml rules them out;
`scripts/lock.py --upgrade` takes the newest of everything.
"""

import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = "# Written by scripts/lock.py from pyproject.toml. Do not edit.\n"
COMPILE = [
    *("uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"),
    *("--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate"),
]


def lock(name: str, requirements: list[str], options: list[str]) -> None:
    """Pin `requirements` and all that they need in requirements/<name>.txt."""
    target = ROOT / "requirements" / f"{name}.txt"
    target.parent.mkdir(exist_ok=True)
    subprocess.run(
        [*COMPILE, *options, "--output-file", str(target), "-"],
        input="\n".join(requirements),
        text=True,
        check=True,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    target.write_text(HEADER + target.read_text())


def main(options: list[str]) -> None:
    """Lock what running needs, then the same pins with what checking adds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    lock("run", run, options)
    check = [*run, *project["dependency-groups"]["check"]]
    lock("check", check, ["--constraints", "requirements/run.txt", *options])
    fuzz = project["dependency-groups"]["fuzz"]
    lock("fuzz", fuzz, ["--constraints", "requirements/check.txt", *options])
    lock("node", project["dependency-groups"]["node"], options)


if __name__ == "__main__":
    main(sys.argv[1:])
