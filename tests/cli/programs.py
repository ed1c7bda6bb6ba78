#!/usr/bin/env python3
"""The programs of examples/programs with data, by the command: the numbers of src/runtime/examples_test.c, and
texts that come back as they were, and run as the jobs that they are of.

programs.py HOIST
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

problems = []


def expect(what, found, expected):
    if found != expected:
        problems.append(f"{what}: found {found}, expected {expected}")


def floats(*numbers):
    return struct.pack(f"<{len(numbers)}f", *numbers)


def run(hoist, folder, name, inputs, *options):
    """Bytes of each output: `inputs` are files of elements, in C order."""
    words = [hoist, "run", "-q", "-o", "out", *options]
    for port, data in inputs.items():
        file = f"{len(words)}.bin"
        (folder / file).write_bytes(data)
        words += ["-i", f"{port}=@{file}"]
    done = subprocess.run([*words, EXAMPLES / f"programs/{name}.hoist"], cwd=folder, check=False, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    expect(f"{name}: exit status", (done.returncode, done.stderr), (0, ""))
    arrays = {}
    for path in folder.glob("out/**/*.npy"):
        data = path.read_bytes()
        arrays[str(path.relative_to(folder / "out").with_suffix(""))] = data[10 + struct.unpack_from("<H", data, 8)[0]:]
    return arrays


def tflite_edges(hoist, folder):
    right, below, same = [0, 0, 200, 200] * 4, [10] * 8 + [240] * 8, [9] * 16
    for image, answer in ((right, (179, 19, 58)), (below, (13, 199, 44)), (same, (54, 54, 147))):
        found = run(hoist, folder, "tflite_edges", {"image": bytes(image)})
        expect("tflite_edges", tuple(found["answer"]), answer)


def neff_all_reduce(hoist, folder):
    a, b = [float(i) for i in range(32)], [0.5 * i * i for i in range(32)]
    found = run(hoist, folder, "neff_all_reduce", {"input0": floats(*a), "input1": floats(*b)})
    total = floats(*(x + y for x, y in zip(a, b)))
    expect("neff_all_reduce", (found["output0"], found["output1"]), (total, total))
    expect("addresses", [struct.unpack("<Q", found[f"address{i}"])[0] for i in (0, 1)], [0x1000000100, 0x101000000100])


def ark_ranks(hoist, folder):
    x0 = [8 * r + c - 12 for r in range(4) for c in range(8)]
    x1 = [10 - 8 * r - c for r in range(4) for c in range(8)]
    found = run(hoist, folder, "ark_ranks", {"x0": floats(*x0), "x1": floats(*x1)})

    def relu(value):
        return max(value, 0)

    def expected(r, c):
        left = relu(2 * (8 * r + c) + 4 - 24)
        transposed = relu(2 * (8 * c + r) + 4 - 24) if c < 4 else 0
        rest = relu(x1[8 * r + c])
        return (left if c < 4 else x0[8 * r + c] + rest, max(transposed, rest))

    cells = [expected(r, c) for r in range(4) for c in range(8)]
    expect("ark_ranks x0", found["x0"], floats(*(cell[0] for cell in cells)))
    expect("ark_ranks x1", found["x1"], floats(*(cell[1] for cell in cells)))


def ark_layer(hoist, folder):
    found = run(hoist, folder, "ark_layer", {"0": floats(1, 2, 3, 4, 5, 6, -1, 0, 1, 2, 2, 2)}, "--fetch", "y",
                "--fetch", "columns", "--fetch", "rows", "--fetch", "4")
    expect("ark_layer y", found["y"], floats(6, 8, 15, 17, 0, 2, 6, 6))
    expect("ark_layer columns", found["columns"], floats(21, 25, 6, 8))
    expect("ark_layer rows", found["rows"], floats(14, 32, 2, 12))
    expect("ark_layer 4", found["4"], floats(8, 17, 2, 6))


def edgetpu_token(hoist, folder):
    found = run(hoist, folder, "edgetpu_token", {"input_a": floats(*(i - 1 for i in range(16))),
                                                 "input_b": floats(*(7 - 8 * i for i in range(16)))})
    expect("edgetpu_token a", found["output_a"], floats(0, 0, 9, 32, *[0] * 12))
    expect("edgetpu_token b", found["output_b"], floats(3.5, *[0] * 15))


def buda_training(hoist, folder):
    weights = [(3 * r + c) % 7 - 2 for r in range(32) for c in range(64)]
    diagonals = [value if r == c else 0 for value in (2, 1) for r in range(32) for c in range(32)]
    found = run(hoist, folder, "buda_training", {"weights:f32": floats(*weights), "activations:f32": floats(*diagonals)},
                "--param", "p_steps=2", "--param", "p_microbatches=1")
    expect("buda_training loss", found["loss"], floats(*(2 * w for w in weights), *(-3 * w for w in weights)))
    expect("buda_training weights", found["weights"], floats(*[0] * 2048))


def check_texts(hoist, folder):
    """What is written reads back as the same text, whether as a file or as the program of a job."""
    def text_of(*words):
        return subprocess.run([hoist, "dump", *words], cwd=folder, check=True, capture_output=True,
                              stdin=subprocess.DEVNULL).stdout

    names = sorted(EXAMPLES.glob("programs/**/*.hoist"))
    expect("number of examples", len(names), 10)
    models = [EXAMPLES / path for path in ("buda/feed_forward.yaml", "tflite/classifier.tflite", "ark/swiglu.json",
                                           "tflite/layers_edgetpu.tflite")]
    for path in names + models:
        # A program that breaks a rule of its own is not lowered.
        as_program = path.name != "buda_moved_window.hoist"
        text = text_of(*(["--program"] if as_program else []), path)
        (folder / "written").write_bytes(text)
        expect(f"{path.name}: the text again", text_of("written"), text)
        if as_program:
            expect(f"{path.name}: the program again", text_of("--program", "written"), text)


def check_runs(hoist, folder):
    """The program of a job runs as the job does: constants are in its text, and nothing else of the file is needed."""
    subprocess.run([hoist, "pack", "-o", "all_reduce.neff", EXAMPLES / "neff/all_reduce"], cwd=folder, check=True)
    jobs = (("buda/feed_forward.yaml", "--param", "p_loop_count=1"), ("tflite/classifier.tflite",), ("ark/swiglu.json",),
            ("tflite/layers_edgetpu.tflite",), (folder / "all_reduce.neff",))

    def arrays_of(out, path, options):
        subprocess.run([hoist, "run", "-q", "-i", "*=random:1", "-o", out, *options, path], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        return {str(file.relative_to(folder / out)): file.read_bytes() for file in (folder / out).glob("**/*.npy")}

    for index, (path, *options) in enumerate(jobs):
        text = f"{index}.hoist"
        written = subprocess.run([hoist, "dump", "--program", EXAMPLES / path], cwd=folder, check=True, capture_output=True,
                                 stdin=subprocess.DEVNULL).stdout
        (folder / text).write_bytes(written)
        job = arrays_of(f"job{index}", EXAMPLES / path, options)
        expect(f"{path}: has outputs", len(job) > 0, True)
        expect(f"{path}: outputs of its text are the same", arrays_of(f"text{index}", text, options) == job, True)


def main():
    hoist = str(pathlib.Path(sys.argv[1]).resolve())
    tests = (tflite_edges, neff_all_reduce, ark_ranks, ark_layer, edgetpu_token, buda_training, check_texts,
             check_runs)
    for test in tests:
        with tempfile.TemporaryDirectory() as folder:
            test(hoist, pathlib.Path(folder))
    print("\n".join(problems[:20] + [f"{len(tests)} checks, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
