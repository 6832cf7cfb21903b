"""host.py REQUEST - runs the inputs of a capsule on a package, for `aotigen replay`.

REQUEST is a file with JSON, which gen/replay/host.c writes; what came out goes to the file that it
names as "result". All that is decided of the result is decided there. The loader is torch's own C++
one: torch._inductor takes seconds to import.
"""

import json
import os
import sys

import torch

from hosting import Refused, first_line, index_of, load_library, load_model


# ---- the capsule's tensors


def describe(dtype, sizes):
    return "%s %s" % (dtype, list(sizes))


def check_tensor(what, tensor, told):
    if not isinstance(tensor, torch.Tensor):
        raise Refused("%s is no tensor: the capsule was changed after it was written" % what)
    dtype = str(tensor.dtype).replace("torch.", "")
    if dtype != told["dtype"] or list(tensor.shape) != told["sizes"]:
        raise Refused(
            "%s is %s, where the capsule's description has %s: it was changed after it was written"
            % (what, describe(dtype, tensor.shape), describe(told["dtype"], told["sizes"])))


def load_tensors(request):
    try:
        kept = torch.load(request["capsule"], weights_only=True, map_location="cpu")
        inputs, outputs = kept["inputs"], kept["outputs"]
        constants = dict(kept.get("constants", {}))
        counts = (len(inputs), len(outputs))
    except Exception as error:
        raise Refused("torch cannot load the capsule's tensors: %s" % first_line(error))
    if counts != (len(request["inputs"]), len(request["outputs"])):
        raise Refused(
            "the capsule holds %d inputs and %d outputs, where its description has %d and %d: it "
            "was changed after it was written"
            % (counts + (len(request["inputs"]), len(request["outputs"]))))
    for i, told in enumerate(request["inputs"]):
        check_tensor("input %d" % i, inputs[i], told)
    for i, told in enumerate(request["outputs"]):
        if outputs[i] is not None:
            check_tensor("output %d" % i, outputs[i], told)
    for told in request["constants"]:
        check_tensor("'%s'" % told["name"], constants.get(told["name"]), told)
    return inputs, outputs, constants


def find_device(name):
    """The device of this name here: of a GPU that is not here the first one."""
    device = torch.device(name)
    if device.type != "cuda":
        return device
    if not torch.cuda.is_available():
        raise Refused("torch %s of '%s' sees no GPU, and the run was on '%s': name a Python whose "
                      "torch does with PYTHON" % (torch.__version__, sys.executable, name))
    index = device.index or 0
    return torch.device("cuda", index if index < torch.cuda.device_count() else 0)


def lay(tensor, told, device):
    """A new tensor of these values with the strides and the device that the run had."""
    sizes, strides = told["sizes"], told["strides"]
    try:
        span = 0 if 0 in sizes else 1 + sum((n - 1) * s for n, s in zip(sizes, strides))
        if span >= tensor.numel():
            made = torch.empty_strided(sizes, strides, dtype=tensor.dtype, device=device)
            made.copy_(tensor)
            return made
        place = torch.arange(span).as_strided(sizes, strides).reshape(-1)  # elements share memory
        made = torch.empty(span, dtype=tensor.dtype)
        made[place] = tensor.reshape(-1)
        return made.to(device).as_strided(sizes, strides)
    except Exception as error:
        raise Refused("a tensor of %s with strides %s cannot be made: %s"
                      % (describe(told["dtype"], sizes), strides, first_line(error)))


# ---- outputs


def bytes_of(tensor):
    """The elements' bytes, a row each."""
    flat = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous().reshape(-1)
    return flat.view(torch.uint8).reshape(flat.numel(), -1)


