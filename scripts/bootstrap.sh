#!/usr/bin/env bash
# Sets up .venv with exactly the packages of a lock file, and this project in it.
#
#   scripts/bootstrap.sh play     what it takes to play
#   scripts/bootstrap.sh dev      that, and every tool that checks and tests the project
#   scripts/bootstrap.sh lock     write requirements*.lock anew from pyproject.toml
#                                 (UPGRADE=1: and take the newest versions)
#
# Needs Python 3.11 or newer and a network.  Writes only into .venv, .tools and the caches of uv and
# pip, and, run by root on Debian where Python has neither venv nor pip, installs python3-venv.
# PYTHON=/path/to/python3 chooses the Python.  A uv on the PATH is used if there is one.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."

export UV_PYTHON_DOWNLOADS=never # the machine's own Python, or a clear word that it is missing
export UV_NO_PROGRESS=1          # progress is told in lines, which also read well in a log
export UV_LINK_MODE="${UV_LINK_MODE:-copy}"
export UV_HTTP_TIMEOUT="${UV_HTTP_TIMEOUT:-60}"
export PIP_DISABLE_PIP_VERSION_CHECK=1
unset VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYTHONHOME
# A machine that reaches packages through a mirror has often told only pip so.
if [[ -n "${PIP_INDEX_URL:-}" && -z "${UV_INDEX_URL:-}${UV_DEFAULT_INDEX:-}" ]]; then
    export UV_DEFAULT_INDEX="$PIP_INDEX_URL"
fi
if [[ ! -w "${HOME:-}" && -z "${UV_CACHE_DIR:-}${XDG_CACHE_HOME:-}" ]]; then
    export UV_CACHE_DIR="$PWD/.tools/cache" # as for a service without a home
fi
# Trust whom the machine trusts, where it has a list of its own.
if [[ -s /etc/ssl/certs/ca-certificates.crt ]]; then
    export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-1}"
fi

tools=.tools
log=$tools/bootstrap.log

say() { printf '==> %s\n' "$*"; }

