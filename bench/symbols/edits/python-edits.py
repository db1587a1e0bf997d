"""Judges changed copies of a Python package, which has no compiler.

usage: python-edits.py problems <directory> <source root>…
       python-edits.py deletions <directory> <source root>… <[{"file", "line", "name"}, …]>

`problems` prints a line for each module that does not compile or cannot be imported, and for each name that nothing
binds: a global name, a name imported from a module of the package, an attribute of such a module.
`deletions` prints, as JSON, the lines of each declaration and the first problem without it.
"""

import ast
import builtins
import json
import os
import re
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
SKIPPED = {"setup.py", "conf.py", "__main__.py"}
IMPLICIT = set(dir(builtins)) | {"__file__", "__name__", "__path__", "__doc__", "__spec__", "__builtins__", "__class__"}


def modules_in(directory, roots):
    found = {}
    for root in roots:
        base = os.path.join(directory, root)
        for parent, directories, files in os.walk(base):
            directories[:] = sorted(d for d in directories if not d.startswith(".") and d not in ("__pycache__", "misc"))
            for file in sorted(files):
                if file.endswith(".py") and file not in SKIPPED:
                    path = os.path.join(parent, file)
                    parts = os.path.relpath(path, base)[:-3].split(os.sep)
                    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
                    found.setdefault(name or "__init__", path)
    return found


def parsed(modules, replaced):
    trees, problems = {}, []
    for name, path in modules.items():
        text = replaced.get(path)
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        try:
            trees[name] = ast.parse(text)
        except SyntaxError as error:
            problems.append(f"{name}: SyntaxError: {error.msg}")
    return trees, problems


def bound_names(tree):
    """Returns every name that the module binds at its top level or as a global, and whether it imports `*`."""
    names, has_star = set(), False
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            names.update(node.names)

    def visit(node):
        nonlocal has_star
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                has_star = has_star or alias.name == "*"
                names.add(alias.asname or alias.name.split(".")[0])
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        if isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        for child in ast.iter_child_nodes(node):
            visit(child)

    for node in tree.body:
        visit(node)
    return names, has_star


def locals_of(tree):
    """Returns every name that some function, class or comprehension of the module binds."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        elif type(node).__name__ in ("MatchAs", "MatchStar") and node.name:
            names.add(node.name)
        elif type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):
            names.add(node.name)
    nested = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for child in node.body:
                for inner in ast.walk(child):
                    if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                        nested.add(inner.name)
    return names | nested


def absolute(name, is_package, node):
    if node.level == 0:
        return node.module or ""
    parts = name.split(".")
    parts = parts[: len(parts) - node.level + (1 if is_package else 0)]
    return ".".join(parts + ([node.module] if node.module else []))


def unbound(modules, trees):
    tops = {name: bound_names(tree) for name, tree in trees.items()}
    problems = []

    def has(module, name):
        names, has_star = tops[module]
        return has_star or name in names or f"{module}.{name}" in trees or name in IMPLICIT

    for name, tree in trees.items():
        names, has_star = tops[name]
        known = names | locals_of(tree) | IMPLICIT
        is_package = os.path.basename(modules[name]) == "__init__.py"
        aliases = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                source = absolute(name, is_package, node)
                for alias in node.names:
                    if source in trees and alias.name != "*" and not has(source, alias.name):
                        problems.append(f"{name}: cannot import {alias.name} from {source}")
                    if f"{source}.{alias.name}" in trees:
                        aliases[alias.asname or alias.name] = f"{source}.{alias.name}"
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name in trees and (alias.asname or "." not in alias.name):
                        aliases[alias.asname or alias.name] = alias.name
        local = locals_of(ast.Module(body=[n for n in tree.body if not isinstance(n, (ast.Import, ast.ImportFrom))], type_ignores=[]))
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and not has_star and node.id not in known:
                problems.append(f"{name}: undefined name {node.id}")
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in local:
                module = aliases.get(node.value.id)
                if module in trees and isinstance(node.ctx, ast.Load) and not has(module, node.attr):
                    problems.append(f"{name}: module {module} has no {node.attr}")
        for node in tree.body:
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
                for item in ast.walk(node.value):
                    if isinstance(item, ast.Constant) and isinstance(item.value, str) and not has(name, item.value):
                        problems.append(f"{name}: __all__ names {item.value}")
    return problems


IMPORTER = r"""
import importlib, io, os, sys, warnings
warnings.simplefilter("ignore")
sys.dont_write_bytecode = True
sys.path[:0] = sys.argv[2].split(os.pathsep)
out, sys.stdout, sys.stderr = sys.stdout, io.StringIO(), io.StringIO()
for name in sys.argv[1].split():
    try:
        importlib.import_module(name)
    except BaseException as error:
        out.write(f"{name}: {type(error).__name__}: {error}".replace("\n", " ") + "\n")
