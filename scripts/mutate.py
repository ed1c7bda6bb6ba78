#!/usr/bin/env python3
"""Do the tests notice small wrong changes? Prints those that no test noticed, and a score per layer.

mutate.py [LAYER|FILE|FILE:LINE...]   samples each layer (default: all), or a file; all of a line

--seed N      another sample; the same seed gives the same sample of the same sources
--count N     changes per layer, 11 by default
--own         the tests of the layer's folder only
--jobs N      changes at a time (default: the number of cores)
--list        prints the first of the sample, builds and runs nothing
--again FILE  the changes that survived by this log, wherever their lines are by now
--log FILE    appends a line per change: place, kind, old, new, what became of it
--known FILE  takes what became of a change from this log of the same sources, where it has the change: goes
              on after an interruption

A change is one of scripts/mutations.py. No file of the tree is written: the changed source is compiled in a
temporary folder, and each test is linked there with its object before the libraries of build/mutate, which
is the preset dev; so what a sanitizer or an assert notices counts, too. What the compiler refuses, and what
survives but gives the same optimised object, is replaced by the next. Tests of the layer's folder run
first, the one named like the file before them, then those of WIDER; the first that fails ends it, a test
that hangs has failed. There is no corpus. A failure counts when the same test passes without the change
right after it, and fails with it once more: a changed program may write where it never would, such as
beside the folder of a test, and what then fails without any change is named and not asked any more; one
that fails by chance is named, too. A test never runs twice at a time, as ctest would not do that either.
The exit status is 1 when the score is under 85 %, or that of a layer under 75 %.
"""
import argparse
import collections
import concurrent.futures
import functools
import itertools
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutations

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/mutate"
TOTAL_BAR, LAYER_BAR = 85, 75
NOT_SOURCES = re.compile(r"_(test|testing|testing_\w+|fuzz|bench|docgen|example)\.c$|/docgen\.c$")
# Which tests belong to a layer beyond those of its folder, as a pattern of their names.
WIDER = {
    "base": "codec/|os/|program/",
    "os": "exchange/|runtime/|tools/|cli/golden/(run|usage|limits|pack)",
    "codec": "exchange/|report/|fuzz/(json|yaml|gzip|tar|flat|flex)|formats/(neff|tflite)/",
    "tensor": "ops/|lower/|kernels/|conformance/worked_cases",
    "exchange": "tools/|fuzz/npy|cli/golden/run",
    "ops": "program/|kernels/|lower/|runtime/",
    "program": "machine/|runtime/|fuzz/program",
    "machine": "runtime/|load/order|fuzz/session|conformance/(orders|neff_orders|worked_cases)|cli/golden/races",
    "picture": "formats/[a-z]+/[a-z]+_picture$|cli/golden/(schedules|ark_info|neff|tflite|graph)|cli/widths",
    "cost": "load/time|cli/golden/(time|trace)",
    "plan": "runtime/|fuzz/session",
    "comm": "runtime/remote|cli/ranks",
    "easy": "examples/easy",
    "page": "easy/|cli/(view|golden/view)",
    "scan": "cli/golden/scan|cli/widths",
    "formats": "formats/(buda|neff|tflite|darwinn)/.*check",
    "formats/ark": "fuzz/ark|lower/ark|load/|conformance/ark|sample/ark|cli/golden/ark",
    "formats/buda": "fuzz/(check|netlist|show|soc)|lower/buda|conformance/(orders|worked_cases)|"
                    "cli/golden/(check|reports|architectures|schedules|usage)",
    "formats/neff": "fuzz/neff|lower/neff|conformance/neff|cli/golden/(neff|disasm|pack)",
    "formats/darwinn": "fuzz/dwn|lower/darwinn|edgetpu/|load/|conformance/darwinn|cli/golden/(edgetpu|recover|drivers)",
    "formats/tflite": "fuzz/tflite|lower/tflite|edgetpu/|load/|cli/golden/tflite",
    "formats/program": "lower/program|program/examples|fuzz/all_program|load/|cli/golden/(programs|plan)",
    "edgetpu": "load/|fuzz/(source|recover)|cli/golden/(edgetpu|tflite|recover|diff)",
    "lower": "lower/|conformance/(neff|darwinn)|cli/golden/(edgetpu|tflite)",
    "lower/ark": "fuzz/lower_ark|load/",
    "lower/buda": "fuzz/lower_fuzz|load/|conformance/(orders|worked)|cli/golden/(run|architectures)",
    "lower/neff": "fuzz/lower_neff|load/|conformance/neff|cli/golden/(run|neff)",
    "lower/darwinn": "fuzz/lower_d|load/|conformance/darwinn|lower/tflite|cli/golden/(run|edgetpu)",
    "lower/tflite": "fuzz/lower_tflite|load/|conformance/darwinn|cli/golden/(run|edgetpu|tflite)",
    "lower/program": "load/|fuzz/all_program|cli/golden/(programs|numerics)",
    "kernels": "runtime/|conformance/(quant|plain)",
    "runtime": "fuzz/session|conformance/(orders|worked|failed|neff_runs|darwinn)|cli/golden/(run|limits|bench)",
    "load": "edgetpu/|fuzz/(source|recover|lower)|conformance/|"
            "cli/golden/(edgetpu|tflite|neff|recover|diff|run|races|pack|disasm|time|graph)",
    "report": "tools/|cli/golden/|cli/widths",
    "tools": "cli/(golden|values|documents|man_examples|widths|terminal)",
}
# Sanitized tests of one layer take less; a change that allocates without end takes all there is.
MEMORY_MB = 6000
# Most of the time goes into linking: nobody debugs these programs.
FAST_LINK = ["-Wl,--strip-debug"] + (["-fuse-ld=gold"] if shutil.which("ld.gold") else [])
# Seconds for a test, before and after it is known how long it takes on this machine.
FIRST_LIMIT, LEAST_LIMIT = 100, 20


