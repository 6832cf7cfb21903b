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
import importlib
import os
import shutil
import sys
import zipfile

import torch
import torch._inductor


def to(value, device):
    return tuple(x.to(device) if isinstance(x, torch.Tensor) else x for x in value)


def compile_sample(name, device, outdir, settings, exported):
    sample = importlib.import_module(name)
    torch.manual_seed(0)
    model = sample.model().eval().to(device)
    inputs = [to(x, device) for x in sample.inputs()]
    with torch.no_grad():
        program = torch.export.export(model, inputs[0], dynamic_shapes=sample.shapes(),
            strict=getattr(sample, "strict", False))
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
