"""options.py WORK [OPTION]... - takes a small model through each option of Inductor that changes
what torch emits for it: from package to debug package to equal outputs.

Prints a table, a row for each option and value: whether aotigen rewrites the package, whether the
result builds, whether its outputs are the plain package's bit for bit, and what `aotigen check`
says. WORK keeps what was made, and a line of JSON for each row: a second call goes on where the
first one stopped. It takes hours, and is no test.

An option changes something where torch writes another wrapper, kernel or command for it. Each of
aot_inductor is tried in any case. Values: a switch is turned, and VALUES has those of others.

  --only=REGEX    only the settings that it matches
  --again         also those that have a row
  --print         only print the table of what was made
  --list          print the settings, and the options that have no value here
  --texts=DIR     rows of wrappers that were emitted elsewhere, as for a GPU: of each folder
                  DIR/SETTING/ the wrapper.cpp is rewritten and checked for its syntax, unless
                  it is that of DIR/(defaults)/ but for names and paths
  --unbuilt       such texts are not compiled
"""
import ast
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time
import traceback
import warnings
import zipfile

warnings.filterwarnings("ignore")
import torch
import torch._inductor.config as inductor

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.environ.get("AOTIGEN_BUILD") or os.path.join(ROOT, "build")
AOTIGEN = os.path.join(BUILD, "aotigen")
TORCH = os.path.dirname(torch.__file__)
VERSION = torch.__version__.split("+")[0]

# What each row has: a wrapper that compiles fast, and loops in two threads.
BASE = {"aot_inductor.compile_wrapper_opt_level": "O0", "cpp.threads": 2}

# Settings of options that are no switches, and of several options that go together: a line that
# begins with ';' belongs to the one before.
VALUES = """
aot_inductor.compile_wrapper_opt_level='O2'
aot_inductor.debug_intermediate_value_printer='1'
aot_inductor.debug_intermediate_value_printer='2'
aot_inductor.debug_intermediate_value_printer='3'
aot_inductor.debug_intermediate_value_printer='2'
;aot_inductor.filtered_kernel_names='cpp_fused_relu_0'
aot_inductor.metadata={'owner': 'bench'}
aot_inductor.model_name_for_generated_files='scorer'
aot_inductor.package_cpp_only=True
aot_inductor.package_cpp_only=True;aot_inductor.model_name_for_generated_files='scorer'
aot_inductor.package_cpp_only=True
;aot_inductor.package_constants_in_so=False
;aot_inductor.package_constants_on_disk_format='binary_blob'
aot_inductor.package_cpp_only=True
;aot_inductor.dynamic_linkage=False
;aot_inductor.model_name_for_generated_files='scorer'
aot_inductor.package_constants_in_so=False
;aot_inductor.package_constants_on_disk_format='binary_blob'
aot_inductor.package_constants_in_so=False
;aot_inductor.package_constants_on_disk_format='pickle_weights'
aot_inductor.package_constants_on_disk_format='pickle_weights'
aot_inductor.allow_stack_allocation=True;aot_inductor.use_minimal_arrayref_interface=True
aot_inductor.use_runtime_constant_folding=True;aot_inductor.package_cpp_only=True
aot_inductor.cross_target_platform='windows'
aot_inductor.embed_kernel_binary=True
aot_inductor.emit_multi_arch_kernel=True
aot_inductor.output_path='elsewhere'
aot_inductor.repro_level=3
aot_inductor.aoti_shim_library='shim'
aot_inductor_mode.compile_standalone=True;aot_inductor.model_name_for_generated_files='scorer'
allow_stack_allocation=True;use_minimal_arrayref_interface=True
cpp.descriptive_names='inductor_node'
cpp.descriptive_names='torch'
cpp.enable_floating_point_contract_flag='fast'
cpp.enable_kernel_profile=True;cpp.enable_kernel_context_guard=True
cpp.gemm_cache_blocking='4,1,10';max_autotune=True;freezing=True
cpp.gemm_max_k_slices=0;max_autotune=True;freezing=True
cpp.gemm_thread_factors='1,2,1';max_autotune=True;freezing=True
cpp.enable_concat_linear=True;freezing=True
cpp.inject_log1p_bug_TESTING_ONLY='accuracy'
cpp.inject_relu_bug_TESTING_ONLY='accuracy'
cpp.max_horizontal_fusion_size=1
cpp.min_chunk_size=1
cpp.simdlen=1
cpp.simdlen=256
cpp.threads=1
cpp.use_two_step_variance_threshold=1
cpp.cxx=(None, 'clang++')
cpp.march='x86-64-v3'
cpu_backend='halide'
cpu_backend='pallas'
cpu_backend='triton'
freezing=True;freezing_discard_parameters=True
kernel_name_max_ops=1
max_autotune=True;freezing=True
max_autotune=True;max_autotune_gemm_backends='CPP'
max_fusion_size=1
max_pointwise_cat_inputs=1
memory_planning=True;memory_pool='combined'
memory_planning=True;memory_pool='none'
memory_planning=True;memory_pool='outputs'
realize_acc_reads_threshold=1
realize_cpu_opcount_threshold=1
realize_opcount_threshold=1
realize_reads_threshold=1
trace.provenance_tracking_level=1
trace.provenance_tracking_level=2
triton.autotune_at_compile_time=False
unbacked_symint_fallback=7
unroll_reductions_threshold=64
"""

