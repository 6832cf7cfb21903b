"""inductor_started.py - what Inductor does once in a process when it compiles its first model for
the CPU: it imports modules and traces the patterns that it looks for. fork_server.py imports this,
so that a program forked from it does not do that again: of a small model it is half of the time.

What a torch lacks of it is left out: then the program does its own.
"""
import contextlib
import importlib
import logging

import torch

MODULES = [
    "sympy.physics.units",  # which simplify() imports
    "torch._dynamo.repro.aoti",
    "torch._export.passes.collect_tracepoints_pass",
    "torch._export.passes.replace_autocast_with_hop_pass",
    "torch._export.passes.replace_set_grad_with_hop_pass",
    "torch._inductor.bounds",
    "torch._inductor.choices",
    "torch._inductor.codegen.cpp",
    "torch._inductor.codegen.cpp_wrapper_cpu",
    "torch._inductor.codegen.cpp_wrapper_gpu",
    "torch._inductor.compile_fx",
    "torch._inductor.extern_node_serializer",
    "torch._inductor.fx_passes.freezing_patterns",
    "torch._inductor.package",
    "torch.export._trace",
    "torch.export._unlift",
    "torch.utils.cpp_extension",
]


def register_backends():
    from torch._inductor.codegen.common import init_backend_registration

    init_backend_registration()


def trace_patterns():
    from torch._inductor.fx_passes import joint_graph, post_grad, pre_grad

    with torch.no_grad():
        pre_grad.lazy_init()
        post_grad.lazy_init()
        joint_graph.lazy_init(torch.device("cpu"))


logging.disable(logging.WARNING)  # cpp_extension looks for CUDA
for module in MODULES:
    with contextlib.suppress(ImportError):
        importlib.import_module(module)
for step in (register_backends, trace_patterns):
    with contextlib.suppress(Exception):
        step()
logging.disable(logging.NOTSET)