give_up() { # what is wrong, then what to do about it
    printf '\nbullpen: %s\n' "$1" >&2
    [[ $# -lt 2 ]] || printf '         %s\n' "${@:2}" >&2
    exit 1
}

# How pip and uv say what matters here.
telling='^ *(Resolved|Downloading|Downloaded|Prepared|Installed|Uninstalled|Audited|Checked) [^ ]+ '
no_network='dns error|error sending request|failed to lookup|name resolution|name or service not known'
no_network+='|network is unreachable|network was disabled|network connectivity is disabled|connection refused'
no_network+='|connection reset|timed out|no route to host|failed to establish a new connection'
no_network+='|client error \(connect\)|tunnel|proxyerror|could not resolve|newconnectionerror'
no_network+='|from versions: none'
no_trust='invalid peer certificate|certificate_verify_failed|certificate verify failed'

# Runs a command that fetches packages.  Shows the lines that tell how far it is, keeps all in the log.
fetch() {
    : >"$log"
    if "$@" 2>&1 | tee -a "$log" | { grep --line-buffered -E "$telling" || true; } | sed -u 's/^ */    /'; then
        return 0
    fi
    if grep -qiE "$no_trust" "$log"; then
        give_up "the Python package index shows a certificate that this machine does not trust." \
            "Name a file of trusted certificates in SSL_CERT_FILE and run the same command again. Details: $log"
    fi
    if grep -qiE "$no_network" "$log"; then
        give_up "the Python package index cannot be reached: is there a network?" \
            "Connect, then run the same command again. Details: $log"
    fi
    return 1
}

# Runs as fetch does; whatever went wrong ends the set-up.
must_fetch() {
    fetch "$@" || {
        tail -n 15 "$log" >&2
        give_up "setting up failed; the lines above tell why." "All it said: $log"
    }
}

# -- Python -----------------------------------------------------------------------------------

is_recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    local name
    for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if is_recent "$name"; then
            "$name" -c 'import sys; print(sys.executable)' # not a shim, which may choose anew
            return
        fi
    done
    return 1
}

can_install_debian_packages() { [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; }

install_debian_packages() {
    say "Installing $* with apt-get"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; } >"$log" 2>&1 && return
    give_up "$* could not be installed: is there a network?" \
        "Connect, then run the same command again. Details: $log"
}

need_python() {
    python=$(find_python) && return
    local have
    have=$("${PYTHON:-python3}" --version 2>/dev/null || echo none)
    give_up "Python 3.11 or newer is needed, and the one found is: $have" \
        "On Debian 12 or newer, or Ubuntu 24.04 or newer: sudo apt install python3 python3-venv" \
        "If it is there under another name: make PYTHON=/path/to/python3 ..."
}

# -- uv, the installer ------------------------------------------------------------------------

# In an environment of its own, or, where Python cannot make one, in a folder of its own.
install_uv() {
    local pip
    rm -rf "$tools/uv"
    if "$python" -m venv "$tools/uv" >"$log" 2>&1; then
        pip=("$tools/uv/bin/python" -m pip)
    else
        rm -rf "$tools/uv"
        "$python" -m pip --version >/dev/null 2>&1 || return 1
        pip=("$python" -m pip)
        set -- --target "$tools/uv"
    fi
    say "Fetching uv, the package installer, into $tools (about 20 MB)"
    must_fetch "${pip[@]}" install --retries 2 --no-deps --require-hashes -r requirements-uv.lock "$@"
}

need_uv() {
    uv=uv
    uv --version >/dev/null 2>&1 && return
    uv=$tools/uv/bin/uv
    if "$uv" --version >/dev/null 2>&1 && cmp -s requirements-uv.lock "$tools/uv/installed.lock"; then
        return
    fi
    if ! install_uv; then
        can_install_debian_packages || give_up "this Python can neither make a virtual environment nor run pip." \
            "On Debian or Ubuntu: sudo apt install python3-venv" \
            "Then run the same command again."
        install_debian_packages python3-venv
        install_uv || give_up "$python still can neither make a virtual environment nor run pip." \
            "Choose another: make PYTHON=/path/to/python3 ..."
    fi
    cp requirements-uv.lock "$tools/uv/installed.lock"
}

# -- The environment --------------------------------------------------------------------------

need_environment() {
    if ! is_recent .venv/bin/python || [[ "$(cat .venv/.tree 2>/dev/null)" != "$PWD" ]]; then
        say "Making the virtual environment .venv with $("$python" --version)"
        rm -rf .venv
        must_fetch "$uv" venv --quiet --python "$python" .venv
        printf '%s\n' "$PWD" >.venv/.tree # an environment works only where it was made
    fi
}

install_project() {
    say "Installing bullpen itself, to run from src"
    telling='^ *Installed' fetch "$uv" pip install --python .venv/bin/python \
        --no-deps --no-build-isolation --editable . || {
        cat "$log" >&2
        give_up "the project itself could not be installed; the lines above tell why."
    }
}

# -- The lock files ---------------------------------------------------------------------------

compile() { # lock file, then what goes into it
    say "Writing $1"
    must_fetch "$uv" pip compile --output-file "$@" ${UPGRADE:+--upgrade} \
        --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        --custom-compile-command "make lock"
}

mkdir -p "$tools"
need_python
need_uv
case "${1:-}" in
play)
    need_environment
    say "Installing what it takes to play"
    must_fetch "$uv" pip install --compile-bytecode --python .venv/bin/python --require-hashes -r requirements.lock
    install_project
    ;;
dev)
    need_environment
    say "Installing the game and the tools to test it (a minute or two the first time)"
    must_fetch "$uv" pip sync --compile-bytecode --python .venv/bin/python --require-hashes requirements-dev.lock
    install_project
    ;;
lock)
    compile requirements-dev.lock pyproject.toml --group dev --extra all
    # PostgreSQL for the image, which installs by this file too.
    compile requirements.lock pyproject.toml --group build --extra postgres --constraint requirements-dev.lock
    compile requirements-uv.lock --group installer
    if grep -n '://' requirements*.lock; then
        give_up "a lock file names an address; it must name packages alone."
    fi
    ;;
*)
    give_up "usage: scripts/bootstrap.sh play|dev|lock"
    ;;
esac