# Of these a switch asks for another program, or tells torch's own about itself.
LEFT_OUT = re.compile(r"""
    .*(cache|worker|compile_threads|progress|_collect|log_|profile_bandwidth|test_configs|trace\.).*
    |(rocm|xpu|mtia|halide|cutlass|cuda|triton|lookup_table|aten_distributed\w*|auto_chunker)\..*
    |_.*""", re.VERBOSE)


class Mixed(torch.nn.Module):
    """A matrix product, a convolution, reductions, look-ups, stores through indices, a product of
    weights alone, and a buffer that counts."""

    def __init__(self):
        super().__init__()
        self.up, self.key = torch.nn.Linear(16, 32), torch.nn.Linear(16, 32)
        self.down = torch.nn.Linear(32, 16)
        self.table = torch.nn.Embedding(8, 16)
        self.convolution = torch.nn.Conv1d(1, 4, 1)
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x, index):
        self.calls.add_(1)
        hidden = torch.relu(self.up(x)) * torch.tanh(self.key(x))
        weights = torch.softmax(self.down(hidden), dim=-1)
        looked_up = self.table(index) + self.convolution(x[:, None, :]).amax(1)
        spread = torch.zeros(8, 16).index_add(0, index, weights)
        scattered = torch.zeros(8, 16).scatter_reduce(
            0, index[:, None].expand(-1, 16), x, "sum", include_self=False)
        folded = (self.up.weight @ self.down.weight).sum(0)
        joined = torch.cat([weights, looked_up, torch.log1p(x.abs()), x + folded[:16]], dim=1)
        return joined, spread, scattered.cumsum(0), joined.sum(1), self.calls * 1


def program():
    torch.manual_seed(0)
    batch = torch.export.Dim("batch", min=2, max=15)
    model = Mixed().eval()
    return torch.export.export(model, inputs()[0], dynamic_shapes=({0: batch}, {0: batch}))


def inputs():
    torch.manual_seed(1)
    return [(torch.randn(n, 16), torch.randint(0, 8, (n,))) for n in (6, 2, 13)]


# ---- settings


def parsed(setting):
    return {name: ast.literal_eval(value)
            for name, value in (part.split("=", 1) for part in setting.split(";"))}


def known(setting):
    """Whether this torch has all options of a setting."""
    have = inductor.get_config_copy()
    return all(name in have for name in parsed(setting))


def settings():
    """Those of VALUES, and each switch turned; and the options that neither has."""
    listed = [line for line in VALUES.replace("\n;", ";").split("\n") if line and known(line)]
    named = {name for line in listed for name in parsed(line)}
    turned, without = [], []
    for name, value in sorted(inductor.get_config_copy().items()):
        if LEFT_OUT.fullmatch(name) and name not in named:
            continue
        if isinstance(value, bool):
            turned.append(f"{name}={not value}")
        elif name not in named:
            without.append(name)
    return sorted({*listed, *turned}), without


