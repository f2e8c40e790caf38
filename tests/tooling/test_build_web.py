"""The browser client is built when it must be, and only then; npm is a script that takes notes."""

import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NPM = """#!/bin/sh
echo "$*" >>"$NOTES"
case "$*" in
ci*) mkdir -p node_modules ;;
"run build") mkdir -p ../src/parlour/gateways/web/static ;;
esac
exit "${NPM_EXIT:-0}"
"""
CI, BUILD = "ci --no-audit --no-fund", "run build"


class Tree:
    """A checkout with the script, a client to build, and an npm on the PATH."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        (root / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/build_web.py", root / "scripts")
        for folder in ("web/src", "web/examples", "bin"):
            (root / folder).mkdir(parents=True)
        for name in ("index.html", "package.json", "package-lock.json", "tsconfig.json"):
            (root / "web" / name).write_text("{}")
        (root / "web/vite.config.ts").touch()
        for name, text in (("npm", NPM), ("node", "#!/bin/sh\necho v20.19.0\n")):
            (root / "bin" / name).write_text(text)
            (root / "bin" / name).chmod(0o755)

    def build(self, *options: str, **variables: str) -> tuple[int, list[str], str]:
        """The exit status, what npm was asked for, and what was said."""
        notes = self.root / "notes"
        notes.write_text("")
        env = {"PATH": f"{self.root / 'bin'}:/usr/bin:/bin", "NOTES": str(notes), **variables}
        command = [sys.executable, str(self.root / "scripts/build_web.py"), *options]
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        assert done.stdout == ""
        return done.returncode, notes.read_text().splitlines(), done.stderr


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> Tree:
    return Tree(tmp_path)


def test_the_first_build_installs_and_the_second_has_nothing_to_do(tree: Tree) -> None:
    status, asked, said = tree.build()
    again = tree.build()

    assert (status, asked) == (0, [CI, BUILD])
    assert said == "parlour: building the browser client ...\n"
    assert again == (0, [], "")


def test_a_changed_source_is_built_and_a_changed_lock_installed(tree: Tree) -> None:
    tree.build()
    (tree.root / "web/src/new.ts").touch()
    source = tree.build()
    (tree.root / "web/package-lock.json").write_text("{ }")
    lock = tree.build()

    assert [source[1], lock[1]] == [[BUILD], [CI, BUILD]]


def test_a_failure_is_told_and_tried_again(tree: Tree) -> None:
    status, asked, said = tree.build(NPM_EXIT="3")
    again = tree.build()

    assert (status, asked) == (1, [CI])
    assert "the browser client is not built: `npm ci" in said
    assert again[:2] == (0, [CI, BUILD])


def test_a_check_tests_what_is_built_already(tree: Tree) -> None:
    tree.build()

    assert tree.build("--check")[:2] == (0, ["run format", "run types", "test"])


@pytest.mark.parametrize(
    "node", ["#!/bin/sh\necho v18.0.0\n", "for another machine\n"], ids=["too old", "foreign"]
)
def test_a_node_of_no_use_is_not_used(tree: Tree, node: str) -> None:
    (tree.root / "bin/node").write_text(node)

    status, asked, said = tree.build(PATH=str(tree.root / "bin"))  # and to no other

    assert (status, asked) == (1, [])
    assert "no Node.js here, bringing one" in said
    assert "Traceback" not in said


def test_a_tree_without_a_client_has_nothing_to_build(tree: Tree) -> None:
    shutil.rmtree(tree.root / "web")

    assert tree.build() == (0, [], "")
