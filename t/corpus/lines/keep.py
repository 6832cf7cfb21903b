"""keep.py FROM TO [PROGRAM]: keeps of what samples/emit.py wrote into FROM what a test of lines needs.

FROM was made with INDUCTOR_PROVENANCE=1 and the setting "exported", of lines.py beside this file
(PYTHONPATH). PROGRAM is the model_ep.pt2 that torch reads, FROM's: one for CUDA can only be read
with a GPU, and that for the CPU has the same nodes. TO gets, with paths made neutral:
  wrapper.cpp             without the C interface of the model, which other versions cannot parse,
                          the sources of Triton kernels, and the commands; what newer headers
                          declare is declared in it
  kernel_information.json as it is
  exported.json           the program's graph and signature; not with PROGRAM
  truth.json              what torch reads of both: {"recorded": {NUMBER: ["FILE:LINE", ...]},
                          "modules": {NUMBER: ["FILE:LINE MODULE", ...]}, "condition": "FILE:LINE"}
NUMBER is that of a debug handle: torch 2.9 has two names for some operators, but one number.
"""
import json
import os
import re
import sys
import zipfile

import torch

TORCH = os.path.dirname(os.path.dirname(os.path.abspath(torch.__file__)))

ASSERT_SIZE_STRIDE = """template <typename T, typename... More>
void assert_size_stride(T&, std::initializer_list<int64_t>, std::initializer_list<int64_t>,
                        const char*, More...);"""

KERNELS = "AOTInductorModelKernelsBase {\n  public:\n"


def neutral(text):
    text = re.sub(r"/[\w./-]*/lines\.py", "/home/me/models/lines.py", text)
    text = text.replace(TORCH, "/usr/lib/python3/dist-packages")
    text = re.sub(r"/[\w./-]*/run-\d+|/tmp/torchinductor_\w+", "/tmp/torchinductor", text)
    return text.replace(sys.prefix, "/usr")


def cut(text):
    """The C interface: from behind the includes to the first line behind it."""
    text = re.sub(r"/\*\s*async_compile\.triton.*?\*/", "", text, flags=re.DOTALL)
    lines = text.split("// Compile cmd")[0].rstrip().split("\n") + [""]
    begin = next(i for i, x in enumerate(lines) if "model_container.h>" in x) + 1
    inside = next(i for i, x in enumerate(lines) if x.startswith('extern "C" {'))
    behind = re.compile(r'extern "C" +(?:void|int)|CACHE_TORCH|#|namespace|typedef|static inline')
    end = next(i for i, x in enumerate(lines) if i > inside and behind.match(x))
    declared = []
    if "assert_size_stride(" in text:  # by the headers of torch 2.13 and later
        declared.append(ASSERT_SIZE_STRIDE)
    if "assert_alignment(" in text:  # of torch 2.15
        declared.append("template <typename... T> void assert_alignment(T&&...);")
    text = "\n".join(lines[:begin] + declared + lines[end:])
    if ".loaded_modules_" in text:
        text = text.replace(KERNELS, KERNELS + "    std::vector<CUmodule> loaded_modules_;\n", 1)
    return text


def place(stack):
    """FILE:LINE of the innermost frame that is not torch's own; None where it has none."""
    frames = re.findall(r'File "([^"<]+)", line (\d+)', stack or "")
    own = [x for x in frames if not x[0].startswith(TORCH)] or frames
    return neutral("%s:%s" % own[-1]) if own else None


def read_truth(program, recorded):
    nodes = {}
    condition = None
    for node in program.graph.nodes:
        at = place(node.meta.get("stack_trace"))
        modules = node.meta.get("nn_module_stack") or {"": ("", "")}
        if at:
            nodes[node.name] = (at, list(modules.values())[-1][0])
        if "cond" in str(node.target):
            condition = at
    truth = {"recorded": {}, "modules": {}, "condition": condition}
    for handle, entry in recorded.items():
        number = handle.rsplit(":", 1)[1]
        lines = {place(x) for x in entry["stack_traces"]} - {None}
        known = {nodes[x] for x in entry["pre_grad_nodes"] if x in nodes and nodes[x][0] in lines}
        bare = {(x, "") for x in lines - {at for at, module in known}}
        truth["recorded"][number] = sorted(lines)
        truth["modules"][number] = sorted("%s %s" % x for x in known | bare)
    return truth


def put(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(neutral(text))


def main():
    given, to = sys.argv[1:3]
    os.makedirs(to, exist_ok=True)
    put(to, "wrapper.cpp", cut(open(os.path.join(given, "wrapper.cpp")).read()))
    text = open(os.path.join(given, "kernel_information.json")).read()
    put(to, "kernel_information.json", text)
    program = os.path.join(given, "model_ep.pt2")
    with zipfile.ZipFile(program) as archive:
        member = next(x for x in archive.namelist() if x.endswith("models/model.json"))
        module = json.loads(archive.read(member))["graph_module"]
    if sys.argv[3:]:
        program = sys.argv[3]
    else:
        kept = {"graph_module": {x: module[x] for x in ("graph", "signature")}}
        put(to, "exported.json", json.dumps(kept, separators=(",", ":")))
    truth = read_truth(torch.export.load(program), json.loads(text))
    put(to, "truth.json", json.dumps(truth, indent=1) + "\n")


main()
