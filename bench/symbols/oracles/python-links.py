"""Prints, as JSON, what names and attributes of a Python package lead to, and what members override, as far as it can
be proven: names by their scopes and imports, attributes by the class of their object, which `self`, `cls`, `super()`,
annotations and calls of classes show, members by the inheritance of their classes. Classes of other packages count if
they can be imported. What cannot be proven has no link. With `members`, it prints the methods of the package's classes.

usage: python-links.py links|members <directory> <source root>…
"""

import ast
import importlib
import json
import os
import re
import sys
import warnings

from python_modules import Module, absolute_name, read_modules

warnings.simplefilter("ignore")

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Statements that bind their names when they are through: `name = staticmethod(name)` reads another one.
BINDING = (*FUNCTIONS, ast.ClassDef, ast.Assign, ast.AugAssign, ast.AnnAssign)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
MAX_DEPTH = 12
TEST = re.compile(r"(^|/)(tests?|bench|examples|docs)/|(^|/)(test_\w+|conftest|exercise)\.py$")


class Scope:
    """Names that a module, class, function or comprehension binds: name → list of (node, position)."""

    def __init__(self, kind, node, parent, module):
        self.kind, self.node, self.parent, self.module = kind, node, parent, module
        self.bindings = {}
        self.globals, self.nonlocals = set(), set()
        # Of a class, name → (line, column) where its first binding ends.
        self.since = {}
        self.klass = None


class Class:
    def __init__(self, node, scope):
        self.node, self.scope = node, scope
        self.module = scope.module
        self.bases = []
        # Attributes that methods assign to `self`: name → list of (node, position).
        self.attributes = {}

    def own(self, name):
        return self.scope.bindings.get(name) or self.attributes.get(name)


class LinkedModule(Module):
    def __init__(self, *parts):
        super().__init__(*parts)
        self.scope = Scope("module", self.tree, None, self)
        self.scopes = {}

    def name_position(self, node):
        """Returns the position of the name that a definition, alias, handler or pattern binds."""
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            text = self.lines[node.lineno - 1].encode()
            found = re.compile(rb"(?:async\s+)?(?:def|class)\s+").match(text, node.col_offset)
            return self.position(node.lineno, found.end() if found else node.col_offset)
        if isinstance(node, ast.alias):
            name = node.asname or node.name
            column = node.end_col_offset - len(name.encode()) if node.asname else node.col_offset
            return self.position(node.end_lineno if node.asname else node.lineno, column)
        name = getattr(node, "name", None)
        if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and name:
            text = self.lines[node.lineno - 1]
            found = re.compile(rf"\b{re.escape(name)}\b").search(text, node.col_offset)
            return self.position(node.lineno, len(text[: found.start()].encode()) if found else node.col_offset)
        return self.position(node.lineno, node.col_offset)