class Test:
    def __init__(self, row):
        properties = {p["name"]: p["value"] for p in row.get("properties", [])}
        self.name, self.command = row["name"], row.get("command", [])
        self.labels = set(properties.get("LABELS", []))
        self.skip = int(properties.get("SKIP_RETURN_CODE", 77))
        self.folder = properties.get("WORKING_DIRECTORY", str(BUILD))
        self.limit = float(properties.get("TIMEOUT", FIRST_LIMIT))
        self.seconds = 0.0
        self.is_sound = True  # until it fails without any change
        self.lock = threading.Lock()  # tests may write to their folder

    def programs(self):
        """What it runs of the build, by the words of its command."""
        return {word: str(pathlib.Path(word).relative_to(BUILD)) for word in self.command
                if word.startswith(f"{BUILD}/") and os.path.isfile(word)}

    def passes(self, programs):
        """Whether it passes with these programs in place of the build's; one that hangs fails."""
        environment = os.environ | {"HOIST_CORPUS": str(BUILD / "no-corpus"), "PYTHONDONTWRITEBYTECODE": "1",
                                    "ASAN_OPTIONS": f"hard_rss_limit_mb={MEMORY_MB}"}
        command = [programs.get(word, word) for word in self.command]
        begun = time.monotonic()
        with subprocess.Popen(command, cwd=self.folder, env=environment, start_new_session=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              ) as process:
            try:
                passed = process.wait(self.limit) in (0, self.skip)
            except subprocess.TimeoutExpired:
                passed = False
            finally:
                end_group(process)
        self.seconds = time.monotonic() - begun
        return passed


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def quiet(*command, folder=ROOT):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)


def build():
    """Builds everything without a change, and asks ctest, who knows the commands of programs that exist."""
    for command in (("cmake", "--preset", "dev", "-B", str(BUILD), "-DBUILD_TESTING=ON"),
                    ("cmake", "--build", str(BUILD))):
        done = quiet(*command)
        if done.returncode:
            sys.exit(done.stdout)
    rows = quiet("ctest", "--test-dir", str(BUILD), "--show-only=json-v1").stdout
    return [Test(row) for row in json.loads(rows)["tests"]]


