"""compare_saved.py DIR_A DIR_B [OPTION]... - compares the tensors that two debug models saved at
printer level 1, launch by launch, and names the first launch that read the same and wrote something
else.

Both models have to launch the same kernels in the same order, as two builds of one model do, and to
be given the same inputs. Options:
  --run=N         compare the Nth run (default 1)
  --rtol=X, --atol=X   what counts as the same (default: as torch.testing.assert_close)
  --exact         only the same bits are the same

Ends with 0 where all is the same, 1 where something differs, 2 where the two cannot be compared.
"""
import os
import re
import sys

import torch

NAME = re.compile(r"run(\d+)_launch(\d+)_\d_(input|before|after)_(.+)\.pt$")


def read_names(directory, run):
    """{launch: {"before": {KERNEL_ARG: path}, ...}} of one run; the model's inputs are launch 0."""
    launches = {}
    for file in sorted(os.listdir(directory)):
        match = NAME.match(file)
        if match and int(match[1]) == run:
            parts = launches.setdefault(int(match[2]), {"input": {}, "before": {}, "after": {}})
            parts[match[3]][match[4]] = os.path.join(directory, file)
    return launches


def describe(a, b, tolerances):
    """None where the tensors are the same, else how they differ."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype} {list(a.shape)} and {b.dtype} {list(b.shape)}"
    x, y = (t.contiguous().reshape(-1).view(torch.uint8) for t in (a, b))
    wrong = (x != y).reshape(a.numel(), -1).any(1).reshape(a.shape) if a.numel() else x != y
    if not wrong.any():
        return None
    x, y = (t.to(torch.complex128 if t.is_complex() else torch.float64) for t in (a, b))
    if tolerances is not None:
        rtol, atol = tolerances
        if rtol is None or atol is None:
            default = torch.testing._comparison.default_tolerances(a, b)
            rtol, atol = (d if t is None else t for t, d in zip((rtol, atol), default))
        wrong = ~torch.isclose(x, y, rtol=rtol, atol=atol, equal_nan=True)
    if not wrong.any():
        return None
    distance = torch.where(wrong, (x - y).abs(), torch.zeros_like(x.real))
    at = int(torch.where(distance.isnan(), torch.inf, distance).reshape(-1).argmax())
    index = [int(i) for i in torch.unravel_index(torch.tensor(at), a.shape)] if a.dim() else []
    return (f"{int(wrong.sum())} of {a.numel()} elements; the largest difference at {index}: "
        f"{a.reshape(-1)[at].item()} and {b.reshape(-1)[at].item()}")


def compare(a, b, tolerances):
    """The differences between two sets of files with the same names."""
    found = []
    for name in sorted(a):
        difference = describe(*(torch.load(x[name], weights_only=True) for x in (a, b)),
            tolerances)
        if difference:
            found.append(f"  {name}: {difference}")
    return found


def stop(status, *lines):
    print("\n".join(lines))
    sys.exit(status)


def main(dir_a, dir_b, run, tolerances):
    a, b = read_names(dir_a, run), read_names(dir_b, run)
    if not a or not b:
        stop(2, f"'{dir_b if a else dir_a}' has no tensors of run {run}: were they saved with "
            "--printer=1, as .pt?")
    for launch in sorted(a.keys() | b.keys()):
        names = [{(k, n) for k in x.get(launch, {}) for n in x[launch][k]} for x in (a, b)]
        if names[0] != names[1]:
            odd = ", ".join(sorted(n for k, n in names[0] ^ names[1])[:4])
            stop(2, f"launch {launch}: only one of the two saved {odd}: they do not launch the "
                "same kernels from here on, or not both were saved")
        if launch == 0:
            changed = compare(a[0]["input"], b[0]["input"], tolerances)
            if changed:
                stop(2, "the inputs of the model differ:", *changed)
            continue
        read = compare(a[launch]["before"], b[launch]["before"], tolerances)
        if read:
            stop(1, f"launch {launch}: reads something else, which no saved launch before it "
                "wrote:", *read)
        wrote = compare(a[launch]["after"], b[launch]["after"], tolerances)
        if wrote:
            stop(1, f"launch {launch}: reads the same, and writes something else:", *wrote)
    stop(0, f"the {len(a) - (0 in a)} launches of run {run} read and write the same")


if __name__ == "__main__":
    folders, options = [], {"run": "1", "rtol": None, "atol": None}
    exact = False
    for argument in sys.argv[1:]:
        key, _, value = argument[2:].partition("=")
        if not argument.startswith("--"):
            folders.append(argument)
        elif key == "exact":
            exact = True
        elif key in options and value:
            options[key] = value
        else:
            sys.exit(__doc__)
    if len(folders) != 2:
        sys.exit(__doc__)
    limits = [None if options[k] is None else float(options[k]) for k in ("rtol", "atol")]
    main(*folders, int(options["run"]), None if exact else limits)
