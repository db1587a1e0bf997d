"""Prints, as JSON, the module-level functions and classes of a package, their methods, and a lower bound of their uses.

Python has no compiler that knows all references. What `ast` and scope analysis prove is: names that resolve to a
module-level binding, names imported from a module under the same or another name, and attributes of imported modules.
A name that is bound more than once, or in a way that depends on the run, is not counted.

usage: python-references.py <directory> <source root>…
"""

import ast
import collections
import json
import re
import sys
import types
import warnings

from python_modules import absolute_name, files_of, read_modules

warnings.simplefilter("ignore")


def collect_bindings(module):
    """Records what each name at module level is bound to; a conditional or repeated binding is doubtful."""

    def visit(statements):
        for node in statements:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                module.bind(node.name, ("own", node))
            elif isinstance(node, ast.ImportFrom):
                source = absolute_name(module.name, module.is_package, node)
                for alias in node.names:
                    module.bind(alias.asname or alias.name, ("from", source, alias.name))
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.asname:
                        module.bind(alias.asname, ("module", alias.name))
                    else:
                        module.bind(alias.name.split(".")[0], ("module", alias.name.split(".")[0]))
            else:
                for name in stored_names(node):
                    module.bind(name, ("other",))
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(node, field, []))
                for handler in getattr(node, "handlers", []):
                    visit(handler.body)

    visit(module.tree.body)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global):
            module.is_doubtful.update(node.names)


def stored_names(node):
    """Returns the names that a statement itself binds, without those of the statements in it."""
    found = []
    todo = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]
    while todo:
        child = todo.pop()
        if isinstance(child, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.ExceptHandler)):
            continue
        if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
            found.append(child.id)
        todo.extend(c for c in ast.iter_child_nodes(child) if not isinstance(c, ast.stmt))
    return found


class Resolver:
    def __init__(self, modules):
        self.by_name = {}
        for module in modules:
            if module.name in self.by_name:
                self.by_name[module.name] = None
            else:
                self.by_name[module.name] = module

    def resolve(self, module, name, depth=0):
        """Returns (module, definition) of a name at module level, through re-exports, or None."""
        if module is None or depth > 20 or name in module.is_doubtful:
            return None
        binding = module.bindings.get(name)
        if binding is None:
            return None
        if binding[0] == "own":
            return (module, binding[1])
        if binding[0] == "from":
            return self.resolve(self.by_name.get(binding[1]), binding[2], depth + 1)
        return None

    def module_of(self, module, node):
        """Returns the module that an expression such as `a.b` stands for, or None."""
        if isinstance(node, ast.Name):
            if node.id in module.is_doubtful:
                return None
            binding = module.bindings.get(node.id)
            if binding is None:
                return None
            if binding[0] == "module":
                return self.by_name.get(binding[1])
            if binding[0] == "from":
                return self.by_name.get(binding[1] + "." + binding[2])
        if isinstance(node, ast.Attribute):
            outer = self.module_of(module, node.value)
            if outer is not None and node.attr not in outer.bindings:
                return self.by_name.get(outer.name + "." + node.attr)
        return None