def layer_of(path):
    folder = str(path.parent)
    return "tools" if folder.startswith("tools/") else folder.removeprefix("src/")


def sources():
    """The sources of each layer, by name."""
    found = collections.defaultdict(list)
    for path in sorted(list(ROOT.glob("src/**/*.c")) + list(ROOT.glob("tools/**/*.c"))):
        path = path.relative_to(ROOT)
        if layer_of(path) in WIDER and not NOT_SOURCES.search(str(path)):
            found[layer_of(path)].append(path)
    return found


class Change:
    """A mutation at its place."""

    def __init__(self, path, source, mutation):
        self.path, self.source, self.mutation = path, source, mutation
        self.layer = layer_of(path)

    @functools.cached_property
    def line(self):
        return mutations.line_of(self.source, self.mutation.start)

    @functools.cached_property
    def changed(self):
        return self.mutation.apply(self.source)

    def old(self):
        return self.source.split("\n")[self.line - 1].strip()

    def new(self):
        return self.changed.split("\n")[self.line - 1].strip() or "(nothing)"

    def row(self):
        return f"{self.path}:{self.line}", self.mutation.kind, self.old(), self.new()

    def __str__(self):
        return f"{self.path}:{self.line}: {self.mutation.kind}\n    - {self.old()}\n    + {self.new()}"


def changes_of(path):
    source = (ROOT / path).read_text(encoding="utf-8")
    return [Change(path, source, mutation) for mutation in mutations.mutations(source)]


def shuffled(paths, rng):
    """All changes of these files: of each kind in turn, in the order of chance."""
    kinds = collections.defaultdict(list)
    for path in paths:
        for change in changes_of(path):
            kinds[change.mutation.kind].append(change)
    for kind in sorted(kinds):
        rng.shuffle(kinds[kind])
    while any(kinds.values()):
        for kind in sorted(kinds):
            if kinds[kind]:
                yield kinds[kind].pop()


class Compiler:
    """Compiles and links as the build does, but with a changed source and into another folder."""

    def __init__(self):
        rows = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
        self.compiles = collections.defaultdict(list)
        for row in rows:
            self.compiles[str(pathlib.Path(row["file"]).relative_to(ROOT))].append(shlex.split(row["command"]))
        self.links = {}

    def compile(self, path, source, folder, extra=()):
        """The objects of this source for all CPU levels, by the names of the build's; None: it is refused."""
        text = folder / path.name
        text.write_text(source, encoding="utf-8")
        objects = {}
        for command in self.compiles[str(path)]:
            words = [word for word in command if not extra or word != "-g" and not word.startswith("-fsanitize")]
            at = words.index("-o") + 1
            name, out = words[at], str(folder / f"{len(objects)}.o")
            words[at] = out
            words[words.index(str(ROOT / path))] = str(text)
            if quiet(*words, "-iquote", str(ROOT / path.parent), *extra, folder=BUILD).returncode:
                return None
            objects[name] = out
        return objects

    def optimised(self, path, source, folder):
        objects = self.compile(path, source, folder, ("-O2", "-w"))
        return [pathlib.Path(out).read_bytes() for out in objects.values()]

    def is_equivalent(self, change, folder):
        return self.optimised(change.path, change.source, folder) == \
            self.optimised(change.path, change.changed, folder)

    def link_command(self, program):
        if program not in self.links:
            line = quiet("ninja", "-C", str(BUILD), "-t", "commands", program).stdout.splitlines()[-1]
            self.links[program] = shlex.split(line.removeprefix(": && ").removesuffix(" && :"))
        return self.links[program]

    def link(self, program, objects, folder):
        """The program with these objects: in place of the build's, or before the libraries that hold those."""
        words = [objects.get(word, word) for word in self.link_command(program)]
        at = words.index("-o") + 1
        out = folder / pathlib.Path(program).name
        words[at] = str(out)
        words[at + 1:at + 1] = [*FAST_LINK, *(new for new in objects.values() if new not in words)]
        return str(out) if quiet(*words, folder=BUILD).returncode == 0 else None


