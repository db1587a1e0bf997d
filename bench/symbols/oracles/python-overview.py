"""Prints, as JSON, the definitions of each Python file: name paths that an overview must contain.

usage: python-overview.py <directory>
"""

import ast
import json
import os
import sys
import warnings

warnings.simplefilter("ignore")


def definitions(statements, prefix, is_module):
    """Yields (name path, whether it must be listed) of the statements and of the blocks in them."""
    for node in statements:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield prefix + node.name, True
            if isinstance(node, ast.ClassDef):
                yield from definitions(node.body, prefix + node.name + "/", False)
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Name):
                yield prefix + target.id, is_module and isinstance(node, (ast.Assign, ast.AnnAssign))
        for child in ast.walk(node):
            # Variables of loops, imports and `with` may be listed.
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                yield prefix + child.id, False
            elif isinstance(child, ast.ExceptHandler) and child.name:
                yield prefix + child.name, False
            elif isinstance(child, ast.alias):
                yield prefix + (child.asname or child.name).split(".")[0], False
        for field in ("body", "orelse", "finalbody"):
            yield from definitions(getattr(node, field, []), prefix, False)
        for part in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
            yield from definitions(part.body, prefix, False)


def main():
    directory = sys.argv[1]
    found = []
    for parent, directories, files in os.walk(directory):
        directories[:] = sorted(d for d in directories if not d.startswith(".") and d != "node_modules")
        for file in sorted(files):
            path = os.path.join(parent, file)
            if not file.endswith(".py"):
                continue
            try:
                tree = ast.parse(open(path, encoding="utf-8").read())
            except (SyntaxError, UnicodeDecodeError, ValueError):
                continue
            listed = list(definitions(tree.body, "", True))
            must = {name for name, is_demanded in listed if is_demanded}
            relative = os.path.relpath(path, directory).replace(os.sep, "/")
            found.append({"file": relative, "must": sorted(must), "may": sorted({n for n, _ in listed} - must)})
    sys.stdout.write(json.dumps(found))


main()