class Binder(ast.NodeVisitor):
    """Fills the scopes of a module."""

    def __init__(self, module, classes):
        self.module, self.classes = module, classes
        self.scope = module.scope
        self.statement = None

    def visit(self, node):
        if isinstance(node, ast.stmt):
            self.statement = node
        super().visit(node)

    def bind(self, name, node, position=None):
        scope = self.scope
        if isinstance(node, ast.NamedExpr):
            while scope.kind == "comprehension":
                scope = scope.parent
        if name in scope.globals:
            scope = self.module.scope
        elif name in scope.nonlocals:
            scope = enclosing(scope, name) or scope
        if scope.kind == "class":
            ending = self.statement if isinstance(self.statement, BINDING) else node
            scope.since.setdefault(name, (ending.end_lineno, ending.end_col_offset))
        scope.bindings.setdefault(name, []).append((node, position or self.module.name_position(node)))

    def within(self, kind, node, visit):
        outer, self.scope = self.scope, Scope(kind, node, self.scope, self.module)
        self.module.scopes[node] = self.scope
        visit(self.scope)
        self.scope = outer

    def visit_ClassDef(self, node):
        self.bind(node.name, node)
        for part in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(part)

        def body(scope):
            scope.klass = Class(node, scope)
            self.classes.append(scope.klass)
            for statement in node.body:
                self.visit(statement)

        self.within("class", node, body)

    def visit_FunctionDef(self, node):
        self.bind(node.name, node)
        for part in node.decorator_list:
            self.visit(part)
        self.function(node, node.body)
        if node.returns:
            self.visit(node.returns)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.function(node, [node.body])

    def function(self, node, statements):
        args = node.args
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, [args.vararg, args.kwarg])]
        for part in [*args.defaults, *filter(None, args.kw_defaults), *(a.annotation for a in every if a.annotation)]:
            self.visit(part)

        def body(scope):
            for statement in statements:
                for inner in own_nodes(statement):
                    if isinstance(inner, ast.Global):
                        scope.globals.update(inner.names)
                    elif isinstance(inner, ast.Nonlocal):
                        scope.nonlocals.update(inner.names)
            for arg in every:
                self.bind(arg.arg, arg)
            for statement in statements:
                self.visit(statement)

        self.within("function", node, body)

    def comprehension(self, node):
        self.visit(node.generators[0].iter)

        def body(scope):
            for index, generator in enumerate(node.generators):
                self.visit(generator.target)
                if index > 0:
                    self.visit(generator.iter)
                for condition in generator.ifs:
                    self.visit(condition)
            for field in ("elt", "key", "value"):
                if hasattr(node, field):
                    self.visit(getattr(node, field))

        self.within("comprehension", node, body)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load):
            self.bind(node.id, node)

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        self.bind(node.target.id, node, self.module.position(node.target.lineno, node.target.col_offset))

    def visit_Import(self, node):
        for alias in node.names:
            self.bind(alias.asname or alias.name.split(".")[0], alias)
            alias.source = (alias.name if alias.asname else alias.name.split(".")[0], None)

    def visit_ImportFrom(self, node):
        for alias in node.names:
            alias.source = (absolute_name(self.module.name, self.module.is_package, node), alias.name)
            if alias.name == "*":
                self.module.scope.bindings.setdefault("*", []).append((alias, None))
            else:
                self.bind(alias.asname or alias.name, alias)

    def visit_ExceptHandler(self, node):
        if node.name:
            self.bind(node.name, node)
        self.generic_visit(node)

    def visit_MatchAs(self, node):
        if node.name:
            self.bind(node.name, node)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchAs


def own_nodes(node):
    """Yields the nodes of a statement that belong to the same scope."""
    yield node
    if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
        for child in ast.iter_child_nodes(node):
            yield from own_nodes(child)


def enclosing(scope, name):
    scope = scope.parent
    while scope is not None:
        if scope.kind in ("function", "comprehension") and name in scope.bindings:
            return scope
        scope = scope.parent
    return None


def find_scope(scope, name):
    """Returns the scope whose binding a name means there."""
    if name in scope.globals:
        return scope.module.scope
    if name in scope.bindings and name not in scope.nonlocals:
        return scope
    outer = scope.parent
    while outer is not None:
        if outer.kind != "class" and name in outer.bindings:
            return outer
        outer = outer.parent
    return None