class Uses(ast.NodeVisitor):
    """Collects the places of names that resolve to definitions, leaving out those that a function binds itself."""

    def __init__(self, module, resolver, found, elsewhere):
        self.module = module
        self.resolver = resolver
        self.found = found
        # (path, line, name) → number of names there that resolve to a local variable.
        self.elsewhere = elsewhere
        # Each scope maps its names to their import, or to None for any other binding.
        self.scopes = []

    def add(self, target, name, line, column):
        if target is not None:
            self.found.setdefault(id(target[1]), []).append((name, self.module.path, line, column))

    def is_local(self, name):
        return any(name in scope for scope in self.scopes)

    def visit_Name(self, node):
        scope = next((scope for scope in reversed(self.scopes) if node.id in scope), None)
        if scope is None:
            target = self.resolver.resolve(self.module, node.id)
            self.add(target, node.id, node.lineno, node.col_offset)
        elif scope[node.id] is not None:
            source, name = scope[node.id]
            target = self.resolver.resolve(self.resolver.by_name.get(source), name)
            if target is not None:
                self.add(target, node.id, node.lineno, node.col_offset)
        else:
            key = (self.module.path, node.lineno - 1, node.id)
            self.elsewhere[key] = self.elsewhere.get(key, 0) + 1

    def visit_Attribute(self, node):
        root = node.value
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and not self.is_local(root.id):
            outer = self.resolver.module_of(self.module, node.value)
            if outer is not None:
                target = self.resolver.resolve(outer, node.attr)
                self.add(target, node.attr, node.end_lineno, None)
        self.generic_visit(node)

    def visit_ImportFrom(self, node):
        source = self.resolver.by_name.get(absolute_name(self.module.name, self.module.is_package, node))
        for alias in node.names:
            target = self.resolver.resolve(source, alias.name)
            self.add(target, alias.name, alias.lineno, alias.col_offset)

    def function(self, node):
        for part in [*getattr(node, "decorator_list", []), *node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(part)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        arguments += filter(None, [node.args.vararg, node.args.kwarg])
        for argument in arguments:
            if argument.annotation is not None:
                self.visit(argument.annotation)
        if getattr(node, "returns", None) is not None:
            self.visit(node.returns)
        self.scopes.append({argument.arg: None for argument in arguments} | bound_in(self.module, node))
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(statement)
        self.scopes.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = function

    def visit_ClassDef(self, node):
        for part in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(part)
        # Names of a class body are visible in the body alone, not in its methods, and only once they are bound.
        bound = {}
        for statement in node.body:
            added = bound_in(self.module, types.SimpleNamespace(body=[statement]))
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.visit(statement)
            else:
                # `name = staticmethod(name)` reads another one.
                is_after = isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign))
                self.scopes.append(bound if is_after else {**bound, **added})
                self.visit(statement)
                self.scopes.pop()
            bound = {**bound, **added}

    def comprehension(self, node):
        bound = {n.id: None for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        self.scopes.append(bound)
        self.generic_visit(node)
        self.scopes.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension


def bound_in(module, node):
    """Returns the names that a function or class binds itself: (module, name) of an import, None for the others."""
    bound, free = {}, set()

    def add(name, binding=None):
        bound[name] = None if name in bound else binding

    todo = list(node.body) if isinstance(node.body, list) else [node.body]
    while todo:
        child = todo.pop()
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            add(child.name)
            continue
        if isinstance(child, ast.Lambda):
            continue
        if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
            add(child.id)
        elif isinstance(child, ast.ImportFrom):
            for alias in child.names:
                add(alias.asname or alias.name, (absolute_name(module.name, module.is_package, child), alias.name))
        elif isinstance(child, ast.Import):
            for alias in child.names:
                add((alias.asname or alias.name).split(".")[0])
        elif isinstance(child, ast.ExceptHandler) and child.name:
            add(child.name)
        elif isinstance(child, (ast.Global, ast.Nonlocal)):
            free.update(child.names)
        elif isinstance(child, (ast.MatchAs, ast.MatchStar)) and child.name:
            add(child.name)
        todo.extend(ast.iter_child_nodes(child))
    return {name: binding for name, binding in bound.items() if name not in free}


def name_column(module, node):
    """Returns the 0-based line and column of the name in a `def` or `class` statement."""
    line = module.lines[node.lineno - 1]
    found = re.compile(r"\b(?:def|class)\s+").search(line, len(line.encode()[: node.col_offset].decode()))
    return (node.lineno - 1, found.end()) if found else (node.lineno - 1, node.col_offset)


def symbols_of(module, found):
    for node in module.tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if node.name in module.is_doubtful:
            continue
        line, column = name_column(module, node)
        uses = {(path, at - 1) for name, path, at, _ in found.get(id(node), []) if name == node.name}
        yield {
            "name": node.name,
            "namePath": node.name,
            "kind": "class" if isinstance(node, ast.ClassDef) else "function",
            "isExported": not node.name.startswith("_"),
            "at": {"file": module.path, "line": line, "column": column},
            # The references under another name are known, but a rename does not find them.
            "aliased": [
                {"file": path, "line": at - 1, "column": 0}
                for name, path, at, _ in found.get(id(node), [])
                if name != node.name
            ],
            "must": [{"file": path, "line": at, "column": 0} for path, at in sorted(uses)],
        }


def main():
    directory, *roots = sys.argv[1:]
    modules = read_modules(directory, roots)
    for module in modules:
        collect_bindings(module)
    resolver = Resolver(modules)
    found, elsewhere = {}, {}
    for module in modules:
        Uses(module, resolver, found, elsewhere).visit(module.tree)
    symbols = [symbol for module in modules for symbol in symbols_of(module, found)]
    words = {}
    names = {symbol["name"] for symbol in symbols}
    # Stubs are not analyzed: each line of theirs with the name is allowed.
    stubs = [(path, text.split("\n")) for *_, path, text in files_of(directory, roots, (".pyi",))]
    for path, lines in [(module.path, module.lines) for module in modules] + stubs:
        for index, line in enumerate(lines):
            counts = collections.Counter(re.findall(r"\w+", line))
            for word in counts.keys() & names:
                if counts[word] <= elsewhere.get((path, index, word), 0):
                    continue
                words.setdefault(word, []).append({"file": path, "line": index, "column": 0})
    for symbol in symbols:
        symbol["may"] = words.get(symbol["name"], []) + symbol.pop("aliased")
    sys.stdout.write(json.dumps(symbols))


main()
