"""emit.py MODEL DEVICE OUTDIR [SETTING=VALUE]...

Compiles a sample with torch and unpacks the package into OUTDIR: wrapper.cpp, kernel.cpp,
wrapper.json (custom ops), model.so, the cubins, and the package itself. Adds inputs.pt, and
outputs.pt: the outputs of the plain model (not for a sample that sets `unsafe`).
MODEL is a module beside this file. DEVICE is cpu or cuda. Settings are those of Inductor, such as
"cpp.enable_kernel_profile=True". The word "exported" among them has model_ep.pt2 written, the
program that was compiled. With INDUCTOR_PROVENANCE=1 in the environment, there is also
kernel_information.json.
"""
import ast
import hashlib
import importlib
import os
import shutil
import sys
import zipfile

# Torch tries each instruction set of this processor: it builds a library and loads it into a new
# Python, which takes up to half a minute. The compilers that aotigen supports know all of them.
os.environ.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "1")

import torch
import torch._inductor


def remember_instruction_sets():
    """Torch asks the variable above for some instruction sets only. What it found out of the others
    stands in its cache from then on."""
    from torch._inductor import codecache, cpu_vec_isa
    check = getattr(cpu_vec_isa.VecISA, "check_build", None)

    def remembered(self, code):
        of = f"{torch.__version__} {self._arch_flags} {code}"
        path = os.path.join(codecache.cache_dir(), hashlib.sha256(of.encode()).hexdigest())
        if not os.path.exists(path):
            with open(f"{path}.{os.getpid()}", "w") as file:
                file.write(str(check(self, code)))
            os.replace(f"{path}.{os.getpid()}", path)
        with open(path) as file:
            return file.read() == "True"

    if check:
        cpu_vec_isa.VecISA.check_build = remembered


def to(value, device):
    return tuple(x.to(device) if isinstance(x, torch.Tensor) else x for x in value)


def compile_sample(name, device, outdir, settings, exported):
    sample = importlib.import_module(name)
    remember_instruction_sets()
    torch.manual_seed(0)
    model = sample.model().eval().to(device)
    inputs = [to(x, device) for x in sample.inputs()]
    with torch.no_grad():
        program = torch.export.export(model, inputs[0], dynamic_shapes=sample.shapes())
        if exported:
            torch.export.save(program, os.path.join(outdir, "model_ep.pt2"))
        package = torch._inductor.aoti_compile_and_package(
            program,
            package_path=os.path.join(outdir, "model.pt2"),
            inductor_configs=settings,
        )
    torch.save(inputs, os.path.join(outdir, "inputs.pt"))
    return package


def unpack(package, outdir):
    """Gives the files of a package names that do not change with their content."""
    with zipfile.ZipFile(package) as archive:
        for member in archive.namelist():
            base = os.path.basename(member)
            data = archive.read(member)
            if base.endswith(".cpp"):
                put(
                    outdir,
                    "wrapper.cpp" if b"AOTInductorModel::run_impl" in data else "kernel.cpp",
                    data,
                )
            elif base.endswith(".so"):
                put(outdir, "model.so", data)
            elif base.endswith(".cubin"):
                put(outdir, base, data)
            elif base == "kernel_information.json":
                put(outdir, base, data)
            elif (
                base.endswith(".json")
                and "metadata" not in base
                and "flags" not in base
                and "weights" not in base
            ):
                put(outdir, "wrapper.json", data)
                put(outdir, "model.json", data)  # where torch looks for the ops of model.so


def put(outdir, name, data):
    with open(os.path.join(outdir, name), "wb") as file:
        file.write(data)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    name, device, outdir = sys.argv[1:4]
    settings = {}
    exported = "exported" in sys.argv[4:]
    for setting in sys.argv[4:]:
        if setting == "exported":
            continue
        key, value = setting.split("=", 1)
        settings[key] = ast.literal_eval(value)
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    shutil.rmtree(outdir, ignore_errors=True)
    os.makedirs(outdir)
    package = compile_sample(name, device, outdir, settings, exported)
    unpack(package, outdir)
    for wanted in ("wrapper.cpp", "model.so"):
        if not os.path.exists(os.path.join(outdir, wanted)):
            sys.exit(f"emit.py: torch {torch.__version__} put no {wanted} into {package}")
    if getattr(importlib.import_module(name), "unsafe", False):
        return
    import run

    outputs = run.run_all(
        run.load(os.path.join(outdir, "model.so"), device, outdir),
        torch.load(os.path.join(outdir, "inputs.pt")),
    )
    torch.save(outputs, os.path.join(outdir, "outputs.pt"))


if __name__ == "__main__":
    main()
