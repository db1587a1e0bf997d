"""Prints, as JSON, the base classes of a package and their methods, with the classes and methods that implement them.

What `ast` proves counts: a base that is a name at module level, bound once, through imports and re-exports. Classes
whose bases cannot be resolved are left out on both sides.

usage: python-implementations.py <directory> <source root>…
"""

import ast
import json
import sys
import warnings

from python_modules import absolute_name, read_modules

warnings.simplefilter("ignore")


class Class:
    def __init__(self, module, node, name_path):
        self.module = module
        self.node = node
        self.name_path = name_path
        self.bases = []
        self.methods = {}
        for child in node.body:
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                # Overloads and properties are several definitions of one name.
                self.methods.setdefault(child.name, []).append(child)


def collect(module):
    """Records the bindings of a module and returns its classes, also those in functions and classes."""
    classes = []

    def visit(statements, prefix, is_top):
        for node in statements:
            if isinstance(node, ast.ClassDef):
                found = Class(module, node, prefix + node.name)
                classes.append(found)
                if is_top:
                    module.bind(node.name, ("class", found))
                visit(node.body, prefix + node.name + "/", False)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if is_top:
                    module.bind(node.name, ("other",))
                visit(node.body, prefix + node.name + "/", False)
            elif isinstance(node, ast.ImportFrom) and is_top:
                for alias in node.names:
                    module.bind(alias.asname or alias.name, ("from", absolute_name(module.name, module.is_package, node), alias.name))
            elif isinstance(node, ast.Import) and is_top:
                for alias in node.names:
                    name = alias.asname or alias.name.split(".")[0]
                    module.bind(name, ("module", alias.name if alias.asname else name))
            else:
                if is_top:
                    for child in ast.walk(node):
                        if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
                            module.bind(child.id, ("other",))
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(node, field, []), prefix, is_top)
                for handler in getattr(node, "handlers", []):
                    visit(handler.body, prefix, is_top)

    visit(module.tree.body, "", True)
    return classes


def resolve(modules, module, expression, depth=0):
    """Returns the class that a base stands for, or None."""
    if module is None or depth > 20:
        return None
    if isinstance(expression, ast.Subscript):
        return resolve(modules, module, expression.value, depth + 1)
    if isinstance(expression, ast.Attribute) and isinstance(expression.value, ast.Name):
        binding = module.bindings.get(expression.value.id)
        if expression.value.id in module.is_doubtful or binding is None:
            return None
        if binding[0] == "module":
            return resolve(modules, modules.get(binding[1]), ast.Name(expression.attr, ast.Load()), depth + 1)
        if binding[0] == "from":
            inner = modules.get(f"{binding[1]}.{binding[2]}")
            return resolve(modules, inner, ast.Name(expression.attr, ast.Load()), depth + 1)
        return None
    if not isinstance(expression, ast.Name) or expression.id in module.is_doubtful:
        return None
    binding = module.bindings.get(expression.id)
    if binding is None or binding[0] in ("other", "module"):
        return None
    if binding[0] == "class":
        return binding[1]
    return resolve(modules, modules.get(binding[1]), ast.Name(binding[2], ast.Load()), depth + 1)


def position(module, node, name):
    line = node.lineno
    text = module.lines[line - 1]
    column = text.index(name, text.index("class " if isinstance(node, ast.ClassDef) else "def "))
    return {"file": module.path, "line": line - 1, "column": column}


def descendants(target, classes):
    found = []
    todo = [target]
    while todo:
        parent = todo.pop()
        for candidate in classes:
            if parent in candidate.bases and candidate not in found and candidate is not target:
                found.append(candidate)
                todo.append(candidate)
    return found


def main():
    directory, *roots = sys.argv[1:]
    modules = {module.name: module for module in read_modules(directory, roots)}
    classes = []
    for module in modules.values():
        classes.extend(collect(module))
    for one in classes:
        resolved = [resolve(modules, one.module, base) for base in one.node.bases]
        one.bases = [base for base in resolved if base is not None and base is not one]
    found = []
    for one in classes:
        below = descendants(one, classes)
        if not below or one.name_path.count("/") > 0:
            continue

        def entry(name, name_path, kind, node, must):
            exported = not name.startswith("_")
            at = position(one.module, node, name)
            symbol = {"name": name, "namePath": name_path, "kind": kind, "isExported": exported, "at": at}
            found.append({"symbol": symbol, "must": must, "may": must})

        entry(one.node.name, one.name_path, "class", one.node, [position(b.module, b.node, b.node.name) for b in below])
        for name, definitions in one.methods.items():
            overriding = [
                position(b.module, node, name) for b in below for node in b.methods.get(name, [])
            ]
            if len(definitions) == 1 and overriding:
                entry(name, f"{one.name_path}/{name}", "method", definitions[0], overriding)
    sys.stdout.write(json.dumps(found))


main()
