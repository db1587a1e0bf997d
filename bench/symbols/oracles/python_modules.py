"""The modules of a Python package, as the oracles read them."""

import ast
import os


class Module:
    def __init__(self, name, path, is_package, text, tree):
        self.name, self.path, self.is_package, self.tree = name, path, is_package, tree
        self.lines = text.split("\n")
        # Names that a statement at module level binds: (what it is, …).
        self.bindings = {}
        # Of these, the names that more than one statement binds.
        self.is_doubtful = set()

    def bind(self, name, binding):
        if name in self.bindings:
            self.is_doubtful.add(name)
        self.bindings[name] = binding

    def position(self, line, column):
        """Returns the place of a 1-based line and a column in bytes."""
        before = self.lines[line - 1].encode()[:column].decode("utf-8", "replace")
        return {"file": self.path, "line": line - 1, "column": len(before.encode("utf-16-le")) // 2}


def files_of(directory, roots, endings=(".py",)):
    """Yields (name of the module, whether it is a package, path below the directory, text) of each file."""
    for root in roots:
        base = os.path.join(directory, root)
        for parent, directories, files in os.walk(base):
            directories[:] = sorted(d for d in directories if not d.startswith(".") and d != "node_modules")
            for file in sorted(f for f in files if f.endswith(endings)):
                path = os.path.join(parent, file)
                parts = os.path.splitext(os.path.relpath(path, base))[0].split(os.sep)
                is_package = parts[-1] == "__init__"
                name = ".".join(parts[:-1] if is_package else parts)
                relative = os.path.normpath(os.path.relpath(path, directory)).replace(os.sep, "/")
                yield name, is_package, relative, open(path, encoding="utf-8-sig", errors="replace").read()


def read_modules(directory, roots, kind=Module):
    """Returns the modules that Python can parse, in the order of their paths."""
    modules = []
    for name, is_package, path, text in files_of(directory, roots):
        try:
            modules.append(kind(name, path, is_package, text, ast.parse(text)))
        except (SyntaxError, ValueError):
            continue
    return modules


def absolute_name(module, is_package, node):
    """Returns the absolute name of the module that `from … import` in the named module means."""
    if node.level == 0:
        return node.module or ""
    parts = module.split(".") if module else []
    if not is_package:
        parts = parts[:-1]
    parts = parts[: len(parts) - (node.level - 1)]
    return ".".join(parts + ([node.module] if node.module else []))