def compare(made, kept):
    """What differs between two tensors, as the result has it."""
    if made.dtype != kept.dtype or made.shape != kept.shape:
        names = [describe(str(t.dtype).replace("torch.", ""), t.shape) for t in (made, kept)]
        return {"equal": False, "why": "%s, and was %s" % tuple(names)}
    if made.numel() == 0:
        return {"equal": True}
    other = (bytes_of(made) != bytes_of(kept)).any(dim=1)
    count = int(other.sum())
    if count == 0:
        return {"equal": True}
    at = int(other.nonzero()[0])
    return {"equal": False, "first": index_of(at, list(made.shape)), "count": count,
            "numel": made.numel(), "now": str(made.cpu().reshape(-1)[at].item()),
            "kept": str(kept.reshape(-1)[at].item())}


def compare_all(made, kept, told):
    if len(made) != len(kept):
        return [{"equal": False, "why": "the model has %d outputs, and had %d"
                 % (len(made), len(kept))}]
    return [compare(m.cpu(), k) if k is not None
            else {"skipped": t["why"] or "the capsule does not have it"}
            for m, k, t in zip(made, kept, told)]


def check(made, told):
    """How many elements are beyond a limit, or all of an output with one value."""
    flat = made[told["output"]].detach().cpu().reshape(-1)
    values = flat.to(torch.float64)
    if "comparison" in told:
        kind = {"<": torch.ge, "<=": torch.gt, ">": torch.le, ">=": torch.lt}[told["comparison"]]
        found = kind(values.abs() if told["absolute"] else values, told["bound"])
        found &= values.isfinite()
    else:
        found = (values == values[:1]).all().expand(values.shape)
    result = {"finding": told["finding"], "count": int(found.sum()), "numel": flat.numel()}
    if result["count"]:
        at = int(found.nonzero()[0])
        result["first"] = index_of(at, list(made[told["output"]].shape))
        result["value"] = str(flat[at].item())
    return result


def check_all(made, request):
    return [check(made, told) for told in request["checks"]
            if told["output"] < len(made) and not made[told["output"]].is_complex()]


def are_alike(made, first):
    return len(made) == len(first) and all(compare(m, f)["equal"] for m, f in zip(made, first))


# ---- the run


def load_constants(model, constants, told):
    """The weights and buffers as they were before the run."""
    known = set(model.get_constant_fqns())
    for one in told:
        if one["name"] not in known:
            raise Refused("the package has no weight or buffer '%s'" % one["name"])
    laid = {one["name"]: lay(constants[one["name"]], one, find_device(one["device"]))
            for one in told}
    if laid:
        model.load_constants(laid, False, False)


def run_all(request, result):
    for name in request["libraries"]:
        load_library(name)
    inputs, kept, constants = load_tensors(request)
    device = find_device(request["device"])
    model, first = None, None
    result["device"] = str(device)
    for _ in range(request["runs"]):
        if model is None or request["fresh"]:
            model = None
            model = load_model(request["package"], request["model"], device,
                               request["single_threaded"])
            result["loaded"] = True
        load_constants(model, constants, request["constants"])
        laid = [lay(t, told, find_device(told["device"]))
                for t, told in zip(inputs, request["inputs"])]
        made = model.run(laid)
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        made = [t.cpu() for t in made]
        compared = compare_all(made, kept, request["outputs"])
        first = first if first is not None else made
        result["runs"] += 1
        result["alike"] += are_alike(made, first)
        result["as_kept"] += all(c.get("equal", True) for c in compared)
        if result["runs"] == 1:
            result["outputs"] = compared
            result["checks"] = check_all(made, request)


def main():
    with open(sys.argv[1]) as f:
        request = json.load(f)
    result = {"torch": torch.__version__, "loaded": False, "runs": 0, "alike": 0, "as_kept": 0}
    try:
        run_all(request, result)
    except Refused as error:
        result["refused"] = str(error)
    except BaseException as error:
        result["failed"] = first_line(error)
        raise
    finally:
        with open(request["result"] + ".part", "w") as f:
            json.dump(result, f)
        os.replace(request["result"] + ".part", request["result"])


if __name__ == "__main__":
    main()
