# kept.py - the headers as they are written, of what all wrappers need: see main.py.
import os
import re

from clang.cindex import CursorKind as K

from unit import CUDA, FUNCTIONS, SYSTEM, WORD


class Kept:
    """What is kept of a header: items by (line, number on this line)."""

    def __init__(self):
        self.items = {}

    def put(self, key, head, tail=None):
        item = self.items.setdefault(key, (head, tail, Kept() if tail is not None else None))
        if tail is None and len(head) > len(item[0]):  # with its body, which another wrapper needs
            self.items[key] = (head, None, None)
        return item[2]

    def write(self, out, condition):
        """`condition`: of what stands in a line, an #if or None."""
        for key in sorted(self.items):
            head, tail, inner = self.items[key]
            if inner is not None and not inner.items and re.match(r"namespace|extern", head):
                continue
            when = condition(key[0])
            out += [when] if when else []
            out.append(head)
            if inner is not None:
                inner.write(out, condition)
                out.append(tail)
            out += ["#endif"] if when else []


def squeeze(text):
    lines = (re.sub(r"\s+", " ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


class Headers:
    """What all wrappers need."""

    def __init__(self):
        self.files, self.includes, self.roots = {}, {}, set()
        self.opened, self.present = {}, {}  # by file, and by line of it: with USE_CUDA, and without

    def of(self, file):
        return self.files.setdefault(file, Kept())

    def add(self, unit):
        cuda = "-DUSE_CUDA" in unit.args
        for node in unit.ordered:
            file = unit.home(node.begin)
            self.opened.setdefault(file, set()).add(cuda)
            self.present.setdefault((file, unit.place(node.begin)[1]), set()).add(cuda)
        for i, node in enumerate(unit.nodes):
            if node.needed:
                self.add_node(unit, node, self.of(unit.home(node.begin)))
        self.add_macros(unit)
        self.add_includes(unit)

    def declare_namespace(self, unit, node):
        """What a `using namespace` names: declared at the top, lest nothing else of it is kept."""
        names, c = [], list(node.cursor.get_children())[-1].referenced
        while c is not None and c.kind == K.NAMESPACE:
            names.insert(0, c.spelling)
            c = c.semantic_parent
        if names and names[0] != "std" and all(names):
            name = "::".join(names)
            self.of(unit.home(node.begin)).put((0, 0, name), f"namespace {name} {{}}")

    def add_node(self, unit, node, to):
        number = 0
        if node.cursor.kind == K.USING_DIRECTIVE:
            self.declare_namespace(unit, node)
        line = unit.place(node.begin)[1]
        siblings = node.parent.children if node.parent else unit.nodes
        first = siblings.index(node)
        while first > 0 and unit.place(siblings[first - 1].begin) == unit.place(node.begin):
            first -= 1
            number += 1
        if node.open is None:
            to.put((line, 1, str(number)), squeeze(self.leaf(unit, node)))
            return
        head = squeeze(unit.text[node.begin : node.open + 1])
        inner = to.put((line, 1, str(number)), head, squeeze(unit.text[node.close : node.end]))
        for child in node.children:
            if child.needed:
                self.add_node(unit, child, inner)

    @staticmethod
    def leaf(unit, node):
        for c in node.cursors:
            if c.kind in FUNCTIONS and unit.body_of(c) and unit.is_stripped(node, c):
                return unit.text[node.begin : unit.head_end(node, c)].rstrip() + ";"
        return unit.text[node.begin : node.end]

    def add_macros(self, unit):
        """The macros that the wrapper's text names, and what they name."""
        by_name = {}
        for file, line, text in unit.defines:
            name = WORD.search(text, len("#define ")).group()
            by_name.setdefault(name, []).append((file, line, text))
        todo, seen = set(unit.spelled), set()
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            for file, line, text in by_name.get(name, []):
                file = os.path.normpath(file)
                if file.startswith(unit.torch):
                    self.of(file[len(unit.torch) :]).put((line, 0, ""), text)
                    todo |= set(WORD.findall(text))

    def add_includes(self, unit):
        for file, line, text in unit.includes:
            file = os.path.normpath(file)
            name = re.match(r'#include\s*[<"]([^>"]*)', text)
            if not name:
                continue
            target = self.resolve(unit, file, name.group(1))
            if file == "<stdin>" and target:
                self.roots.add(target)
            elif file.startswith(unit.torch):
                found = self.includes.setdefault(file[len(unit.torch) :], {})
                found[(line, 0, "1")] = (target, name.group(1))

    @staticmethod
    def resolve(unit, file, name):
        """The header of torch that an #include names, below torch's directory, or None."""
        dirs = ("include", "include/torch/csrc/api/include", os.path.dirname(file))
        for d in dirs:
            path = os.path.normpath(os.path.join(unit.torch, d, name))
            if path.startswith(unit.torch) and os.path.isfile(path):
                return path[len(unit.torch) :]
        return None

    def is_kept(self, file):
        return file in self.roots or bool(self.files.get(file) and self.files[file].items)

    def included(self, target, name, seen):
        """What an #include leads to: a header that is kept, or those that one left out includes."""
        if not target:
            return [name] if name in CUDA + SYSTEM or not re.search(r"[/.]", name) else []
        if self.is_kept(target):
            return [re.sub("^include/(torch/csrc/api/include/)?", "", target)]
        if target in seen:
            return []
        seen.add(target)
        found = []
        for _, (inner, text) in sorted(self.includes.get(target, {}).items()):
            found += self.included(inner, text, seen)
        return found

    def condition(self, file, line):
        present = self.present.get((file, line))
        if not present or present == self.opened[file]:
            return None
        return "#ifdef USE_CUDA" if True in present else "#ifndef USE_CUDA"

    def write(self, to):
        for file in sorted(f for f in self.files.keys() | self.roots if self.is_kept(f)):
            kept, seen, named = self.of(file), {file}, set()
            includes = {}
            for key, (target, name) in sorted(self.includes.get(file, {}).items()):
                found = self.included(target, name, seen)
                includes[key] = [n for n in dict.fromkeys(found) if n not in named]
                named |= set(found)
            for key, names in includes.items():
                if names:
                    kept.put(key, "\n".join(f"#include <{n}>" for n in names))
            out = ["#pragma once"]
            kept.write(out, lambda line: self.condition(file, line))
            path = os.path.join(to, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write("\n".join(out) + "\n")