class Trial:
    """Makes changes and asks the tests."""

    def __init__(self, own_only):
        self.tests = [t for t in build() if not t.labels & {"full", "long"}]
        self.compiler = Compiler()
        self.own_only = own_only
        self.killers = collections.defaultdict(list)  # by file, the last one first

    def tests_of(self, change):
        """Those that failed for the file before, those of its folder whose names are most like its own first,
        and the wider ones."""
        name = f"{change.layer}/{change.path.stem}"
        own = [t for t in self.tests if re.match(f"{change.layer}/[^/]+$", t.name)]
        own.sort(key=lambda t: (-len(os.path.commonprefix([t.name, name])), t.seconds))
        wider = [t for t in self.tests if re.match(WIDER[change.layer], t.name) and t not in own]
        wider.sort(key=lambda t: t.seconds)
        first = self.killers[change.path]
        chosen = first + [t for t in own + ([] if self.own_only else wider) if t not in first]
        return [t for t in chosen if t.is_sound]

    def verdict(self, change):
        """`refused`, `equivalent`, `survived`, or the test that failed."""
        with tempfile.TemporaryDirectory(dir=BUILD) as name:
            folder = pathlib.Path(name)
            objects = self.compiler.compile(change.path, change.changed, folder)
            if not objects:
                return "refused"
            linked = {}
            for test in self.tests_of(change):
                if self.notices(test, objects, folder, linked):
                    first = self.killers[change.path]
                    self.killers[change.path] = [test] + [t for t in first if t is not test]
                    return test.name
            return "equivalent" if self.compiler.is_equivalent(change, folder) else "survived"

    def programs(self, test, objects, folder, linked):
        """What the test runs, linked with these objects unless `linked` has it; None for what does not link."""
        found = {}
        for word, program in test.programs().items():
            if program not in linked:
                own = folder / f"program{len(linked)}"  # tests may read their program's name
                own.mkdir()
                linked[program] = self.compiler.link(program, objects, own)
            found[word] = linked[program]
        return found

    def notices(self, test, objects, folder, linked):
        """Whether the test fails with these objects and passes without. A program that does not link with them
        is not made of them: of a lower layer, it lacks what they need."""
        programs = self.programs(test, objects, folder, linked)
        if None in programs.values():
            return False
        with test.lock:
            return test.is_sound and not test.passes(programs) and self.is_sound_now(test) and self.fails_again(test, programs)

    def is_sound_now(self, test):
        """Whether it passes without any change, in another folder; it has its own limit from then on, or is not
        asked any more."""
        with tempfile.TemporaryDirectory(dir=BUILD) as name:
            test.is_sound = test.passes(self.programs(test, {}, pathlib.Path(name), {}))
        test.limit = LEAST_LIMIT + 10 * test.seconds
        if not test.is_sound:
            print(f"not asked any more, it fails without any change: {test.name}", file=sys.stderr)
        return test.is_sound

    @staticmethod
    def fails_again(test, programs):
        if test.passes(programs):
            print(f"not counted, it failed once and passed then with the same change: {test.name}", file=sys.stderr)
            return False
        return True


def verdicts_of(log):
    """By place, kind, old and new text."""
    rows = [tuple(line.rstrip("\n").split("\t")) for line in log or ()]
    return {row[:-1]: row[-1] for row in rows}


