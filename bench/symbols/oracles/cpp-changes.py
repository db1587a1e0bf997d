"""Changes copies of a C++ package, compiles them and prints what the compiler says, as JSON.

`rename` gives each symbol a fresh name at the given places, all of them in one copy of the package. Where the compiler
then misses the old name, it is replaced, too, until everything compiles. Symbols that errors are about are taken out and
tried alone. The answer has those further places.

`delete` removes one declaration at a time. The answer has the first error, if any.

`check` compiles the package as it is. The answer has all errors without positions.

`errors` replaces one file at a time and compiles what includes it. The answer has the errors with their lines, where
libclang has an error, too: after a first error compilers go on with different assumptions.

usage: cpp-changes.py rename|delete|check|errors <directory>, with JSON on the standard input: symbols with their names,
and places or extent; for `errors` files with their texts
"""

import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

LEXEME = re.compile(rb"[A-Za-z_]\w*")
FRESH = "Zq7"
ROUNDS = 8
# Of the translation units that include a changed file.
MOST_UNITS = 6


class Package:
    def __init__(self, directory):
        self.directory = directory
        self.copy = tempfile.mkdtemp()
        self.work = os.path.join(self.copy, "package")
        shutil.copytree(directory, self.work, ignore=shutil.ignore_patterns(".?*"))
        self.commands = json.load(open(os.path.join(directory, "compile_commands.json"), encoding="utf-8"))
        self.lines = {}
        self.changed = set()
        self.included = {}

    def lines_of(self, path):
        if path not in self.lines:
            self.lines[path] = open(os.path.join(self.directory, path), "rb").read().split(b"\n")
        return self.lines[path]

    def byte_place(self, at):
        line = self.lines_of(at["file"])[at["line"]].decode("utf-8", "replace")
        before = line.encode("utf-16-le")[: at["column"] * 2].decode("utf-16-le", "replace")
        return (at["file"], at["line"], len(before.encode("utf-8")))

    def position(self, place):
        path, line, column = place
        before = self.lines_of(path)[line][:column].decode("utf-8", "replace")
        return {"file": path, "line": line, "column": len(before.encode("utf-16-le")) // 2}

    def write(self, renamings):
        """Writes the copy with these names at these places: (path, line, byte column) → new name."""
        by_file = collections.defaultdict(list)
        for (path, line, column), name in renamings.items():
            by_file[path].append((line, column, name))
        for path in self.changed | by_file.keys():
            lines = list(self.lines_of(path))
            for line, column, name in sorted(by_file[path], reverse=True):
                old = LEXEME.match(lines[line], column)
                lines[line] = lines[line][:column] + name.encode() + lines[line][old.end() :]
            with open(os.path.join(self.work, path), "wb") as file:
                file.write(b"\n".join(lines))
        self.changed = set(by_file)

    def errors(self, files=None):
        """Returns (unit, place in the original or None, message, line) of each error."""
        commands = [command for command in self.commands if files is None or command["file"] in files]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return [error for found in pool.map(self.compile, commands) for error in found]

    def compile(self, command):
        args = command["arguments"][1:]
        args = args[: args.index("-c")]
        options = ["-fsyntax-only", "-w", "-fdiagnostics-format=json", "-fmax-errors=0", "-fno-diagnostics-show-caret"]
        ran = subprocess.run(
            ["g++", *args, *options, command["file"]], cwd=self.work, capture_output=True, text=True, errors="replace"
        )
        found = []
        for line in ran.stderr.split("\n"):
            if not line.startswith("["):
                continue
            for diagnostic in json.loads(line):
                if diagnostic["kind"] in ("error", "fatal error"):
                    message = diagnostic["message"]
                    found.append((command["file"], self.caret(diagnostic), message, self.line_of(diagnostic)))
        if ran.returncode != 0 and not found:
            found.append((command["file"], None, ran.stderr[-200:], None))
        return found

    def units_with(self, path):
        """Returns the first translation units that include a file, itself first."""
        including = [command["file"] for command in self.commands if path in self.includes(command)]
        return sorted(including, key=lambda file: file != path)[:MOST_UNITS]

    def includes(self, command):
        if command["file"] not in self.included:
            args = command["arguments"][1:]
            args = [*args[: args.index("-c")], "-MM", command["file"]]
            ran = subprocess.run(["g++", *args], cwd=self.work, capture_output=True, text=True, check=True)
            names = ran.stdout.replace("\\\n", " ").split()[1:]
            self.included[command["file"]] = {os.path.normpath(name) for name in names}
        return self.included[command["file"]]

    def line_of(self, diagnostic):
        """Returns the file and the line of an error; None if it is outside the package."""
        at = diagnostic["locations"][0]["caret"] if diagnostic["locations"] else None
        path = at and os.path.relpath(os.path.join(self.work, at["file"]), self.work)
        is_outside = path is None or path.startswith("..")
        return None if is_outside else (path.replace(os.sep, "/"), at["line"] - 1)

    def caret(self, diagnostic):
        """Returns the places in the original of the names at the locations of an error."""
        places = []
        for location in diagnostic["locations"]:
            for end in ("caret", "start"):
                if end in location:
                    place = self.original(location[end])
                    if place is not None:
                        places.append(place)
        return places

    def original(self, at):
        path = os.path.relpath(os.path.join(self.work, at["file"]), self.work)
        if path.startswith("..") or not os.path.exists(os.path.join(self.directory, path)):
            return None
        with open(os.path.join(self.work, path), "rb") as file:
            now = file.read().split(b"\n")
        line = at["line"] - 1
        column = at["byte-column"] - 1
        if line >= min(len(now), len(self.lines_of(path))):
            return None
        names = [match.start() for match in LEXEME.finditer(now[line])]
        originals = [match.start() for match in LEXEME.finditer(self.lines_of(path)[line])]
        before = [index for index, start in enumerate(names) if start <= column]
        return (path, line, originals[before[-1]]) if before and before[-1] < len(originals) else None

    def name_at(self, place):
        path, line, column = place
        return LEXEME.match(self.lines_of(path)[line], column)[0].decode()


def renamings(symbols, indexes):
    return {place: symbols[index]["fresh"] for index in indexes for place in symbols[index]["all"]}


def missing(package, symbol, error):
    """Returns the places of an error where the old name has to be replaced."""
    found = []
    for path, line, column in error[1] or []:
        for place in [(path, line, column), *names_after(package, path, line, column)]:
            if package.name_at(place) == symbol["name"] and place not in symbol["all"]:
                found.append(place)
                break
    return found[:1]


def names_after(package, path, line, column):
    """An error about a qualified name begins where the qualifier does."""
    text = package.lines_of(path)[line]
    for match in re.compile(rb"(?:\s*(?:::|\.|->)\s*)~?([A-Za-z_]\w*)").finditer(text, column):
        yield (path, line, match.start(1))


def is_about(symbol, error):
    words = set(re.findall(r"\w+", error[2]))
    return symbol["name"] in words or symbol["fresh"] in words


def rename_together(package, symbols):
    """Returns the indexes of the symbols that could be renamed together; the others have to be tried alone."""
    indexes = set(range(len(symbols)))
    by_name = collections.Counter(symbol["name"] for symbol in symbols)
    for _ in range(ROUNDS):
        package.write(renamings(symbols, indexes))
        errors = package.errors()
        if not errors:
            return indexes
        grown, suspects = False, set()
        for error in errors:
            own = [index for index in indexes if is_about(symbols[index], error)]
            for index in own:
                more = missing(package, symbols[index], error) if by_name[symbols[index]["name"]] == 1 else []
                symbols[index]["all"].update(more)
                symbols[index]["more"].update(more)
                grown = grown or bool(more)
            suspects.update(own)
        if grown:
            continue
        if not suspects:
            return set()
        indexes -= suspects
    return set()


def rename_alone(package, symbol):
    """Renames one symbol until everything compiles. Returns why it does not."""
    symbol["all"] -= symbol["more"]
    symbol["more"] = set()
    files = None
    for _ in range(3 * ROUNDS):
        package.write(renamings([symbol], [0]))
        errors = package.errors(files)
        if not errors:
            if files is None:
                return ""
            files = None
            continue
        more = {place for error in errors for place in missing(package, symbol, error)}
        if not more:
            return f"the renaming does not compile: {errors[0][2]}"
        files = {error[0] for error in errors}
        symbol["all"] |= more
        symbol["more"] |= more
    return "the renaming does not end"


def rename(package, symbols):
    for index, symbol in enumerate(symbols):
        symbol["fresh"] = f"{symbol['name']}{FRESH}{index}"
        symbol["all"] = {package.byte_place(at) for at in symbol["places"]}
        symbol["more"] = set()
    agreed = rename_together(package, symbols)
    answers = []
    for index, symbol in enumerate(symbols):
        problem = "" if index in agreed else rename_alone(package, symbol)
        answers.append({"more": [package.position(place) for place in sorted(symbol["more"])], "problem": problem})
    return answers


def delete(package, symbols):
    answers = []
    for symbol in symbols:
        start, end = (package.byte_place(at) for at in symbol["extent"])
        path = start[0]
        text = b"\n".join(package.lines_of(path))
        offsets = [offset_of(package, place) for place in (start, end)]
        with open(os.path.join(package.work, path), "wb") as file:
            file.write(without(text, *offsets, symbol["kind"]))
        answers.append(first_error(package))
        with open(os.path.join(package.work, path), "wb") as file:
            file.write(text)
    return answers


def offset_of(package, place):
    path, line, column = place
    return sum(len(text) + 1 for text in package.lines_of(path)[:line]) + column


def without(text, start, end, kind):
    """Returns the text without a declaration and what ends it; the lines remain."""
    if kind == "macro":
        start = text.rindex(b"\n", 0, start) + 1 if b"\n" in text[:start] else 0
    rest = re.compile(rb"\s*([;,])").match(text, end)
    if rest is not None and (rest[1] == b";") == (kind != "enumerator"):
        end = rest.end()
    removed = text[start:end]
    return text[:start] + b"\n" * removed.count(b"\n") + text[end:]


def first_error(package):
    """Compiles one unit after the other until one fails; that is the first one of the next time."""
    for command in package.commands:
        errors = package.compile(command)
        if errors:
            package.commands.remove(command)
            package.commands.insert(0, command)
            return errors[0][2]
    return ""


def check(package, _symbols):
    return sorted({f"{unit}: {message}" for unit, _, message, _ in package.errors()})


def confirmed(package, units, found):
    """Returns the errors on lines where libclang has one, or else, if it has any, the first."""
    if not found:
        return []
    other = clang_lines(package, units)
    return [error for error in found if error[:2] in other] or (found[:1] if other else [])


def clang_lines(package, units):
    # Only this task needs it.
    from clang.cindex import Index

    own_headers = subprocess.run(["g++", "-print-file-name=include"], capture_output=True, text=True, check=True).stdout
    lines = set()
    os.chdir(package.work)
    for command in package.commands:
        if command["file"] not in units:
            continue
        args = command["arguments"][1:]
        args = ["-x", "c++", *args[: args.index("-c")], "-isystem", own_headers.strip(), "-ferror-limit=0"]
        for diagnostic in Index.create().parse(command["file"], args=args).diagnostics:
            if diagnostic.severity >= 3 and diagnostic.location.file is not None:
                path = os.path.relpath(diagnostic.location.file.name)
                lines.add((path.replace(os.sep, "/"), diagnostic.location.line - 1))
    return lines


def errors(package, changes):
    answers = []
    for change in changes:
        path = os.path.join(package.work, change["file"])
        before = open(path, "rb").read()
        units = package.units_with(change["file"])
        with open(path, "wb") as file:
            file.write(change["text"].encode())
        found = sorted({(*line, message) for _, _, message, line in package.errors(units) if line is not None})
        sure = confirmed(package, units, found)
        answers.append([{"file": file, "line": line, "message": message} for file, line, message in sure])
        with open(path, "wb") as file:
            file.write(before)
    return answers


def main():
    task, directory = sys.argv[1:]
    package = Package(os.path.realpath(directory))
    try:
        if task != "check":
            baseline = package.errors()
            if baseline:
                raise SystemExit(f"the unchanged package does not compile: {baseline[0][2]}")
        run = {"rename": rename, "delete": delete, "check": check, "errors": errors}[task]
        json.dump(run(package, json.load(sys.stdin)), sys.stdout)
    finally:
        shutil.rmtree(package.copy)


main()