"""


def import_problems(directory, roots, modules):
    paths = os.pathsep.join(os.path.abspath(os.path.join(directory, root)) for root in roots)
    names = " ".join(name for name in modules if name != "__init__")
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTER, names, paths], cwd=directory, capture_output=True, text=True, timeout=120
    )
    failed = [] if ran.returncode == 0 else [f"the importer ended with {ran.returncode}"]
    return ran.stdout.splitlines() + failed


def problems(directory, roots):
    modules = modules_in(directory, roots)
    compiled = subprocess.run(
        [sys.executable, "-m", "compileall", "-q", "-f", *modules.values()],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPYCACHEPREFIX": os.path.join(directory, "__pycache__")},
    )
    found = [] if compiled.returncode == 0 else ["compileall fails"]
    trees, broken = parsed(modules, {})
    return found + broken + unbound(modules, trees) + import_problems(directory, roots, modules)


def mentions(trees, name):
    """Returns the first attribute of this name, whose object is unknown, or string that contains the name alone."""
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr == name:
                return f"{module}:{node.lineno}: an attribute of this name"
            if isinstance(node, ast.Constant) and node.value == name:
                return f"{module}:{node.lineno}: a string of this name"
            if isinstance(node, ast.keyword) and node.arg == name:
                return f"{module}:{node.value.lineno}: an argument of this name"
    return ""


def declaration(tree, line, name):
    """Returns the declaration and the nodes around it, outermost first."""

    def search(node, around):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                if child.name == name and child.lineno - 1 == line:
                    return child, around
            found = search(child, [*around, child])
            if found:
                return found
        return None

    return search(tree, [])


def deletion(modules, texts, usual, question):
    path, line, name = question["path"], question["line"], question["name"]
    answer = {"file": question["file"], "line": line, "name": name, "firstLine": line, "lastLine": line}
    tree = ast.parse(texts[path])
    found = declaration(tree, line, name)
    if found is None:
        return {**answer, "problem": "the oracle finds no declaration"}
    node, around = found
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
    answer.update(firstLine=first, lastLine=node.end_lineno - 1)
    lines = texts[path].split("\n")
    is_only = around and len(getattr(around[-1], "body", [0, 0])) == 1
    indent = re.match(r"\s*", lines[first])[0]
    kept = lines[:first] + ([indent + "pass"] if is_only else []) + lines[node.end_lineno :]
    trees, broken = parsed(modules, {**texts, path: "\n".join(kept)})
    new = [one for one in broken + unbound(modules, trees) if one not in usual]
    is_member = bool(around) and isinstance(around[-1], ast.ClassDef)
    if new:
        return {**answer, "problem": new[0]}
    if is_member and re.fullmatch(r"__\w+__", name):
        return {**answer, "problem": "Python calls it implicitly", "doubt": "called implicitly, if at all"}
    doubt = mentions(trees, name)
    if doubt and is_member:
        return {**answer, "problem": doubt, "doubt": "an attribute of this name may be another"}
    return {**answer, "problem": "", **({"doubt": doubt} if doubt else {})}


def main():
    task, directory, roots = sys.argv[1], sys.argv[2], sys.argv[3:]
    if task == "problems":
        print("\n".join(problems(directory, roots)))
        return
    questions = json.loads(roots.pop())
    modules = modules_in(directory, roots)
    texts = {path: open(path, encoding="utf-8").read() for path in modules.values()}
    trees, broken = parsed(modules, {})
    usual = set(broken + unbound(modules, trees))
    for question in questions:
        question["path"] = os.path.normpath(os.path.join(directory, question["file"]))
    by_path = {os.path.normpath(path): path for path in texts}
    answers = [deletion(modules, texts, usual, {**q, "path": by_path[q["path"]]}) for q in questions if q["path"] in by_path]
    print(json.dumps(answers))


main()
