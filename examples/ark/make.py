#!/usr/bin/env python3
"""Writes the models of this folder: how a model file is made without ARK.

make.py FOLDER    swiglu.json, and all_reduce_rank0.json to all_reduce_rank3.json

A model names tensors, the buffers that hold them, and the operators that read and write them. It has
no weights and no inputs: those are given to `hoist run`, by the ids of tensors.
"""
import json
import pathlib
import sys

FIRST_TAG = -(2**31)  # where ARK begins to count


class Model:
    """The model of one rank. Ids are given in the order of use, as ARK does."""

    def __init__(self, rank=0, world_size=1):
        self.rank, self.world_size = rank, world_size
        self.nodes, self.names = [], {}
        self.producers = {}  # node by tensor id
        self.tensors = self.buffers = 0

    def buffer(self, rank=-1):
        self.buffers += 1
        return {"Id": self.buffers - 1, "Rank": rank, "SendTags": [], "RecvTags": []}

    def tensor(self, shape, buffer=None, dtype="FP32"):
        buffer = buffer or self.buffer()
        self.tensors += 1
        return {"Id": self.tensors - 1, "DataType": dtype, "Shape": shape, "Strides": shape,
                "Offsets": [0] * len(shape), "PaddedShape": shape, "Buffer": buffer}

    def op(self, kind, name, reads, writes, args=None, after=()):
        """Adds an operator and gives its result: the first written tensor (else the first read) anew."""
        number = self.names.get(name, 0)
        self.names[name] = number + 1
        first = (writes or reads)[0]
        result = self.tensor(first["Shape"], first["Buffer"], first["DataType"])
        sources = [*reads, *writes, *after]
        before = sorted({self.producers[t["Id"]] for t in sources if t["Id"] in self.producers})
        node = len(self.nodes)
        for producer in before:
            self.nodes[producer]["ConsumerNodeIds"].append(node)
        self.nodes.append({
            "Id": node, "ProducerNodeIds": before, "ConsumerNodeIds": [],
            "Op": {"Type": kind, "Name": f"{name}_{number}" if number else name, "IsVirtual": False,
                   "ReadTensors": reads, "WriteTensors": writes, "ResultTensors": [result], "Args": args or {}}})
        self.producers[result["Id"]] = node
        return result

    def text(self):
        return json.dumps({"Rank": self.rank, "WorldSize": self.world_size, "Nodes": self.nodes})


def swiglu(tokens=4, width=16, hidden=24):
    """y = ((x a^T) * sigmoid(x a^T) * (x b^T)) c^T: the feed-forward block of many language models."""
    m = Model()
    x, a, b, c = (m.tensor(s) for s in ([1, tokens, width], [hidden, width], [hidden, width], [width, hidden]))

    def linear(source, weights):
        args = {"TransposeInput": {"BOOL": False}, "TransposeOther": {"BOOL": True}}
        return m.op("Matmul", "matmul", [source, weights], [m.tensor([1, tokens, weights["Shape"][0]])], args)

    def elementwise(kind, name, *sources):
        return m.op(kind, name, list(sources), [m.tensor(sources[0]["Shape"])])

    gate = linear(x, a)
    gate = elementwise("Mul", "mul", gate, elementwise("Sigmoid", "sigmoid", gate))
    linear(elementwise("Mul", "mul", gate, linear(x, b)), c)
    return m


def all_reduce(rank, world_size=4, count=8):
    """Every rank sends its tensor to every other one and adds what arrives."""
    m = Model(rank, world_size)
    x = m.tensor([count])
    total = m.op("Copy", "copy", [x], [m.tensor([count])])
    received = None
    for step in range(1, world_size):
        to, source = (rank + step) % world_size, (rank - step) % world_size
        # The memory of the other rank is named by a proxy; rank and tag lead to it.
        proxy = m.tensor([count], m.buffer(to))
        x["Buffer"]["SendTags"].append([to, FIRST_TAG + rank])
        proxy["Buffer"]["RecvTags"].append([-1, FIRST_TAG + rank])
        sent = m.op("Send", "send", [x], [proxy], after=[received] if received else [])
        m.op("SendDone", "send_done", [sent], [])
        target = m.tensor([count])
        proxy = m.tensor([count], m.buffer(source))
        target["Buffer"]["RecvTags"].append([source, FIRST_TAG + source])
        proxy["Buffer"]["SendTags"].append([-1, FIRST_TAG + source])
        received = m.op("Recv", "recv", [proxy], [target])
        total = m.op("Add", "add", [total, received], [total])
    x["Buffer"]["SendTags"].sort()
    return m


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "swiglu.json").write_text(swiglu().text())
    for rank in range(4):
        (folder / f"all_reduce_rank{rank}.json").write_text(all_reduce(rank).text())


if __name__ == "__main__":
    main()
