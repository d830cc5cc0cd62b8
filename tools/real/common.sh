# Shared by the scripts of this directory: fetches a Debian source package, builds with norn-cc, checks harnesses.
#
# Needs a Debian system with dpkg-dev, and norn on the PATH (source .venv/bin/activate). Nothing is installed and
# nothing of the system's configuration is changed: everything is below one directory, $WORK.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
harnesses=$(cd "$here/../../examples/real" && pwd)
WORK=${1:-${TMPDIR:-/tmp}/norn-real}
mkdir -p "$WORK"
WORK=$(cd "$WORK" && pwd)

for tool in norn norn-cc apt-get dpkg-source make; do
    command -v "$tool" > /dev/null || { echo "$tool is not on the PATH; see the top of $here/common.sh" >&2; exit 2; }
done

# apt with a state of its own, and with the sources of the packages that the system knows.
own_apt() {
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$WORK/apt/parts" \
        -o "Dir::State::lists=$WORK/apt/lists" -o "Dir::Cache=$WORK/apt/cache" -o APT::Sandbox::User=root "$@"
}

prepare_apt() {
    [ ! -f "$WORK/apt/ready" ] || return 0
    mkdir -p "$WORK/apt/lists/partial" "$WORK/apt/cache/archives/partial" "$WORK/apt/parts"
    for file in /etc/apt/sources.list.d/*.sources; do
        [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" > "$WORK/apt/parts/$(basename "$file")"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file" > "$WORK/apt/parts/$(basename "$file")"
    done
    own_apt update
    touch "$WORK/apt/ready"
}

# fetch PACKAGE: downloads it, and sets $dsc.
fetch() {
    mkdir -p "$WORK/$1"
    if ! ls "$WORK/$1"/*.dsc > /dev/null 2>&1 || [ ! -f "$WORK/$1/fetched" ]; then
        prepare_apt
        (cd "$WORK/$1" && own_apt source --download-only "$1")
        touch "$WORK/$1/fetched"
    fi
    dsc=$(ls "$WORK/$1"/*.dsc)
    echo "source package: $(basename "$dsc" .dsc)"
}

# extract DIRECTORY [OPTION...]: unpacks $dsc there, unless it has been built there already.
extract() {
    directory=$1
    shift
    if [ ! -f "$directory/built" ]; then
        rm -rf "$directory"
        dpkg-source "$@" -x "$dsc" "$directory" > /dev/null 2>&1
    fi
}

# quietly COMMAND...: shows what it said only if it fails.
quietly() {
    "$@" > "$WORK/log" 2>&1 || { tail -40 "$WORK/log" >&2; echo "failed: $*" >&2; exit 2; }
}

# check EXPECTED PROGRAM [OPTION...]: EXPECTED is the exit code of norn check. Counts what comes out differently.
surprises=0
check() {
    expected=$1
    program=$2
    shift 2
    echo
    echo "--- norn check $program $*"
    status=0
    norn check "$program" "$@" > "$program.txt" 2>&1 || status=$?
    grep -av '^warning' "$program.txt" | head -1
    grep -a ' executions\? in ' "$program.txt" || true
    if [ "$status" -ne "$expected" ]; then
        echo "    this was not expected; all of it is in $program.txt"
        surprises=$((surprises + 1))
    elif [ "$status" -eq 1 ]; then
        echo "    as expected; how it happens is in $program.txt"
    fi
}

finish() {
    echo
    [ "$surprises" -eq 0 ] && echo "all as expected" || { echo "$surprises not as expected" >&2; exit 1; }
}