class Linker:
    def __init__(self, modules):
        self.modules = modules
        self.classes = []
        self.links = []
        self.orders = {}
        for module in modules.values():
            Binder(module, self.classes).visit(module.tree)
        for one in self.classes:
            one.bases = [self.infer(base, one.scope.parent) for base in one.node.bases]
        for one in self.classes:
            self.collect_attributes(one)

    def collect_attributes(self, one):
        for method in one.node.body:
            if not isinstance(method, FUNCTIONS) or not method.args.args or is_decorated(method, "staticmethod"):
                continue
            owner = method.args.args[0].arg
            for node in ast.walk(method):
                is_own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == owner
                if is_own and isinstance(node.ctx, ast.Store) and node.attr not in one.scope.bindings:
                    known = one.attributes.setdefault(node.attr, [])
                    known.append((node, attribute_position(one.module, node)))

    # What a name is.

    def bindings_of(self, scope, name):
        """Returns (node, position, scope) of everything that a name may mean, imports followed."""
        found = find_scope(scope, name)
        return [] if found is None else self.followed(found, name, 0)

    def followed(self, scope, name, depth):
        result = []
        for node, position in scope.bindings.get(name, []):
            if isinstance(node, ast.alias):
                # `from . import name` in a package leads to itself, and then to the module of that name.
                result += self.imported(node.source, depth) if depth < MAX_DEPTH else []
            else:
                result.append((node, position, scope))
        if not result and depth < MAX_DEPTH:
            for alias, _ in scope.bindings.get("*", []):
                source = self.modules.get(alias.source[0])
                if source is not None and name in source.scope.bindings:
                    result += self.followed(source.scope, name, depth + 1)
        return result

    def imported(self, source, depth=0):
        module_name, name = source
        module = self.modules.get(module_name)
        if name is None:
            return [(module or External(module_name), module_position(module) or module_name, None)]
        inner = self.modules.get(f"{module_name}.{name}")
        if module is not None and (name in module.scope.bindings or "*" in module.scope.bindings):
            found = self.followed(module.scope, name, depth + 1)
            if found:
                return found
        if inner is not None:
            return [(inner, module_position(inner), None)]
        if module is not None:
            return []
        return [(External(module_name, name), f"{module_name}.{name}", None)]

    # What an expression is: ("class" | "instance" | "super", Class or External), ("module", Module), or None.

    def infer(self, node, scope, depth=0):
        if depth > MAX_DEPTH or scope is None:
            return None
        if isinstance(node, ast.Name):
            return self.infer_name(node.id, scope, depth)
        if isinstance(node, ast.Subscript):
            value = self.infer(node.value, scope, depth + 1)
            return value if value and value[0] == "class" else None
        if isinstance(node, ast.Call):
            return self.infer_call(node, scope, depth)
        if isinstance(node, ast.Attribute):
            owner = self.infer(node.value, scope, depth + 1)
            return None if owner is None else self.infer_attribute(owner, node.attr, depth)
        return None

    def infer_name(self, name, scope, depth):
        found = self.bindings_of(scope, name)
        if len(found) != 1:
            return None
        node, _, where = found[0]
        if isinstance(node, Module):
            return ("module", node)
        if isinstance(node, External):
            return node.kind()
        return self.infer_binding(node, name, where, depth)

    def infer_binding(self, node, name, where, depth):
        if isinstance(node, ast.ClassDef):
            return ("class", where.module.scopes[node].klass)
        if isinstance(node, ast.arg):
            return self.infer_argument(node, where, depth)
        if isinstance(node, FUNCTIONS):
            return ("function", (node, where))
        statement = self.statements(where.module).get(node)
        if isinstance(statement, ast.AnnAssign):
            return self.annotated(statement.annotation, where, depth)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.targets[0] is node:
            value = self.infer(statement.value, where, depth + 1)
            return value if value and value[0] in ("instance", "class") else None
        return None

    def statements(self, module):
        """Returns the statement of each target of an assignment."""
        if not hasattr(module, "targets"):
            module.targets = {}
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Assign):
                    module.targets.update((target, node) for target in node.targets)
                elif isinstance(node, ast.AnnAssign):
                    module.targets[node.target] = node
        return module.targets

    def infer_argument(self, arg, scope, depth):
        function = scope.node
        outer = scope.parent
        if isinstance(function, FUNCTIONS) and outer is not None and outer.klass and first_argument(function) is arg:
            if is_decorated(function, "staticmethod"):
                return None
            is_class = is_decorated(function, "classmethod") or function.name in ("__new__", "__init_subclass__")
            return ("class" if is_class else "instance", outer.klass)
        return self.annotated(arg.annotation, outer, depth) if arg.annotation else None

    def annotated(self, annotation, scope, depth):
        """Returns the instance that an annotation promises; `None` beside it does not matter."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                annotation = ast.parse(annotation.value, mode="eval").body
            except SyntaxError:
                return None
        if isinstance(annotation, ast.BinOp):
            parts = [p for p in (annotation.left, annotation.right) if not is_none(p)]
            return self.annotated(parts[0], scope, depth) if len(parts) == 1 else None
        if isinstance(annotation, ast.Subscript):
            name = annotation.value.attr if isinstance(annotation.value, ast.Attribute) else getattr(annotation.value, "id", "")
            if name in ("Optional", "Final"):
                return self.annotated(annotation.slice, scope, depth)
            if name in ("Type", "type", "Union", "Annotated", "ClassVar", "Literal", "Callable"):
                return None
        found = self.infer(annotation, scope, depth + 1) if annotation is not None else None
        return ("instance", found[1]) if found and found[0] == "class" else None

    def infer_call(self, node, scope, depth):
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            while scope is not None and scope.klass is None:
                scope = scope.parent
            return ("super", scope.klass) if scope else None
        called = self.infer(node.func, scope, depth + 1)
        if called is None:
            return None
        if called[0] == "class":
            return ("instance", called[1])
        if called[0] == "function":
            function, where = called[1]
            is_plain = not isinstance(function, ast.AsyncFunctionDef) and not function.decorator_list
            return self.annotated(function.returns, where, depth + 1) if function.returns and is_plain else None
        return None

    def infer_attribute(self, owner, name, depth):
        kind, value = owner
        if kind == "module":
            return value.attribute(name) if isinstance(value, External) else self.infer_name(name, value.scope, depth + 1)
        if isinstance(value, External) or kind == "function":
            return None
        found = self.find_member(value, name, kind == "super")
        if found is None or isinstance(found[0], External) or len(found[1]) != 1:
            return None
        klass, [(node, _)] = found
        if isinstance(node, FUNCTIONS):
            if is_decorated(node, "property") or is_decorated(node, "cached_property"):
                return self.annotated(node.returns, klass.scope, depth + 1) if node.returns else None
            return ("function", (node, klass.scope))
        if isinstance(node, ast.Attribute):
            return self.infer_assigned(node, klass, depth)
        return self.infer_binding(node, name, klass.scope, depth)

    def infer_assigned(self, node, klass, depth):
        """Returns what `self.name` is, from its only assignment."""
        statement = self.statements(klass.module).get(node)
        method = next((m for m in klass.node.body if isinstance(m, FUNCTIONS) and m.lineno <= node.lineno <= m.end_lineno), None)
        scope = klass.module.scopes.get(method)
        if isinstance(statement, ast.AnnAssign):
            return self.annotated(statement.annotation, scope, depth + 1)
        if isinstance(statement, ast.Assign):
            value = self.infer(statement.value, scope, depth + 1)
            return value if value and value[0] == "instance" else None
        return None

    # Members.

    def order(self, klass):
        """Returns the classes in which Python looks for a member, in its order; None for one that is not known."""
        if klass not in self.orders:
            self.orders[klass] = [klass]
            found = []
            for base in klass.bases:
                if base is None or base[0] != "class":
                    found.append(None)
                else:
                    found += [base[1]] if isinstance(base[1], External) else self.order(base[1])
            # The last of several places counts.
            kept = [one for index, one in enumerate(found) if one is None or one not in found[index + 1 :]]
            self.orders[klass] = [klass, *kept]
        return self.orders[klass]

    def find_member(self, klass, name, after_own=False):
        for one in self.order(klass)[1 if after_own else 0 :]:
            if one is None:
                return None
            if isinstance(one, External):
                owner = one.owner_of(name)
                if owner:
                    return one, owner
            elif one.own(name):
                return one, one.own(name)
        return None

    # Links.

    def add(self, kind, at, name, to):
        if at is not None and to:
            self.links.append({"kind": kind, "at": at, "name": name, "to": to})

    def all(self):
        for module in self.modules.values():
            self.walk(module.tree, module.scope)
        for one in self.classes:
            self.overrides(one)
        return self.links

    def walk(self, node, scope):
        module = scope.module
        if isinstance(node, ast.Name):
            is_early = isinstance(node.ctx, ast.Load) and (node.lineno, node.col_offset) < scope.since.get(node.id, (0, 0))
            # A class reads a name that it has not bound yet from its module.
            found = self.bindings_of(module.scope if is_early else scope, node.id)
            self.add("use", module.position(node.lineno, node.col_offset), node.id, [position for _, position, _ in found if position])
        elif isinstance(node, ast.alias) and node.source[1] not in (None, "*"):
            targets = [position for _, position, _ in self.imported(node.source) if position]
            self.add("use", module.position(node.lineno, node.col_offset), node.name, targets)
        elif isinstance(node, ast.Attribute):
            self.attribute(node, scope)
        if isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            inner = module.scopes[node]
            body = node.body if isinstance(node.body, list) else [node.body]
            for child in ast.iter_child_nodes(node):
                self.walk(child, inner if child in body else scope)
        elif isinstance(node, COMPREHENSIONS):
            inner = module.scopes[node]
            for child in ast.iter_child_nodes(node):
                self.walk(child, inner)
        else:
            for child in ast.iter_child_nodes(node):
                self.walk(child, scope)

    def attribute(self, node, scope):
        owner = self.infer(node.value, scope)
        if owner is None or owner[0] == "function":
            return
        at = attribute_position(scope.module, node)
        kind, value = owner
        if kind == "module":
            if isinstance(value, External):
                targets = [f"{value.name}.{node.attr}"] if hasattr(value.value, node.attr) else []
            else:
                targets = [position for _, position, _ in self.imported((value.name, node.attr)) if position]
        elif isinstance(value, External):
            found = value.owner_of(node.attr)
            targets = [found] if found else []
        else:
            found = self.find_member(value, node.attr, kind == "super")
            targets = [] if found is None else [found[1]] if isinstance(found[1], str) else [p for _, p in found[1]]
        self.add("use", at, node.attr, targets)

    def members(self):
        """Returns the methods that are defined once, of classes that are not in functions."""
        found = []
        for one in self.classes:
            path, scope = [], one.scope
            while scope.kind == "class":
                path.insert(0, scope.node.name)
                scope = scope.parent
            if scope.kind != "module" or TEST.search(one.module.path):
                continue
            for name, definitions in one.scope.bindings.items():
                if len(definitions) == 1 and isinstance(definitions[0][0], FUNCTIONS):
                    at, exported = definitions[0][1], not name.startswith("_")
                    row = {"name": name, "namePath": "/".join([*path, name]), "kind": "method", "isExported": exported, "at": at}
                    found.append(row)
        return found

    def overrides(self, klass):
        """Links the members of each class in the order of one class to those of the classes behind it."""
        order = self.order(klass)
        for index, one in enumerate(order):
            if one is None or isinstance(one, External):
                continue
            for name, definitions in one.scope.bindings.items():
                if name == "*" or (name.startswith("__") and not name.endswith("__")):
                    continue
                targets = []
                for other in order[index + 1 :]:
                    if isinstance(other, External):
                        owner = other.owner_of(name)
                        targets += [owner] if owner else []
                    elif other is not None:
                        targets += [position for _, position in other.own(name) or []]
                is_method = any(isinstance(node, FUNCTIONS) for node, _ in definitions)
                if is_method and re.fullmatch(r"__\w+__", name):
                    targets.append(name)
                for _, position in definitions:
                    self.add("override", position, name, targets)


class External:
    """A module of another package, or what one declares."""

    known = {}

    def __init__(self, module, name=None):
        self.name = module if name is None else f"{module}.{name}"
        if self.name not in External.known:
            External.known[self.name] = External.load(module, name)
        self.value = External.known[self.name]

    @staticmethod
    def load(module, name):
        try:
            loaded = importlib.import_module(module)
            return loaded if name is None else getattr(loaded, name)
        except BaseException:
            return None

    def __eq__(self, other):
        return isinstance(other, External) and other.name == self.name

    def __hash__(self):
        return hash(self.name)

    def kind(self):
        if isinstance(self.value, type):
            return ("class", self)
        return ("module", self) if isinstance(self.value, type(os)) else None

    def attribute(self, name):
        """Returns what an attribute of this module is, if it is a class or module."""
        return External(self.name, name).kind() if hasattr(self.value, name) else None

    def owner_of(self, name):
        """Returns the qualified name of a member of a class, or None."""
        if not isinstance(self.value, type):
            return None
        for one in self.value.__mro__:
            if name in vars(one):
                return f"{one.__module__}.{one.__qualname__}.{name}"
        return None


def module_position(module):
    return None if module is None else {"file": module.path, "line": 0, "column": 0}


def attribute_position(module, node):
    return module.position(node.end_lineno, node.end_col_offset - len(node.attr.encode()))


def first_argument(function):
    every = [*function.args.posonlyargs, *function.args.args]
    return every[0] if every else None


def is_decorated(function, name):
    return any(getattr(d, "id", getattr(d, "attr", "")) == name for d in function.decorator_list)


def is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def main():
    task, directory, *roots = sys.argv[1:]
    sys.setrecursionlimit(10_000)
    # Imported modules may print.
    out, sys.stdout = sys.stdout, open(os.devnull, "w")
    modules = {}
    for module in read_modules(directory, roots, LinkedModule):
        modules.setdefault(module.name, module)
    linker = Linker(modules)
    out.write(json.dumps(linker.all() if task == "links" else linker.members()))


main()
