"""Prints, as JSON, the errors of each changed Python file that are certain without running it.

Python's own compiler reports syntax errors. `ast` proves further errors: a name that nothing binds; an import of a
module or name that is not there; a call with a wrong number of arguments or an unknown keyword, of a function at module
level that is defined once; an attribute that an imported module of the package does not have. Types are not judged.

usage: python-diagnostics.py <directory> <source root>…    (the changes come on stdin)
"""

import ast
import builtins
import collections
import functools
import importlib.util
import json
import sys
import warnings

from python_modules import absolute_name, files_of

warnings.simplefilter("ignore")

implicit = {"__file__", "__name__", "__doc__", "__path__", "__package__", "__spec__", "__loader__", "__class__",
            "__module__", "__qualname__", "__annotations__", "__builtins__", "__dict__"}


class Package:
    def __init__(self, directory, roots):
        self.directory = directory
        self.paths = {}
        self.texts = {}
        for name, _, path, text in files_of(directory, roots, (".py", ".pyi")):
            self.paths.setdefault(name, path)
            self.texts[path] = text

    def module_of(self, path):
        for name, own in self.paths.items():
            if own == path:
                return name
        return None


@functools.cache
def nodes(tree):
    return tuple(ast.walk(tree))


@functools.cache
def bound_names(tree):
    """Returns every name that anything in the tree binds, in any scope."""
    names = set()
    for node in nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            names.update(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.add(node.rest)
        elif node.__class__.__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):
            names.add(node.name)
    return names


@functools.cache
def has_star(tree):
    return any(isinstance(n, ast.ImportFrom) and any(a.name == "*" for a in n.names) for n in nodes(tree))


@functools.cache
def undefined_names(tree):
    """Returns (line, message) of each name that nothing in the module binds."""
    if has_star(tree):
        return ()
    known = bound_names(tree) | set(dir(builtins)) | implicit
    # Names in annotations of a module with postponed evaluation are names too.
    loaded = [node for node in nodes(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return tuple((node.lineno, f"undefined name {node.id}") for node in loaded if node.id not in known)


@functools.cache
def guarded(tree):
    """Returns the imports that a `try` or an `if` guards."""
    found = set()
    for node in nodes(tree):
        if isinstance(node, (ast.Try, ast.If)):
            found.update(id(c) for c in ast.walk(node) if isinstance(c, (ast.Import, ast.ImportFrom)))
    return found


def exists(package, name):
    if name in package.paths or any(other.startswith(name + ".") for other in package.paths):
        return True
    top = name.split(".")[0]
    if top in package.paths:
        return False
    return is_installed(top)


@functools.cache
def is_installed(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return True


def module_tree(package, name):
    path = package.paths.get(name)
    if path is None:
        return None
    try:
        return parse(package.texts[path])
    except (SyntaxError, ValueError):
        return None


@functools.cache
def parse(text):
    return ast.parse(text)


def lacks(package, name, attribute):
    """True if a module of the package certainly has no such attribute."""
    tree = module_tree(package, name)
    if tree is None or has_star(tree) or f"{name}.{attribute}" in package.paths:
        return False
    stub = package.texts.get(package.paths[name] + "i")
    if stub is not None and attribute in bound_names(parse(stub)):
        return False
    return attribute not in bound_names(tree) | implicit | {"__getattr__"} and "__getattr__" not in bound_names(tree)


def wrong_imports(package, path, tree):
    module = package.module_of(path)
    is_package = path.endswith("__init__.py")
    optional = guarded(tree)
    for node in nodes(tree):
        if id(node) in optional:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                if not exists(package, alias.name):
                    yield node.lineno, f"no module {alias.name}"
        elif isinstance(node, ast.ImportFrom) and module is not None:
            source = absolute_name(module, is_package, node)
            if source and not exists(package, source):
                yield node.lineno, f"no module {source}"
                continue
            for alias in node.names:
                if alias.name != "*" and lacks(package, source, alias.name):
                    yield alias.lineno, f"no name {alias.name} in {source}"


@functools.cache
def single_functions(tree):
    """Returns the functions without decorators that are the only binding of their name anywhere in the module."""
    counts = binding_counts(tree)
    functions = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.decorator_list:
            if counts.get(node.name) == 1:
                functions[node.name] = node
    return functions


@functools.cache
def binding_counts(tree):
    """Returns how often anything in the tree binds each name."""
    return collections.Counter(name for node in nodes(tree) for name in bound_by(node))


def bound_by(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).split(".")[0]]
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return list(node.names)
    return []


def wrong_call(call, function):
    """Returns what is wrong with the arguments of a call, or None."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    arguments = function.args
    positional = [a.arg for a in arguments.posonlyargs + arguments.args]
    if len(call.args) > len(positional) and arguments.vararg is None:
        return "too many arguments"
    given = set(positional[: len(call.args)])
    only = {a.arg for a in arguments.posonlyargs}
    for keyword in call.keywords:
        if keyword.arg in given:
            return f"{keyword.arg} is given twice"
        named = set(positional) - only | {a.arg for a in arguments.kwonlyargs}
        if keyword.arg not in named and arguments.kwarg is None:
            return f"no parameter {keyword.arg}"
        given.add(keyword.arg)
    required = positional[: len(positional) - len(arguments.defaults)]
    required += [a.arg for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is None]
    missing = [name for name in required if name not in given]
    return f"missing argument {missing[0]}" if missing else None


def wrong_calls(package, path, tree):
    functions = single_functions(tree)
    module = package.module_of(path)
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or module is None:
            continue
        source = module_tree(package, absolute_name(module, path.endswith("__init__.py"), node))
        for alias in node.names:
            imported = single_functions(source).get(alias.name) if source is not None else None
            name = alias.asname or alias.name
            if imported is not None and binding_counts(tree)[name] == 1:
                functions[name] = imported
    for node in nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
            problem = wrong_call(node, functions[node.func.id])
            if problem is not None:
                yield node.lineno, node.end_lineno, f"call of {node.func.id}: {problem}"


def errors_in(package, path):
    try:
        compile(package.texts[path], path, "exec", dont_inherit=True)
        tree = parse(package.texts[path])
    except SyntaxError as error:
        return [{"file": path, "line": (error.lineno or 1) - 1, "message": error.msg}]
    found = list(undefined_names(tree)) + list(wrong_imports(package, path, tree))
    found += [(first, message) for first, _, message in wrong_calls(package, path, tree)]
    return [{"file": path, "line": line - 1, "message": message} for line, message in sorted(found)]


def affected(package, changed):
    """Returns the changed file and those that may import from it: they have the name of its module."""
    name = changed.removesuffix(".py").removesuffix("/__init__").split("/")[-1]
    others = [p for p, text in package.texts.items() if p.endswith(".py") and name in text]
    return sorted({changed, *others})


def main():
    directory, *roots = sys.argv[1:]
    changes = json.load(sys.stdin)
    package = Package(directory, roots)
    usual = {(e["file"], e["message"]) for path in package.texts if path.endswith(".py") for e in errors_in(package, path)}
    results = []
    for change in changes:
        before = package.texts.get(change["file"])
        package.texts[change["file"]] = change["text"].removeprefix("\ufeff")
        found = [e for path in affected(package, change["file"]) for e in errors_in(package, path)]
        results.append([e for e in found if (e["file"], e["message"]) not in usual])
        if before is None:
            del package.texts[change["file"]]
        else:
            package.texts[change["file"]] = before
    sys.stdout.write(json.dumps(results))


main()