class Score:
    def __init__(self, log):
        self.counts = collections.defaultdict(collections.Counter)
        self.survivors = []
        self.log = log
        self.lock = threading.Lock()

    def add(self, change, verdict):
        with self.lock:
            self.add_locked(change, verdict)

    def add_locked(self, change, verdict):
        kind = verdict if verdict in ("refused", "equivalent", "survived") else "killed"
        self.counts[change.layer][kind] += 1
        if kind == "survived":
            self.survivors.append(change)
        if kind in ("survived", "killed"):
            print(f"{change}\n    {verdict}", flush=True)
        if self.log:
            print("\t".join((*change.row(), verdict)), file=self.log, flush=True)

    @staticmethod
    def share(counts):
        tried = counts["killed"] + counts["survived"]
        return 100.0 * counts["killed"] / tried if tried else 100.0

    def report(self):
        print("\nsurvivors:")
        for change in self.survivors:
            print(change)
        print(f"\n{'layer':<16} {'changes':>7} {'killed':>7} {'score':>7}   refused, equivalent objects")
        total = sum(self.counts.values(), collections.Counter())
        for layer, c in [*self.counts.items(), ("all", total)]:
            print(f"{layer:<16} {c['killed'] + c['survived']:>7} {c['killed']:>7} {self.share(c):>5.0f} %   "
                  f"{c['refused']}, {c['equivalent']}")
        return self.share(total) >= TOTAL_BAR and all(self.share(c) >= LAYER_BAR for c in self.counts.values())


def samples(options):
    """What is asked for: how many, and changes to choose them from."""
    by_layer = sources()
    names = options.where or list(by_layer)
    for name in names:
        path, _, line = name.partition(":")
        if line:
            chosen = [c for c in changes_of(pathlib.Path(path)) if c.line == int(line)]
            yield len(chosen), chosen
        elif path in by_layer:
            yield options.count, shuffled(by_layer[path], random.Random(f"{options.seed}/{path}"))
        elif (ROOT / path).is_file():
            yield options.count, shuffled([pathlib.Path(path)], random.Random(f"{options.seed}/{path}"))
        else:
            sys.exit(f"{name} is neither a layer ({', '.join(by_layer)}) nor a file")


def survivors_of(log):
    """What survived by a log, as samples."""
    wanted = collections.defaultdict(set)
    for line in log:
        place, *change, verdict = line.rstrip("\n").split("\t")
        if verdict == "survived":
            wanted[place.partition(":")[0]].add(tuple(change))
    for path, changes in wanted.items():
        chosen = [c for c in changes_of(pathlib.Path(path)) if (c.mutation.kind, c.old(), c.new()) in changes]
        yield len(chosen), chosen


class Sample:
    """Changes of a layer or file, of which so many are to be tried; several threads draw from it."""

    def __init__(self, count, changes):
        self.count, self.changes = count, iter(changes)
        self.lock = threading.Lock()

    def draw(self):
        with self.lock:
            return next(self.changes, None)


def run(options):
    chosen = [Sample(*one) for one in (survivors_of(options.again) if options.again else samples(options))]
    trial, score, stop = Trial(options.own), Score(options.log), threading.Event()
    known = verdicts_of(options.known)

    def try_one(sample):
        """The next change that the compiler takes and that makes a difference; so the first of the sample are
        tried, however many threads there are."""
        while not stop.is_set() and (change := sample.draw()):
            verdict = known.get(change.row()) or trial.verdict(change)
            score.add(change, verdict)
            if verdict not in ("refused", "equivalent"):
                break

    # A change of each layer, then the second of each: all layers end at about the same time.
    turns = [sample for turn in range(max(s.count for s in chosen)) for sample in chosen if turn < sample.count]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            for done in [pool.submit(try_one, sample) for sample in turns]:
                done.result()
        except KeyboardInterrupt:
            stop.set()  # what was begun is ended; the score is that of what was tried
    return score.report()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("where", nargs="*", metavar="LAYER|FILE|FILE:LINE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=11)
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--again", type=argparse.FileType("r", encoding="utf-8"))
    parser.add_argument("--known", type=argparse.FileType("r", encoding="utf-8"))
    parser.add_argument("--log", type=argparse.FileType("a", encoding="utf-8"))
    options = parser.parse_args()
    if options.list:
        for count, chosen in samples(options):
            print("\n".join(str(c) for c in itertools.islice(chosen, count)))
        return 0
    # The tests' own limits of a process: no core files, no file without end.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # leaves no folders behind either
    return 0 if run(options) else 1


if __name__ == "__main__":
    sys.exit(main())
