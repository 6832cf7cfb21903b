# unit.py - one wrapper, preprocessed and parsed, as declarations of torch's headers: see main.py.
import bisect
import os
import re
import subprocess
import sys

from clang import cindex
from clang.cindex import CursorKind as K

LLVM = os.environ.get("LLVM", "/usr/lib/llvm-19")
ROOT = os.path.abspath(f"{os.path.dirname(__file__)}/../../..")
MARKER = re.compile(r'^# (\d+) "((?:[^"\\]|\\.)*)"[ \d]*$')
WORD = re.compile(r"[A-Za-z_]\w*")
TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|[A-Za-z_]\w*|\d(?:[\w.\']|[eE][+-])*|::|\S'
)
FRIEND = re.compile(
    r"(?:template\s*<[^>]*>\s*)?friend\b(?:\s+(?:class|struct)\b|[^{};]*\boperator[^{};]*;)"
)
# libclang wants the body of a function that is instantiated with a lambda of the wrapper.
BODY_WANTED = re.compile(r"function '(?:\w+::)*(\w+)<.*' is used but not defined")
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
CLASS_TEMPLATES = (K.CLASS_TEMPLATE, K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
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

    def __init__(self, torch, wrappers, bodies, index):
        self.bodies = bodies  # names of templates whose bodies stay
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
        self.by_name, self.aliases, self.directives, self.operators = {}, [], [], []
        self.todo = []
        self.words = set(self.spelled)
        self.index_blocks(self.tu.cursor.get_children(), None, 0, len(self.text))
        self.close()

    # ---- text

    def flags(self, wrapper):
        command = subprocess.run(
            [
                f"{ROOT}/build/aotigen",
                "--dump=command",
                f"--torch={self.torch}",
                "-o",
                "-",
                wrapper,
            ],
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        ).stdout
        flags = re.findall(r"^compile (-(?:[DIm]|isystem|std|fopenmp).*)", command, re.M)
        return [
            "-x",
            "c++",
            "-w",
            "-Wno-invalid-constexpr",
            *flags,
            "-idirafter",
            f"{ROOT}/build/tmp/cut",
            "-iquote",
            os.path.dirname(wrapper),  # a package's model may have a header of its own
        ]

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
        self.tu = index.parse("cut.cpp", self.args, [("cut.cpp", self.marked)], options=0)
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
        if found[0].kind in (K.UNEXPOSED_DECL, K.FRIEND_DECL) and self.text[e - 1] == "}":
            return e
        if found[0].kind == K.CXX_ACCESS_SPEC_DECL:
            return e
        semicolon = skip_groups(self.text, e, end, ";}")
        return semicolon + 1 if self.text[semicolon : semicolon + 1] == ";" else e

    def add_node(self, node):
        c = node.cursor
        (node.parent.children if node.parent else self.nodes).append(node)
        inner = [
            x for x in node.cursors if x.kind in BLOCKS or (x.kind in CLASSES and x.is_definition())
        ]
        opened = self.text.find("{", c.extent.start.offset, node.end) if inner else -1
        if inner and (inner[0].kind in CLASSES):
            opened = self.class_brace(inner[0], node)
        if opened >= 0:
            node.open = opened
            node.close = self.text.rfind("}", opened, node.end)
            members = list(inner[0].get_children())
            while (
                members
                and members[0].kind == K.NAMESPACE
                and (members[0].extent.start.offset < opened)  # namespace a::b
            ):
                members = list(members[0].get_children())
            self.index_blocks(
                [m for m in members if m.extent.start.offset > opened], node, opened + 1, node.close
            )
        else:
            self.by_begin.append((node.begin, node))
        if c.kind == K.USING_DIRECTIVE:
            self.directives.append(node)
        if c.kind in (K.FUNCTION_DECL, K.FUNCTION_TEMPLATE) and c.spelling.startswith("operator"):
            body = self.body_of(c)
            end = body.extent.start.offset if body else node.end
            self.operators.append((set(WORD.findall(self.text, node.begin, end)), node))
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
