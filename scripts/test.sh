#!/bin/bash
# test.sh smoke|quick|full|long: the tiers of tests (rest: what full has beyond smoke). Each step prints its name and
# time; all steps run, the exit status says whether all passed. The closing line counts steps and ctest's tests.
#
# HOIST_TEST_BUDGET (seconds): no further step is started after that long, which is a failure (for CI).
set -u -o pipefail
cd "$(dirname "$0")/.."
tier=${1:?smoke, quick, full or long}
passed=0
failed=0
skipped=0
started=$SECONDS
jobs=$(nproc)

# Adds the counts of a ctest log. A run that failed without a failed test (no tests, ctest broke) is
# one failure.
count() {
  local log=$1 status=$2 total=0 bad=0 gone
  read -r bad total < <(sed -n 's/.*, \([0-9]*\) tests\? failed out of \([0-9]*\).*/\1 \2/p' "$log" | tail -n 1)
  gone=$(grep -c '\*\*\*Skipped' "$log")
  bad=${bad:-0}
  passed=$((passed + ${total:-0} - bad - gone))
  skipped=$((skipped + gone))
  [ "$status" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
  failed=$((failed + bad))
}

# True, with a line for NAME, when the time budget is used up: a step that was not started is a failure, so
# that a run that passes has seen all of them.
late() {
  [ -n "${HOIST_TEST_BUDGET:-}" ] && [ $((SECONDS - started)) -ge "$HOIST_TEST_BUDGET" ] || return 1
  echo "== $1: NOT STARTED, the time budget of $HOIST_TEST_BUDGET s is used up"
  failed=$((failed + 1))
}

step() {
  local name=$1 begun=$SECONDS
  shift
  late "$name" && return
  if "$@" >build/step.log 2>&1; then
    passed=$((passed + 1))
    echo "== $name: passed, $((SECONDS - begun)) s"
  else
    failed=$((failed + 1))
    echo "== $name: FAILED, $((SECONDS - begun)) s"
    tail -n 60 build/step.log
  fi
}

# Builds a preset and runs its tests. Further arguments go to ctest.
suite() {
  local preset=$1 begun=$SECONDS log=build/$1.ctest.log status=0
  shift
  late "tests, $preset" && return
  if ! scripts/build.sh "$preset" -- -DBUILD_TESTING=ON 2>&1; then
    failed=$((failed + 1))
    echo "== build, $preset: FAILED, $((SECONDS - begun)) s"
    return
  fi
  local built=$((SECONDS - begun))
  scripts/suites.py "$log" --test-dir "build/$preset" --output-on-failure --no-tests=error --timeout 600 -j"$jobs" "$@" ||
    status=$?
  count "$log" "$status"
  # Parts of a test that passed otherwise; ctest keeps what it printed.
  grep -h '^skipped: ' "build/$preset/Testing/Temporary/LastTest.log" | sort | uniq -c
  [ "$status" -eq 0 ] || grep -vE '^ +Start +[0-9]+:| Passed ' "$log" | tail -n 80
  echo "== tests, $preset: $(grep -E 'tests passed' "$log" | tail -n 1), $((SECONDS - begun)) s ($built s build)"
}

# What says in a few minutes whether hoist works on this machine: no sanitizers, and none of the tests labelled slow,
# which repeat command lines by the thousand or need the corpus.
smoke() {
  suite release -LE 'slow|full|long'
}

quick() {
  suite dev -LE 'full|long'
  step "layer rule" scripts/check_layers.py
  step "sizes of files and functions" scripts/check_sizes.py
  step "circles among files" scripts/check_circles.py
  step "sizes of commits" scripts/check_commits.sh
  step "every rule has a test" scripts/check_rules.py
  step "exported symbols" scripts/check_exports.sh
  step "one version" scripts/check_version.sh
  step "public headers are documented" scripts/check_headers.py
  step "clang-format" scripts/check_format.sh
  step "clang-tidy, changed files" scripts/check_tidy.sh changed
  step "generated documents are current" scripts/docs.sh check
  step "pictures are current" scripts/pictures.sh check build/dev/tools/hoist/hoist
}

# What the full tier has beyond the smoke tier.
rest() {
  quick
  step "the library has the released ABI" scripts/check_abi.sh
  suite release -L 'slow|full' -LE long
  step "two builds have the same bytes" scripts/check_reproducible.sh
  step "the site, and its links" scripts/site.sh build/release
  step "lintian, of the source package" scripts/deb.sh --source build/deb-source
  # Hostile command lines, ranks and the corpus have run with gcc's sanitizers; the unit tests of what they
  # reach run with clang's, too.
  suite dev-clang -LE 'full|long' -E '^(cli/(hostile|ranks)|corpus/)'
  # The command has one thread: ThreadSanitizer has nothing to say about command lines, nor about damaged files.
  suite tsan -LE 'full|long|native' -E '^corpus/edgetpu_damage$'
  step "libraries for s390x" scripts/sysroot.sh s390x s390x-linux-gnu
  # Running is for little-endian machines so far (hoist_session_open refuses the others): entries
  # are little-endian bytes, tiles the machine's own floats.
  suite s390x -LE 'full|long|native' -E '^(runtime|conformance|examples|easy)/|^kernels/(move|matmul)$|session_fuzz'
  step "libraries for aarch64" scripts/sysroot.sh arm64 aarch64-linux-gnu
  suite aarch64 -LE 'full|long|native'
  step "gcc's and clang's analyzers" scripts/check_analyzers.py
  tail -n 1 build/step.log # which part clang checked
}

full() {
  smoke
  rest
}

long() {
  full
  step "clang-tidy, all files" scripts/check_tidy.sh all
  suite release -C Long -L long
  suite tsan -C Long -R long/session_stress
  step "Debian packages twice, and lintian" scripts/deb.sh --twice
  scripts/deps.sh need wheel
  step "the wheel" scripts/wheel.sh
  step "the wheel for aarch64" scripts/wheel.sh aarch64
  step "that wheel under qemu" scripts/wheel_emulated.sh
  step "fresh Debian root" scripts/fresh-root-test.sh
  step "packages and wheel in a fresh Debian root" scripts/fresh-root-test.sh --packages
  step "the wheel with Python 3.13" scripts/fresh-root-test.sh --wheel trixie
}

mkdir -p build
case $tier in
  smoke | quick | rest | full | long) "$tier" ;;
  *) echo "usage: test.sh smoke|quick|full|long" >&2; exit 2 ;;
esac
echo "$tier tier: $((SECONDS - started)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
