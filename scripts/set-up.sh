# Read by ./run, ./check and ./bench: makes a virtual environment out of a lock file.
# shellcheck shell=sh
#
# set_up VENV LOCK: `$root/VENV` holds all that `$root/requirements/LOCK.txt` pins, and the project.

fail() {
    echo "parlour: $*" >&2
    exit 2
}

find_python() {
    for python in python3 python3.13 python3.12 python3.11 python; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            return
        fi
    done
    fail "needs Python 3.11 or newer, and finds none on the PATH: install it (Debian: apt-get install python3 python3-venv)."
}

need_venv_modules() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo python3-venv | "$root/scripts/install-debian-packages" || true
        "$python" -c 'import ensurepip, venv' 2>/dev/null && return
    fi
    fail "$python cannot make virtual environments: install the package python3-venv (Debian: apt-get install python3-venv)."
}

# What the environment was made of. The same again means that nothing needs doing.
stamp_of() {
    cat "$root/requirements/$2.txt" "$root/pyproject.toml" &&
        "$root/$1/bin/python" -V 2>&1 &&
        echo "$root"
}

set_up() {
    stamp_of "$1" "$2" 2>/dev/null | cmp -s - "$root/$1/parlour-stamp" && return
    find_python
    need_venv_modules
    "$python" "$root/scripts/make_venv.py" "$root/$1" "$root/requirements/$2.txt" && return
    [ $? -ne 2 ] || exit 2
    fail "setting up $1 failed; see above, then start again."
}
