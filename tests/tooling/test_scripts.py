"""`./run` and `./check` from nothing, in a throw-away tree with a program of three lines."""

import os
import pathlib
import shutil
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ["cat", "cmp", "dirname", "id", "sed", "sh"]
PROGRAM = '''"""Say how it was called."""

import sys

import msgspec

assert msgspec.__name__
print(sys.argv[1:])
'''


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> pathlib.Path:
    """The scripts as they are now, around a small program."""
    tree = tmp_path / "tree"
    package = tree / "src/parlour"
    package.mkdir(parents=True)
    for name in ("run", "check", "pyproject.toml", "LICENSE", "README.md"):
        shutil.copy(ROOT / name, tree)
    for name in ("scripts", "requirements"):
        shutil.copytree(ROOT / name, tree / name)
    for ours in (ROOT / "src/parlour").rglob("__init__.py"):  # the import laws name them
        folder = package / ours.parent.relative_to(ROOT / "src/parlour")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text('"""Nothing yet."""\n')
    (package / "__main__.py").write_text(PROGRAM)
    return tree


def environment(tmp_path: pathlib.Path, **changes: str) -> dict[str, str]:
    """The caller's environment, with a home and a scratch folder that show what is written."""
    for name in ("home", "scratch"):
        (tmp_path / name).mkdir(exist_ok=True)
    own = {"HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "scratch")}
    return {**os.environ, **own, **changes}


def call(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, env=env)


def bare_path(tmp_path: pathlib.Path, python: str | None) -> str:
    """A PATH with the plainest tools and, as python3, a script that says `python`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        (folder / tool).symlink_to(shutil.which(tool) or pytest.fail(f"no {tool} here"))
    if python is not None:
        (folder / "python3").write_text(f"#!/bin/sh\n{python}\n")
        (folder / "python3").chmod(0o755)
    return str(folder)


@pytest.mark.parametrize("script", ["run", "check"])
@pytest.mark.parametrize(
    ("python", "advice"),
    [
        (None, "needs Python 3.11 or newer"),
        ("exit 1", "needs Python 3.11 or newer"),
        ('case "$2" in *ensurepip*) exit 1 ;; esac', "install the package python3-venv"),
    ],
    ids=["no python", "old python", "no venv"],
)
def test_what_is_missing_is_said_in_one_sentence(
    tmp_path: pathlib.Path, tree: pathlib.Path, script: str, python: str | None, advice: str
) -> None:
    env = environment(tmp_path, PATH=bare_path(tmp_path, python))

    refused = call([str(tree / script)], env)

    assert refused.returncode == 2
    assert advice in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_an_environment_that_cannot_be_made_is_said_in_one_sentence(
    tmp_path: pathlib.Path, tree: pathlib.Path
) -> None:
    (tree / ".venv-run").touch()

    refused = call([str(tree / "run")], environment(tmp_path))

    assert refused.returncode == 2
    assert refused.stderr.splitlines() == [
        "parlour: setting up .venv-run ...",
        f"parlour: cannot write {tree}/.venv-run: Not a directory",
    ]


@pytest.mark.skipif(not os.path.ismount("/sys"), reason="wants a place where nobody may write")
def test_who_may_not_write_is_told_to_use_another_checkout(tree: pathlib.Path) -> None:
    lock = str(tree / "requirements/run.txt")
    command = ["python3", str(tree / "scripts/make_venv.py"), "/sys/venv", lock]
    refused = call(command, dict(os.environ))

    assert refused.returncode == 2
    sentence = refused.stderr.splitlines()[-1]
    assert sentence.startswith("parlour: cannot write /sys/venv: ")
    assert sentence.endswith("; use a checkout of your own")


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_run_sets_up_once_and_then_starts_at_once(
    tmp_path: pathlib.Path, tree: pathlib.Path
) -> None:
    env = environment(tmp_path)
    run = [str(tree / "run"), "--port", "0"]

    both = [
        subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        for _ in range(2)
    ]
    answers = [process.communicate()[0] for process in both]
    before = time.monotonic()
    again = call(run, env)
    took = time.monotonic() - before
    version = call([str(tree / "run"), "--version"], env)

    said = "['serve', '--port', '0']\n"
    assert [*answers, again.stdout] == [said] * 3
    assert version.stdout == "['--version']\n"
    assert again.stderr == ""
    assert took < 1
    assert list((tmp_path / "home").iterdir()) == []
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_set_up_that_was_interrupted_is_made_good(
    tmp_path: pathlib.Path, tree: pathlib.Path
) -> None:
    (tree / ".venv-run/lib").mkdir(parents=True)
    (tree / ".venv-run/unfinished").touch()

    started = call([str(tree / "run")], environment(tmp_path))

    assert started.stdout == "['serve']\n"
    assert not (tree / ".venv-run/unfinished").exists()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_check_passes_a_clean_tree_and_names_the_step_that_fails(
    tmp_path: pathlib.Path, tree: pathlib.Path
) -> None:
    env = environment(tmp_path)
    check = [str(tree / "check"), "--fast"]
    (tree / "tests").mkdir()
    shutil.copy(ROOT / "tests/conftest.py", tree / "tests")
    trial = tree / "tests/test_trial.py"

    trial.write_text(
        '"""Trial."""\n\n\ndef test_it() -> None:\n    assert list("ab") == ["a", "b"]\n'
    )
    passed = call(check, env)
    trial.write_text('"""Trial."""\n\n\ndef test_it() -> None:\n    assert list("ab") == ["b"]\n')
    failed = call(check, env)
    trial.write_text('"""Trial."""\n\n\ndef test_it() -> int:\n    return "ab"\n')
    mistyped = call(check, env)

    assert (passed.returncode, "1 passed" in passed.stdout) == (0, True), passed.stdout
    assert (failed.returncode, "FAILED at step 'tests'" in failed.stderr) == (1, True)
    assert (mistyped.returncode, "FAILED at step 'types'" in mistyped.stderr) == (1, True)
    assert "== tests" not in mistyped.stdout
