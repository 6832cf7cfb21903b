# cut_headers.py TORCH VERSION - writes t/headers/VERSION/torch: of the headers of the torch in the
# directory TORCH, what libclang needs to parse the wrappers of t/corpus/VERSION. Then it rewrites
# each of them with both, and fails where anything differs.
#
# Each header keeps its name, and of its declarations those that a wrapper's text leads to: what an
# expression refers to or has as its type, and what these name in turn. A function is kept with all
# of its name in its scope, so that a call is resolved as it is with torch's own; a class with its
# fields, bases and constructors, and with the members that something names. Bodies of functions go
# unless a constant or a type depends on them. What is kept is preprocessed text.
#
# Wrappers that include the same are read as one: the first as libclang has it, the others by the
# names in their text.
#
# It needs clang's Python module of libclang's version (pip install clang==19.*), LLVM=DIR as make
# does, and a built aotigen.
import bisect
import os
import re
import shutil
import subprocess
import sys

from clang import cindex
from clang.cindex import CursorKind as K

LLVM = os.environ.get("LLVM", "/usr/lib/llvm-19")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MARKER = re.compile(r'^# (\d+) "((?:[^"\\]|\\.)*)"[ \d]*$')
WORD = re.compile(r"[A-Za-z_]\w*")
TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|[A-Za-z_]\w*|\d(?:[\w.\']|[eE][+-])*|::|\S'
)
LAMBDA_CALL = re.compile(r"(\w+)\s*(?:<[^;(){}]*>)?\(\s*\[[&=]?\]")
# Headers of CUDA that torch's include; others of CUDA's are of libraries that no wrapper calls.
CUDA = ("cuda.h", "cuda_runtime.h", "cuda_runtime_api.h")
SYSTEM = ("immintrin.h", "pthread.h", "stdint.h", "stddef.h", "Python.h", "omp.h")
CLASSES = (
    K.CLASS_DECL,
    K.STRUCT_DECL,
    K.UNION_DECL,
    K.CLASS_TEMPLATE,
    K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
)
FUNCTIONS = (
    K.FUNCTION_DECL,
    K.CXX_METHOD,
    K.CONSTRUCTOR,
    K.DESTRUCTOR,
    K.CONVERSION_FUNCTION,
    K.FUNCTION_TEMPLATE,
)
BLOCKS = (K.NAMESPACE, K.LINKAGE_SPEC, K.UNEXPOSED_DECL)
# Members that decide what may be done with a class, though nothing names them.
ALWAYS = (
    K.FIELD_DECL,
    K.CONSTRUCTOR,
    K.DESTRUCTOR,
    K.CONVERSION_FUNCTION,
    K.CXX_ACCESS_SPEC_DECL,
    K.USING_DECLARATION,
)


def read(path):
    with open(path) as f:
        return f.read()


def code_of(text):
    """The text without its comments and strings."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:[^"\\\n]|\\.)*"', " ", text, flags=re.S)


class Node:
    """A declaration, or a block or a class that holds some: text[begin:end]."""

    def __init__(self, parent, begin, end, cursors):
        self.parent, self.begin, self.end, self.cursors = parent, begin, end, cursors
        self.open = self.close = None  # of the braces, where it has children
        self.children = []
        self.needed = self.whole = False

    @property
    def cursor(self):
        return self.cursors[0]


def skip_groups(text, begin, end, stop):
    """The first of the characters `stop` outside of parentheses and braces, or `end`."""
    depth = 0
    for m in TOKEN.finditer(text, begin, end):
        token = m.group()
        if depth == 0 and token in stop:
            return m.start()
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
    return end


class Unit:
    """One wrapper, preprocessed: its nodes, and which of them it needs."""

    def __init__(self, torch, wrappers, index):
        self.torch = os.path.realpath(torch) + "/"
        self.wrapper, texts = wrappers[0], [read(w) for w in wrappers]
        self.raw = texts[0]
        self.code = "\n".join(code_of(t) for t in texts)
        self.spelled = set(WORD.findall(self.code))
        self.defines, self.includes = [], []
        self.preprocess(self.wrapper)
        self.start(index)

    def start(self, index):
        self.parse(index)
        self.nodes, self.by_begin = [], []
        self.by_name, self.aliases, self.directives = {}, [], []
        self.todo = []
        self.words = set(self.spelled)
        self.index_blocks(self.tu.cursor.get_children(), None, 0, len(self.text))
        self.find_functors()
        self.close()

    # ---- text

    def flags(self, wrapper):
        command = subprocess.run(
            [f"{ROOT}/build/aotigen", "--dump=command", f"--torch={self.torch}", "-o", "-", wrapper],
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        ).stdout
        flags = re.findall(r"^compile (-(?:[DIm]|isystem|std|fopenmp).*)", command, re.M)
        return ["-x", "c++", "-w", "-Wno-invalid-constexpr", *flags, "-idirafter", f"{ROOT}/build/tmp/cut"]

    def preprocess(self, wrapper):
        self.args = self.flags(wrapper)
        source = self.raw
        for prefix in ("_inductor/codegen", "include/torch/csrc/inductor"):
            path = f"{self.torch}{prefix}/cpp_prefix.h"
            if os.path.exists(path):
                source = re.sub(r'#include "/tmp/[^"\n]*\.h"', f'#include "{path}"', source)
                break
        os.makedirs(f"{ROOT}/build/tmp/cut", exist_ok=True)
        template = open(f"{ROOT}/templates/omp.tpl").read()
        open(f"{ROOT}/build/tmp/cut/omp.h", "w").write(template)
        whole = subprocess.run(
            [f"{LLVM}/bin/clang", *self.args, "-E", "-dD", "-dI", "-"],
            input=source,
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        ).stdout
        self.read_lines(whole)

    def read_lines(self, whole):
        """Notes markers, macros and includes; leaves blanks in their place."""
        self.starts, self.places = [0], [("", 0)]
        lines, marked, at, file, line = [], [], 0, "", 0
        for text in whole.split("\n"):
            m = MARKER.match(text)
            if m:
                file, line = m.group(2), int(m.group(1)) - 1
            elif text.startswith("#include"):
                self.includes.append((file, line, text))
            elif text.startswith("#define"):
                self.defines.append((file, line, text))
            kept = " " * len(text.encode()) if text.startswith("#") else text
            self.starts.append(at)
            self.places.append((file, line))
            lines.append(kept)
            marked.append(text if m else kept)
            at += len(kept.encode()) + 1
            line += 1
        # Offsets are of bytes.
        self.text = "\n".join(lines).encode().decode("latin-1")
        self.marked = "\n".join(marked)

    def place(self, offset):
        """(file, line) that the preprocessor told of this offset."""
        return self.places[bisect.bisect_right(self.starts, offset) - 1]

    def home(self, offset):
        """The name below torch's directory, or None of another's text."""
        file = os.path.normpath(self.place(offset)[0])
        return file[len(self.torch) :] if file.startswith(self.torch) else None

    def is_wrapper(self, offset):
        return self.place(offset)[0] == "<stdin>"

    def parse(self, index):
        self.tu = index.parse(
            "cut.cpp", self.args, [("cut.cpp", self.marked)], options=0
        )
        for d in self.tu.diagnostics:
            if d.severity >= cindex.Diagnostic.Error:
                sys.exit(f"{self.wrapper}: {d}")

    # ---- nodes

    def index_blocks(self, cursors, parent, begin, end):
        """The declarations between two offsets, of a block or of a class."""
        groups = []
        for c in cursors:
            if c.location.file is None:
                continue
            b, e = c.extent.start.offset, c.extent.end.offset
            if groups and b < groups[-1][1]:
                groups[-1][1] = max(e, groups[-1][1])
                groups[-1][2].append(c)
            elif begin <= b:
                groups.append([b, e, [c]])
        at = begin
        for b, e, found in groups:
            e = self.past_declaration(found, e, end)
            if self.home(b):
                node = Node(parent, max(at, self.skip_space(at, b)), e, found)
                self.add_node(node)
            at = e

    def skip_space(self, at, end):
        """Past blanks and what is of another file."""
        begin = end
        # What stands before the extent: attributes, and `template <>`.
        for m in TOKEN.finditer(self.text, at, end):
            if m.group() != ";" and self.place(m.start())[0] == self.place(end)[0]:
                begin = m.start()
                break
        return begin

    def past_declaration(self, found, e, end):
        if any(c.kind in FUNCTIONS and self.body_of(c) for c in found):
            return e
        if found[0].kind in (K.NAMESPACE, K.LINKAGE_SPEC) and self.text[e - 1] == "}":
            return e
        if found[0].kind == K.UNEXPOSED_DECL and self.text[e - 1] == "}":
            return e
        if found[0].kind == K.CXX_ACCESS_SPEC_DECL:
            return e
        semicolon = skip_groups(self.text, e, end, ";}")
        return semicolon + 1 if self.text[semicolon : semicolon + 1] == ";" else e

    def add_node(self, node):
        c = node.cursor
        (node.parent.children if node.parent else self.nodes).append(node)
        inner = [
            x
            for x in node.cursors
            if x.kind in BLOCKS or (x.kind in CLASSES and x.is_definition())
        ]
        opened = self.text.find("{", c.extent.start.offset, node.end) if inner else -1
        if inner and (inner[0].kind in CLASSES):
            opened = self.class_brace(inner[0], node)
        if opened >= 0:
            node.open = opened
            node.close = self.text.rfind("}", opened, node.end)
            members = list(inner[0].get_children())
            while members and members[0].kind == K.NAMESPACE and (
                members[0].extent.start.offset < opened  # namespace a::b
            ):
                members = list(members[0].get_children())
            self.index_blocks(
                [m for m in members if m.extent.start.offset > opened], node, opened + 1, node.close
            )
        else:
            self.by_begin.append((node.begin, node))
        if c.kind == K.USING_DIRECTIVE:
            self.directives.append(node)
        if c.kind in (K.USING_DECLARATION, K.TYPE_ALIAS_TEMPLATE_DECL, K.CLASS_TEMPLATE):
            name = re.search(r"(?:using\s+(\w+)\s*=|(\w+)\s*;)", self.text[node.begin : node.end])
            name = c.spelling if c.kind == K.CLASS_TEMPLATE else name and (name[1] or name[2])
            if name and not (node.parent and node.parent.cursor.kind in CLASSES):
                self.aliases.append((name, node))
        for x in node.cursors:
            self.by_name.setdefault(self.key(x), []).append(node)
        if opened >= 0:
            self.by_begin.append((node.begin, node))

    def class_brace(self, c, node):
        """Where a class's members begin: behind its bases, which may hold braces."""
        least = c.location.offset
        for child in c.get_children():
            if child.kind == K.CXX_BASE_SPECIFIER:
                least = max(least, child.extent.end.offset)
        return self.text.find("{", least, node.end)

    @staticmethod
    def key(c):
        parent = c.semantic_parent
        return (parent.get_usr() if parent else "", c.spelling)

    def find(self, offset):
        """The innermost node around an offset, or None."""
        i = bisect.bisect_right(self.begins, offset) - 1
        node = self.ordered[i] if i >= 0 else None
        while node and offset >= node.end:
            node = node.parent
        return node

    def body_of(self, cursor):
        """The cursor of a function's body, or None."""
        for child in cursor.get_children():
            if child.kind == K.COMPOUND_STMT and self.text[child.extent.start.offset] == "{":
                return child
        return None

    # ---- what is needed

    def find_functors(self):
        """The function templates that are called with a lambda, and what these call: of a type that
        has no linkage clang wants their bodies."""
        templates = {}
        for _, node in self.by_begin:
            for c in node.cursors:
                if c.kind == K.FUNCTION_TEMPLATE:
                    templates.setdefault(c.spelling, []).append(node)
        todo = {n for n in re.findall(LAMBDA_CALL, self.code) if n in templates}
        self.functors = set()
        while todo:
            name = todo.pop()
            self.functors.add(name)
            for node in templates[name]:
                called = re.findall(r"(\w+)\s*(?:<[^;(){}]*>)?\(", self.text[node.begin : node.end])
                todo |= {n for n in called if n in templates} - self.functors

    def close(self):
        self.by_begin.sort(key=lambda pair: (pair[0], -pair[1].end))
        self.begins = [b for b, _ in self.by_begin]
        self.ordered = [n for _, n in self.by_begin]
        self.seen, self.types, self.classes = set(), set(), []
        for c in self.tu.cursor.get_children():
            if c.location.file and self.is_wrapper(c.extent.start.offset):
                self.read_words(c.extent.start.offset, c.extent.end.offset)
                self.visit(c)
        for node in self.directives:
            self.need_node(node)
        pasted = {m for _, _, text in self.defines if WORD.search(text, len("#define ")).group()
                  in self.spelled for m in re.findall(r"(\w+)\s*##", text)}
        self.spelled |= {n for _, n in self.by_name if any(n.startswith(p) for p in pasted)}
        for (_, name), nodes in self.by_name.items():
            if name in self.spelled:
                for node in nodes:
                    if not (node.parent and node.parent.cursor.kind in CLASSES):
                        self.need_node(node)
        while True:
            while self.todo:
                self.scan(self.todo.pop())
            if not self.add_named():
                break

    def read_words(self, begin, end):
        self.words.update(WORD.findall(self.text, begin, end))

    def visit(self, c, skip=None):
        for child in c.get_children():
            if not skip or not skip(child):
                self.visit(child, skip)
        self.use(c)

    def use(self, c):
        r = c.referenced
        if r is not None and r != c:
            self.need_cursor(r)
        if c.kind == K.OVERLOADED_DECL_REF:
            for i in range(cindex.conf.lib.clang_getNumOverloadedDecls(c)):
                self.need_cursor(cindex.conf.lib.clang_getOverloadedDecl(c, i))
        self.need_type(c.type)

    def need_type(self, t):
        known = (t._kind_id, t.data[0])  # the type itself: what libclang tells of it costs time
        if known in self.types or t.kind == cindex.TypeKind.INVALID:
            return
        self.types.add(known)
        pointee = t.get_pointee()
        if pointee.kind != cindex.TypeKind.INVALID:
            return self.need_type(pointee)
        d = t.get_declaration()
        if d.kind != K.NO_DECL_FOUND:
            self.need_cursor(d)
        for i in range(max(0, t.get_num_template_arguments())):
            self.need_type(t.get_template_argument_type(i))
        canonical = t.get_canonical()
        if canonical != t:
            self.need_type(canonical)

    def need_cursor(self, c):
        if c is None or c.hash in self.seen:
            return
        self.seen.add(c.hash)
        if c.location.file is None:
            return
        template = cindex.conf.lib.clang_getSpecializedCursorTemplate(c)
        if template is not None:
            self.need_cursor(template)
        for x in (c, c.canonical):
            self.need_node(self.find(x.location.offset))
        d = c.get_definition()
        if d is not None and (d.kind not in FUNCTIONS or self.constant(d)):
            self.need_node(self.find(d.location.offset))

    def constant(self, c):
        node = self.find(c.location.offset)
        body = self.body_of(c)
        return node and body and not self.is_stripped(node, c)

    def need_node(self, node):
        if node is None or node.needed or self.is_definition_only(node):
            return
        node.needed = True
        if node.parent:
            self.need_node(node.parent)
        self.todo.append(node)

    def is_definition_only(self, node):
        """True for a member's body that stands outside of its class, and that nothing needs."""
        c = node.cursor
        if c.kind not in FUNCTIONS or c.semantic_parent == c.lexical_parent:
            return False
        return self.body_of(c) is not None and self.is_stripped(node, c)

    def is_stripped(self, node, c):
        """True where nothing depends on the function's body."""
        body = self.body_of(c)
        head = self.text[node.begin : body.extent.start.offset]
        words = WORD.findall(head)
        if c.kind == K.FUNCTION_TEMPLATE and c.spelling in self.functors:
            return False
        return not ("constexpr" in words or "consteval" in words or "decltype" in words
                    and "auto" in words or "auto" in words)

    def scan(self, node):
        """What a needed node names."""
        bodies = []
        for c in node.cursors:
            if c.kind in FUNCTIONS:
                for other in self.by_name.get(self.key(c), []):
                    self.need_node(other)
                if self.body_of(c) and self.is_stripped(node, c):
                    bodies.append(c)
            elif c.kind in CLASSES:
                for other in self.by_name.get(self.key(c), []):
                    self.need_node(other)
        if node.open is not None:
            return self.scan_class(node)
        for c in node.cursors:
            cut = self.body_of(c) if c in bodies else None
            self.scan_part(node, c, cut)

    def scan_part(self, node, c, cut):
        if cut is None:
            self.read_words(node.begin, node.end)
            self.visit(c)
        else:
            end = self.head_end(node, c)
            self.read_words(node.begin, end)
            self.visit(c, lambda x: x.extent.start.offset >= end)

    def scan_class(self, node):
        c = next((x for x in node.cursors if x.kind in CLASSES), None)
        if c is None:
            return
        self.classes.append(node)
        self.read_words(node.begin, node.open)
        for child in c.get_children():
            if child.extent.start.offset < node.open:
                self.visit(child)
        for x in node.cursors:
            if x != c:
                self.use(x)
        for member in node.children:
            if any(m.kind in ALWAYS or m.spelling.startswith("operator") or
                   (m.kind in (K.STRUCT_DECL, K.UNION_DECL) and not m.spelling.isidentifier()) or
                   (m.kind == K.FUNCTION_TEMPLATE and m.spelling.split("<")[0] == c.spelling)
                   for m in member.cursors):
                self.need_node(member)

    def add_named(self):
        """What something kept names, though no reference was seen: in templates, and by `using`."""
        before = len(self.todo)
        for name, node in self.aliases:
            if not node.needed and name in self.words:
                self.need_node(node)
        for node in self.classes:
            for member in node.children:
                if not member.needed and any(m.spelling in self.words for m in member.cursors):
                    self.need_node(member)
        return len(self.todo) > before

    def head_end(self, node, c):
        """Where a function's declaration ends: before its body and its initializers."""
        body = self.body_of(c).extent.start.offset
        if c.kind == K.CONSTRUCTOR or c.kind == K.FUNCTION_TEMPLATE:
            colon = skip_groups(self.text, node.begin, body, ":")
            return colon
        return body


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
        """What a `using namespace` names is declared at the top, lest nothing else of it is kept."""
        names, c = [], next(iter(node.cursor.get_children()), node.cursor).referenced
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


def wrappers_of(version):
    found = []
    for top in (version, f"lines/{version}", *(["threads"] if version == "2.11.0" else [])):
        for folder, _, names in os.walk(f"{ROOT}/t/corpus/{top}"):
            found += [os.path.join(folder, n) for n in names if n == "wrapper.cpp"]
    return sorted(found)


def groups_of(wrappers):
    """Those that include the same, compiled with the same macros."""
    groups = {}
    for wrapper in wrappers:
        text = read(wrapper)
        what = re.findall(r"^#include .*$| -D\S+", text, re.M)
        groups.setdefault(frozenset(what), []).append(wrapper)
    return groups.values()


def differs(torch, cut, wrapper):
    """The first dump that differs, or None."""
    for dump in ("model", "edits", "kernels"):
        told = [
            subprocess.run(
                [f"{ROOT}/build/aotigen", "-q", f"--dump={dump}", f"--torch={t}", "-o", "-", wrapper],
                stdout=subprocess.PIPE,
                text=True,
            )
            for t in (torch, cut)
        ]
        if told[1].returncode or told[0].stdout != told[1].stdout:
            return dump
    return None


def main():
    torch, version = sys.argv[1:]
    cindex.Config.set_library_file(f"{LLVM}/lib/libclang.so")
    index, headers = cindex.Index.create(), Headers()
    wrappers = wrappers_of(version)
    for group in groups_of(wrappers):
        headers.add(Unit(torch, group, index))
    to = f"{ROOT}/t/headers/{version}/torch"
    shutil.rmtree(to, ignore_errors=True)
    headers.write(to)
    shutil.copy(f"{torch}/version.py", to)
    os.makedirs(f"{to}/include/torch/csrc/inductor", exist_ok=True)
    wrong = [(w, d) for w in wrappers for d in [differs(torch, to, w)] if d]
    for wrapper, dump in wrong:
        print(f"{wrapper}: --dump={dump} differs", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