# ---- one row, each in a child: torch keeps state, and may end its process


def in_child(work, function, *arguments, seconds=900):
    """What the function returns, or a string that says why it did not."""
    answer = os.path.join(work, "answer")
    if os.path.exists(answer):
        os.unlink(answer)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        output = os.open(os.path.join(work, "output"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        try:
            os.chdir(work)  # where torch's printer saves
            result = function(work, *arguments)
        except BaseException as error:
            traceback.print_exc()
            result = first_line(f"{type(error).__name__}: {error}")
        with open(answer, "w") as file:
            json.dump(result, file)
        os._exit(0)
    end = time.monotonic() + seconds
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.killpg(child, 9)
            os.waitpid(child, 0)
            return f"no end in {seconds} s"
        time.sleep(0.05)
    if not os.path.exists(answer):
        return "torch ended its process"
    with open(answer) as file:
        return json.load(file)


def first_line(text):
    return next((line for line in text.split("\n") if line.strip()), "")[:160]


def compiled(work, exported, setting, more):
    """Has torch write a package."""
    torch.set_num_threads(2)
    # A named package is a new one: torch may take the wrapper of that name from its cache.
    beside = work if "generated_files" in setting else os.path.dirname(work)
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(beside, "cache")
    options = {**BASE, **more, **(parsed(setting) if setting else {})}
    if options.get("aot_inductor.output_path"):
        options["aot_inductor.output_path"] = os.path.join(work, "elsewhere")
    with torch.no_grad():
        torch._inductor.aoti_compile_and_package(
            exported, package_path=os.path.join(work, "model.pt2"), inductor_configs=options)
    return True


def members(package):
    with zipfile.ZipFile(package) as archive:
        return {os.path.basename(name): archive.read(name) for name in archive.namelist()
                if "/aotinductor/" in name and not name.endswith("/")}


def text_of(package):
    """What torch wrote, without the names that differ each time."""
    parts = []
    for name, data in members(package).items():
        if name.endswith((".so", ".o", ".bin")) or "metadata" in name:
            parts.append(name.rsplit(".", 1)[1])
            continue
        text = data.decode(errors="replace")
        parts.append(re.sub(r"/\S+/|\bc[a-z2-7]{50,}\b", "", text))
    return "\n".join(sorted(parts))


def emitted(work, exported, setting):
    """The text under a setting, uncompiled."""
    compiled(work, exported, setting, {
        "aot_inductor.package_cpp_only": True, "aot_inductor.precompile_headers": False})
    return text_of(os.path.join(work, "model.pt2"))


def aotigen(*arguments):
    return subprocess.run([AOTIGEN, *arguments], capture_output=True, text=True, timeout=900)


def reason(result):
    """The message of aotigen's that says why."""
    found = re.search(r"error: (.*)", result.stderr)
    return (found.group(1) if found else first_line(result.stderr))[:160]


def checked(model):
    """How much `aotigen check` has proved, refuted and not decided, of all kinds together."""
    result = aotigen("check", f"--torch={TORCH}", model)
    found = re.findall(r": (\d+) proved, (\d+) refuted, (\d+) not decided", result.stdout)
    return "/".join(str(sum(map(int, each))) for each in zip(*found)) or reason(result)


def by_cmake(work, name):
    """The library that a package of sources makes, by its own CMakeLists.txt."""
    where = os.path.join(work, f"{name}-sources")
    shutil.rmtree(where, ignore_errors=True)
    os.makedirs(where)
    for file, data in members(os.path.join(work, f"{name}.pt2")).items():
        with open(os.path.join(where, file), "wb") as out:
            out.write(data)
    for command in (["cmake", f"-DCMAKE_PREFIX_PATH={TORCH}/share/cmake", "."], ["make", "-j2"]):
        done = subprocess.run(command, cwd=where, capture_output=True, text=True)
        if done.returncode:
            return None, first_line(re.sub(r"(?s).*?(error: )", r"\1", done.stderr, count=1))
    found = glob.glob(f"{where}/*.so") + glob.glob(f"{where}/*.a")
    return (found[0], "") if found else (None, "no library")


def outputs(work, name, library):
    """Of one package: its outputs, as torch saves them."""
    torch.set_num_threads(2)
    if library:
        runner = torch._C._aoti.AOTIModelContainerRunnerCpu(library, 1)
        run = runner.run
        blob = glob.glob(f"{os.path.dirname(library)}/*.blob")
        if blob and hasattr(runner, "update_constant_buffer_from_blob"):
            runner.update_constant_buffer_from_blob(blob[0])
    else:
        package = os.path.join(work, f"{name}.pt2")
        if any(member == "weights_config.json" for member in members(package)):
            from torch.export.pt2_archive._package import load_pt2

            loaded = load_pt2(package, load_weights_from_disk=True).aoti_runners["model"]
        else:
            loaded = torch._inductor.aoti_load_package(package)
        run = loaded.loader.run
    torch.save([run([x.clone() for x in args]) for args in inputs()],
        os.path.join(work, f"{name}.outputs"))
    return True


def compared(work):
    plain, debug = (torch.load(os.path.join(work, f"{name}.outputs"))
                    for name in ("model", "debug"))
    same = all(a.dtype == b.dtype and a.shape == b.shape and
               torch.equal(a.contiguous().view(-1).view(torch.uint8),
                   b.contiguous().view(-1).view(torch.uint8))
               for one, other in zip(plain, debug) for a, b in zip(one, other))
    return "yes" if same else "no"


def row(work, exported, setting):
    """The columns behind the setting."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    columns = {"rewritten": "-", "builds": "-", "equal": "-", "check": "-"}
    made = in_child(work, compiled, exported, setting, {})
    plain, debug = (os.path.join(work, f"{name}.pt2") for name in ("model", "debug"))
    if made is not True:
        return {**columns, "rewritten": f"torch: {made}"}
    done = aotigen("-p0", "--nan-asserts=all", f"--torch={TORCH}", plain, "-o", debug)
    if done.returncode:
        return {**columns, "rewritten": f"no: {reason(done)}"}
    columns["rewritten"] = "yes"
    columns["check"] = checked(plain)
    libraries = {"model": "", "debug": ""}
    if any(name == "CMakeLists.txt" for name in members(plain)):
        for name in libraries:
            libraries[name], why = by_cmake(work, name)
            if not libraries[name]:
                return {**columns, "builds": f"{'torch' if name == 'model' else 'no'}: {why}"}
        columns["builds"] = "yes"
        if libraries["model"].endswith(".a"):
            return {**columns, "equal": "static"}
    columns["builds"] = "yes"
    for name, library in libraries.items():
        ran = in_child(work, outputs, name, library, seconds=120)
        if ran is not True:
            return {**columns, "equal": f"{'torch' if name == 'model' else 'no'}: {ran}"}
        if name == "debug":
            with open(os.path.join(work, "output")) as file:
                if re.search(r"^aotigen: .*(NaN|fault|differs)", file.read(), re.MULTILINE):
                    return {**columns, "equal": "reports a sound model"}
    columns["equal"] = compared(work)
    return columns


# ---- texts


def nameless(folder):
    """The wrapper's text, without names and paths that differ each time."""
    with open(os.path.join(folder, "wrapper.cpp")) as file:
        lines = [line for line in file if not line.startswith("// g++ ")]
    return re.sub(r"/\S+/|\bc[a-z2-7]{40,}\b", "", "".join(lines))


def text_row(folder, work, unbuilt):
    columns = {"rewritten": "-", "builds": "-", "equal": "-", "check": "-"}
    wrapper, to = os.path.join(folder, "wrapper.cpp"), os.path.join(work, "text.cpp")
    default = os.path.join(os.path.dirname(folder), "(defaults)")
    if folder != default and os.path.exists(default) and nameless(folder) == nameless(default):
        return {"same": True}
    done = aotigen("--nan-asserts=all", f"--torch={TORCH}", wrapper, "-o", to)
    if done.returncode:
        return {**columns, "rewritten": f"no: {reason(done)}"}
    listed = aotigen("list", f"--torch={TORCH}", wrapper)
    if listed.returncode:
        return {**columns, "rewritten": f"no list: {reason(listed)}"}
    if unbuilt:
        return {**columns, "rewritten": "yes", "check": checked(wrapper)}
    flags = re.search(r"^// Compile cmd\n// (.*)$", open(wrapper).read(), re.MULTILINE)
    words = flags.group(1).split() if flags else ["-std=c++20"]
    define = [b if a == "-D" else a + b for a, b in zip(words, words[1:]) if a == "-D"]
    keep = [word for word in words if re.match("-(std|f|D.)", word)]
    include = [f"-I{folder}", f"-I{ROOT}/shared/wrapper", f"-I{TORCH}/include",
        f"-I{TORCH}/include/torch/csrc/api/include", *(f"-I{x}" for x in
            [*glob.glob(f"{TORCH}/../nvidia/*/include"), "/usr/local/cuda/include"])]
    compiler = subprocess.run(["g++", *keep, *(f"-D{x}" for x in define), "-w", "-fsyntax-only",
        *include, to], capture_output=True, text=True)
    error = re.search(r"error: (.*)", compiler.stderr)
    return {**columns, "rewritten": "yes",
        "builds": f"no: {error.group(1)[:120]}" if compiler.returncode and error else "yes",
        "check": checked(wrapper)}


def main():
    given = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    rest = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    how = dict(argument[2:].partition("=")[::2] for argument in given)
    known_options = {"only", "again", "list", "print", "texts", "unbuilt"}
    if set(how) - known_options or len(rest) != (0 if "list" in how else 1):
        sys.exit(__doc__)
    every, without = settings()
    if "list" in how:
        print(*every, sep="\n")
        print("without a value here:", *without)
        return
    work = os.path.abspath(rest[0])
    os.makedirs(work, exist_ok=True)
    kept = os.path.join(work, f"rows-{VERSION}{'-texts' if 'texts' in how else ''}.jsonl")
    rows = {}
    if os.path.exists(kept):
        with open(kept) as file:
            for line in file:
                found = json.loads(line)
                rows[found["setting"]] = found
    if "print" in how:
        print_table(rows)
        return
    if "texts" in how:
        every = sorted(name for name in os.listdir(how["texts"])
                       if os.path.exists(os.path.join(how["texts"], name, "wrapper.cpp")))
        exported = base = None
    else:
        torch.set_num_threads(1)
        exported = program()
        screen = os.path.join(work, "screen")
        os.makedirs(screen, exist_ok=True)
        base = in_child(screen, emitted, exported, "", seconds=300)
    for setting in [""] * ("texts" not in how) + every:
        if not re.search(how.get("only", ""), setting) or (setting in rows and "again" not in how):
            continue
        if base is None:
            found = text_row(os.path.join(how["texts"], setting), work, "unbuilt" in how)
        elif setting and not setting.startswith("aot_") and (
                in_child(screen, emitted, exported, setting, seconds=300) == base):
            found = {"same": True}
        else:
            found = row(os.path.join(work, "row"), exported, setting)
        rows[setting] = {"setting": setting, **found}
        with open(kept, "a") as file:
            file.write(json.dumps(rows[setting]) + "\n")
    print_table(rows)


def print_table(rows):
    """What torch says keeps no place of this machine."""
    print(f"| torch {VERSION} | rewritten | builds | equal | check |\n|---|---|---|---|---|")
    for setting in sorted(rows):
        found = rows[setting]
        if not found.get("same"):
            columns = " | ".join(re.sub(r"/[A-Za-z]\S*/", "", found[name]).replace("|", "/")[:120]
                for name in ("rewritten", "builds", "equal", "check"))
            print(f"| {setting or '(defaults)'} | {columns} |")
    same = sum(bool(found.get("same")) for found in rows.values())
    if same:
        print(f"\n{same} other settings change nothing that torch emits for this model.")


if __name__ == "__main__":
    main()
