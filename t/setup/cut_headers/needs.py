# needs.py - which declarations of torch's headers a wrapper leads to: see main.py.
import re

from clang import cindex
from clang.cindex import CursorKind as K

from unit import ALWAYS, CLASSES, CLASS_TEMPLATES, FRIEND, FUNCTIONS, WORD, Unit, skip_groups


class Needs(Unit):
    """A wrapper whose `nodes` are marked, where it needs them."""

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
        pasted = {
            m
            for _, _, text in self.defines
            if WORD.search(text, len("#define ")).group() in self.spelled
            for m in re.findall(r"(\w+)\s*##", text)
        }
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
        if c.kind == K.FUNCTION_TEMPLATE and c.spelling in self.bodies:
            return False
        holder = node.parent.cursor if node.parent else c
        if holder.kind in CLASS_TEMPLATES and holder.spelling in self.bodies:
            return False
        return not (
            "constexpr" in words
            or "consteval" in words
            or "decltype" in words
            and "auto" in words
            or "auto" in words
        )

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
            if FRIEND.match(self.text, member.begin) or any(
                m.kind in ALWAYS
                or m.spelling.startswith("operator")
                or (m.kind in (K.STRUCT_DECL, K.UNION_DECL) and not m.spelling.isidentifier())
                or (m.kind == K.FUNCTION_TEMPLATE and m.spelling.split("<")[0] == c.spelling)
                for m in member.cursors
            ):
                self.need_node(member)

    def add_named(self):
        """What something kept names, though no reference was seen: in templates, and by `using`."""
        before = len(self.todo)
        for name, node in self.aliases:
            if not node.needed and name in self.words:
                self.need_node(node)
        names = {c.spelling for node in self.classes for c in node.cursors}
        for words, node in self.operators:
            if not node.needed and not words.isdisjoint(names):
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
