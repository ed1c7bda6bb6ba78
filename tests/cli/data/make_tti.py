#!/usr/bin/env python3
"""Writes a PyBuda device image as docs/formats/buda-tti.md describes it, for tests.

make_tti.py NETLIST OUT [--format F] [--pickle] [--set PATH=JSON] [--drop MEMBER] NAME=EXTENTSxOF:VALUE...

Each NAME is a parameter, `w=1x1x32x64:0.5`: all its elements are VALUE. --format is that of elements: Float32,
Float16_b or Int32. --pickle stores pickles instead (of nothing that could be run). --set changes a value of device.json,
`version="1.0"`; --drop leaves out a member.
"""
import argparse
import io
import json
import pathlib
import struct
import tarfile

ROOT = "unzipped_tti/"
SIZES = {"Float32": 4, "Float16_b": 2, "Int32": 4}


def elements(form, value, count):
    bits = struct.pack("<i", int(value)) if form == "Int32" else struct.pack("<f", value)
    return (bits[2:] if form == "Float16_b" else bits) * count


def tensors(options):
    described, files = {}, {}
    for text in options.tensor:
        name, rest = text.split("=")
        extents, value = rest.split(":")
        shape = [int(extent) for extent in extents.split("x")]
        count = 1
        for extent in shape:
            count *= extent
        path = f"tensors/torch.Tensor.{name}." + ("pkl" if options.pickle else "bin")
        files[path] = b"\x80\x04N." if options.pickle else elements(options.format, float(value), count)
        size = SIZES[options.format]
        described[name] = path if options.pickle else {
            "bin": path, "itemsize": size, "shape": shape, "dim": 4, "format": options.format,
            "strides": [size * shape[1] * shape[2] * shape[3], size * shape[2] * shape[3], size * shape[3], size]}
    return described, files


def state(netlist, described):
    return {
        "version": "1.1.0", "device_image_name": "tt0", "arch": "Wormhole_B0", "devtype": "Golden", "chip_ids": [0],
        "fp32_fallback": "Float16_b", "training": False, "microbatch_size": 1, "microbatch_count": 1,
        "grid_size": [8, 8], "harvested_rows": [], "pybuda_pip_version_id": "0.19.3",
        "pybuda_commit_hash": "4a1e833", "budabackend_commit_hash": "98e4252",
        "compiler_cfg": {"tti_dump_format": "BACKEND", "backend_cluster_descriptor_path": ""},
        "compiled_graph_state": {
            "graph_name": "g", "netlist_filename": f"{ROOT}backend_build_binaries/{netlist}", "microbatch": 1,
            "ordered_input_names": ["x"], "ordered_output_names": ["y"], "ordered_constant_node_names": [],
            "ordered_parameter_node_names": list(described), "post_const_eval_constants": {},
            "post_const_eval_parameters": described}}


def change(device, assignment):
    path, value = assignment.split("=", 1)
    *outer, last = path.split("/")
    for key in outer:
        device = device[key]
    device[last] = json.loads(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netlist", type=pathlib.Path)
    parser.add_argument("out")
    parser.add_argument("tensor", nargs="*")
    parser.add_argument("--format", default="Float32", choices=SIZES)
    parser.add_argument("--pickle", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--drop", action="append", default=[])
    options = parser.parse_args()
    described, files = tensors(options)
    device = state(options.netlist.name, described)
    for assignment in options.set:
        change(device, assignment)
    text = options.netlist.read_bytes()
    members = {"backend_build_binaries/" + options.netlist.name: text,
               "backend_build_binaries/brisc/brisc.hex": b"00000013\n",
               "device.json": json.dumps(device, indent=4).encode(), "module_files/model.py": b"# the model\n",
               options.netlist.name: text, "compile_and_runtime_config.json": b"{}\n", **files}
    with tarfile.open(options.out, "w", format=tarfile.GNU_FORMAT) as archive:
        folder = tarfile.TarInfo(ROOT)
        folder.type, folder.mode = tarfile.DIRTYPE, 0o755
        archive.addfile(folder)
        for name, data in members.items():
            if name not in options.drop:
                member = tarfile.TarInfo(ROOT + name)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))


if __name__ == "__main__":
    main()
