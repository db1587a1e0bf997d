"""Prints, as JSON, the declarations of a C++ package and what every name in it resolves to, by libclang.

All translation units of `compile_commands.json` are parsed and merged. A name is resolved to the place of a declaration,
so that what a template's instances declare counts as what the template declares. Redeclarations are linked where one
translation unit sees them together; definitions of one name in separate programs are not.

usage: cpp-references.py <directory>
"""

import bisect
import collections
import json
import os
import re
import subprocess
import sys

from ctypes import POINTER, byref, c_uint, c_void_p, cast

from clang.cindex import Cursor, CursorKind, Index, SourceLocation, TranslationUnit, conf

SOURCE_ENDINGS = (".cpp", ".cc", ".h", ".hpp", ".inl")

KINDS = {
    CursorKind.STRUCT_DECL: "struct",
    CursorKind.CLASS_DECL: "class",
    CursorKind.UNION_DECL: "union",
    CursorKind.CLASS_TEMPLATE: "class template",
    CursorKind.ENUM_DECL: "enum",
    CursorKind.ENUM_CONSTANT_DECL: "enumerator",
    CursorKind.FUNCTION_DECL: "function",
    CursorKind.FUNCTION_TEMPLATE: "function template",
    CursorKind.CXX_METHOD: "method",
    CursorKind.FIELD_DECL: "field",
    CursorKind.VAR_DECL: "variable",
    CursorKind.TYPEDEF_DECL: "alias",
    CursorKind.TYPE_ALIAS_DECL: "alias",
    CursorKind.TYPE_ALIAS_TEMPLATE_DECL: "alias",
    CursorKind.MACRO_DEFINITION: "macro",
}

RECORD_KINDS = {
    CursorKind.STRUCT_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.UNION_DECL,
    CursorKind.CLASS_TEMPLATE,
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
}

# Declarations that are no question, but that names resolve to.
OTHER_KINDS = {
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.NAMESPACE,
    CursorKind.NAMESPACE_ALIAS,
    CursorKind.PARM_DECL,
    CursorKind.TEMPLATE_TYPE_PARAMETER,
    CursorKind.TEMPLATE_NON_TYPE_PARAMETER,
    CursorKind.TEMPLATE_TEMPLATE_PARAMETER,
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    CursorKind.LABEL_STMT,
}

SHOWN_KINDS = {*KINDS.values(), "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION", "NAMESPACE"}

REFERENCE_KINDS = {
    CursorKind.DECL_REF_EXPR,
    CursorKind.MEMBER_REF_EXPR,
    CursorKind.TYPE_REF,
    CursorKind.TEMPLATE_REF,
    CursorKind.NAMESPACE_REF,
    CursorKind.MEMBER_REF,
    CursorKind.LABEL_REF,
    CursorKind.VARIABLE_REF,
    CursorKind.OVERLOADED_DECL_REF,
    CursorKind.MACRO_INSTANTIATION,
}

FUNCTION_KINDS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.FUNCTION_TEMPLATE,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.LAMBDA_EXPR,
}

# Comments, literals and names; a name in one of the first three is none.
LEXEME = re.compile(
    rb'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    rb"|(?P<name>[A-Za-z_]\w*)|\d(?:'?[\w.])*",
    re.S,
)


class Files:
    """Files of the package: relative path, text, names by offset, and positions in UTF-16 code units."""

    def __init__(self, directory):
        self.directory = os.path.realpath(directory)
        self.text = {}
        self.names = {}
        self.lines = {}
        for parent, directories, files in os.walk(self.directory):
            directories[:] = sorted(d for d in directories if not d.startswith("."))
            for file in sorted(files):
                if file.endswith(SOURCE_ENDINGS):
                    path = os.path.join(parent, file)
                    self.add(os.path.relpath(path, self.directory).replace(os.sep, "/"), open(path, "rb").read())

    def add(self, path, text):
        self.text[path] = text
        self.names[path] = {
            match.start(): match["name"].decode() for match in LEXEME.finditer(text) if match["name"] is not None
        }
        starts = [0]
        for match in re.finditer(rb"\n", text):
            starts.append(match.end())
        self.lines[path] = starts

    def relative(self, name):
        path = os.path.relpath(os.path.realpath(os.path.join(self.directory, name)), self.directory)
        path = path.replace(os.sep, "/")
        return path if path in self.text else None

    def position(self, place):
        path, offset = place
        line = bisect.bisect_right(self.lines[path], offset) - 1
        before = self.text[path][self.lines[path][line] : offset].decode("utf-8", "replace")
        return {"file": path, "line": line, "column": len(before.encode("utf-16-le")) // 2}


class Union:
    def __init__(self):
        self.parent = {}

    def find(self, item):
        self.parent.setdefault(item, item)
        root = item
        while self.parent[root] != root:
            root = self.parent[root]
        while self.parent[item] != root:
            self.parent[item], item = root, self.parent[item]
        return root

    def join(self, a, b):
        self.parent[self.find(a)] = self.find(b)


class Declaration:
    """One place that declares a name."""

    def __init__(self, cursor, name, kind, path, is_local, is_exported):
        self.name = name
        self.kind = kind
        self.path = path
        self.usr = cursor.get_usr()
        self.is_local = is_local
        self.is_exported = is_exported
        self.is_definition = False
        self.is_in_macro = False
        self.extent = None
        # As an overview shows it.
        self.shown = None
        self.is_leaf = False
        self.owner = None


class Analysis:
    def __init__(self, files):
        self.files = files
        # (path, offset of the name) → declaration.
        self.declarations = {}
        self.same = Union()
        # place of a name → places of declarations it resolves to; empty for what is outside the package.
        self.resolved = collections.defaultdict(set)
        # Names that a template leaves open, or that an expanded macro contains: place → declarations or None.
        self.open = collections.defaultdict(set)
        self.overrides = Union()
        # Places of methods → places of those they override; of classes → (place of a base, whether its arguments are open).
        self.overriding = collections.defaultdict(set)
        self.bases = collections.defaultdict(set)
        self.virtual = set()
        self.errors = []
        self.paths = {}
        # Names that expanded macros contain → places of the declarations they resolve to.
        self.in_macros = collections.defaultdict(set)
        # Files with `using namespace`.
        self.directives = set()
        self.macro_extents = collections.defaultdict(set)

    def place_of(self, location):
        """Returns the place of a location where its text is written; that of a macro's expansion for its body."""
        file, line, column, offset = c_void_p(), c_uint(), c_uint(), c_uint()
        conf.lib.clang_getFileLocation(location, byref(file), byref(line), byref(column), byref(offset))
        if not file.value:
            return None
        path = self.paths.get(file.value)
        if path is None:
            name = location.file.name if location.file else None
            path = self.paths[file.value] = (name and self.files.relative(name)) or ""
        return (path, offset.value) if path else None

    def unit(self, unit):
        self.paths = {}
        for diagnostic in unit.diagnostics:
            if diagnostic.severity >= 3:
                self.errors.append(str(diagnostic))
        by_usr = {}
        self.overridden = []
        top = [c for c in unit.cursor.get_children()]
        for cursor in top:
            if cursor.kind == CursorKind.MACRO_DEFINITION:
                self.macro_definition(cursor, by_usr)
            elif cursor.kind == CursorKind.MACRO_INSTANTIATION:
                place = self.place_of(cursor.location)
                if place is not None:
                    self.reference(cursor, place)
        for cursor in top:
            if not cursor.kind.is_preprocessing() and self.place_of(cursor.location) is not None:
                self.walk(cursor, [], False, by_usr, False)
        for usr, places in by_usr.items():
            for place in places:
                self.same.join(places[0], place)
        for place, other in self.overridden:
            if place in self.declarations and other in self.declarations:
                self.overrides.join(place, other)
                self.overriding[place].add(other)

    def macro_definition(self, cursor, by_usr):
        place = self.place_of(cursor.location)
        if place is not None and self.name_at(place) == cursor.spelling:
            self.declare(cursor, place, "macro", [cursor.spelling], False, True, by_usr)
            self.macro_extents[place[0]].add((place[1], self.place_of(cursor.extent.end)[1]))

    def name_at(self, place):
        return self.files.names[place[0]].get(place[1])

    def declare(self, cursor, place, kind, path, is_local, is_exported, by_usr):
        known = self.declarations.get(place)
        if known is None:
            known = Declaration(cursor, path[-1], kind, path, is_local, is_exported)
            if kind == "macro":
                known.shown = path[-1]
            self.declarations[place] = known
            known.extent = [self.place_of(cursor.extent.start), self.place_of(cursor.extent.end)]
            known.is_in_macro = not self.is_written(place, path[-1])
        if cursor.is_definition():
            known.is_definition = True
        usr = cursor.get_usr()
        if usr:
            by_usr.setdefault(usr, []).append(place)

    def is_written(self, place, name):
        """False for a name that the expansion of a macro contains."""
        if name.startswith("~"):
            return self.files.text[place[0]][place[1] : place[1] + 1] == b"~"
        return self.name_at(place) in (re.split(r"\W", name)[0], "operator", None) or name.startswith("(anonymous")

    def walk(self, cursor, path, is_local, by_usr, is_hidden):
        kind = cursor.kind
        if kind in REFERENCE_KINDS:
            place = self.place_of(cursor.location)
            if place is not None:
                self.reference(cursor, place)
        elif kind == CursorKind.CALL_EXPR:
            self.construction(cursor)
        elif kind in KINDS or kind in OTHER_KINDS:
            path, is_local, is_hidden = self.declaration(cursor, path, is_local, by_usr, is_hidden)
        elif kind == CursorKind.LAMBDA_EXPR:
            is_local = True
        elif kind == CursorKind.USING_DIRECTIVE:
            place = self.place_of(cursor.extent.start)
            self.directives.update([place[0]] if place else [])
        for child in cursor.get_children():
            self.walk(child, path, is_local, by_usr, is_hidden)

    def declaration(self, cursor, path, is_local, by_usr, is_hidden):
        kind = cursor.kind
        place = self.place_of(cursor.location)
        own = self.path_of(cursor)
        if kind == CursorKind.NAMESPACE and not cursor.spelling:
            is_hidden = True
        if place is not None:
            known_kind = KINDS.get(kind, kind.name)
            is_alias = known_kind == "alias" and not is_local
            is_exported = not is_hidden and (is_alias or conf.lib.clang_getCursorLinkage(cursor) == 4)
            self.declare(cursor, place, known_kind, own, is_local, is_exported, by_usr)
            known = self.declarations[place]
            if known.shown is None and not is_local:
                known.shown, is_friend = self.shown_path(cursor, place, own)
                known.is_leaf = known_kind in ("field", "enumerator") or not known.is_definition and "class" in known_kind
                known.is_leaf |= known_kind in ("struct", "union", "enum") and not known.is_definition
                known.is_leaf |= is_friend
                # A static data member.
                known.is_leaf |= known_kind == "variable" and cursor.semantic_parent.kind in RECORD_KINDS
            if kind in (CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR):
                known.owner = self.place_of(cursor.semantic_parent.location)
            if kind in RECORD_KINDS:
                self.bases[place].update(self.bases_of(cursor))
            if kind in (CursorKind.CXX_METHOD, CursorKind.DESTRUCTOR):
                if cursor.is_virtual_method():
                    self.virtual.add(self.place_of(cursor.semantic_parent.location))
                for base in overridden(cursor):
                    other = self.place_of(base.location)
                    if other is not None:
                        self.overridden.append((place, other))
        return own, is_local or kind in FUNCTION_KINDS, is_hidden

    def bases_of(self, cursor):
        for child in cursor.get_children():
            if child.kind != CursorKind.CXX_BASE_SPECIFIER:
                continue
            base = child.type.get_canonical().get_declaration()
            is_open = base.kind == CursorKind.NO_DECL_FOUND
            templates = [part.referenced for part in child.get_children() if part.kind == CursorKind.TEMPLATE_REF]
            place = self.place_of(templates[-1].location if is_open and templates else base.location)
            if place is not None:
                yield place, is_open

    def path_of(self, cursor):
        """Returns the names of the declarations around it, as the language server shows them."""
        names = []
        while cursor is not None and cursor.kind != CursorKind.TRANSLATION_UNIT:
            if cursor.kind != CursorKind.LINKAGE_SPEC:
                names.append(shown_name(cursor))
            cursor = cursor.semantic_parent
        return names[::-1]

    def shown_path(self, cursor, place, path):
        """
        Returns the name path in an overview, and whether it is a friend's: a definition outside its class has the
        qualified name there, as it is written; a friend is written inside a class that it does not belong to.
        """
        around, parent = [], cursor.lexical_parent
        while parent is not None and parent.kind != CursorKind.TRANSLATION_UNIT:
            if parent.kind != CursorKind.LINKAGE_SPEC:
                around.append(shown_name(parent))
            parent = parent.lexical_parent
        depth = len(around)
        if depth >= len(path):
            return "/".join([*around[::-1], path[-1]]), True
        if depth == len(path) - 1:
            return "/".join(path), False
        written = re.search(rb"[\w:<>,\s]*::\s*$", self.files.text[place[0]][: place[1]])
        qualifier = re.sub(r"^.*[\s>](?=\w+(<.*>)?::$)", "", " ".join(written[0].decode().split())) if written else ""
        inner = "::".join(path[depth:-1]) + "::"
        # The language server writes a space behind each comma and before an asterisk, and the arguments of a specialized function.
        qualifier = re.sub(r",\s*", ", ", qualifier) if "<" in qualifier else inner
        arguments = re.match(rb"\w+(<[\w:, *&]*>)?", self.files.text[place[0]][place[1] :])
        written = (arguments[1] or b"").decode() if arguments else ""
        name = path[-1] + re.sub(r"\s*([*&])", r" \1", written)
        return "/".join([*path[:depth], qualifier + name]), False

    def reference(self, cursor, place):
        name = self.name_at(place)
        targets = [cursor.referenced] if cursor.referenced is not None else []
        is_open = False
        if cursor.kind == CursorKind.OVERLOADED_DECL_REF or (
            targets and targets[0].kind == CursorKind.OVERLOADED_DECL_REF
        ):
            source = cursor if cursor.kind == CursorKind.OVERLOADED_DECL_REF else targets[0]
            count = conf.lib.clang_getNumOverloadedDecls(source)
            targets = [conf.lib.clang_getOverloadedDecl(source, index) for index in range(count)]
            is_open = count != 1
        if not targets:
            self.open[place].add(None)
            return
        for target in targets:
            declared = self.place_of(target.location)
            if target.kind == CursorKind.MACRO_DEFINITION and cursor.kind != CursorKind.MACRO_INSTANTIATION:
                continue
            if is_open or name != target.spelling:
                if declared is not None:
                    self.open[place].add(declared)
            elif declared is None:
                self.resolved[place] |= set()
            else:
                self.resolved[place].add(declared)
            if name != target.spelling:
                self.in_macros[target.spelling].add(declared)

    def construction(self, cursor):
        target = cursor.referenced
        if target is None or target.kind not in (CursorKind.CONSTRUCTOR, CursorKind.FUNCTION_TEMPLATE):
            return
        place, declared = self.place_of(cursor.location), self.place_of(target.location)
        if place is not None and declared is not None:
            self.open[place].add(declared)


def shown_name(cursor):
    if cursor.kind == CursorKind.NAMESPACE:
        return cursor.spelling or "(anonymous namespace)"
    if cursor.is_anonymous() or not cursor.spelling or cursor.spelling.startswith("("):
        kinds = {CursorKind.ENUM_DECL: "enum", CursorKind.UNION_DECL: "union", CursorKind.CLASS_DECL: "class"}
        return f"(anonymous {kinds.get(cursor.kind, 'struct')})"
    if cursor.kind in (CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,) or is_specialization(cursor):
        return cursor.displayname
    # A constructor of a template has its arguments in its name.
    return cursor.spelling if cursor.spelling.startswith("operator") else cursor.spelling.split("<")[0]


def is_specialization(cursor):
    classes = (CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL)
    return cursor.kind in classes and "<" in cursor.displayname


def overridden(cursor):
    """Returns the methods that a method overrides directly."""
    cursors, count = c_void_p(), c_uint()
    conf.lib.clang_getOverriddenCursors(cursor, byref(cursors), byref(count))
    if not cursors.value:
        return []
    array = cast(cursors, POINTER(Cursor))
    found = []
    for index in range(count.value):
        base = array[index]
        base._tu = cursor._tu
        found.append(base)
    # The array is needed until the end of the process, because its cursors are.
    return found


def commands_of(directory):
    commands = json.load(open(os.path.join(directory, "compile_commands.json"), encoding="utf-8"))
    for command in commands:
        args = command["arguments"][1:]
        yield command["file"], args[: args.index("-c")]


def analyze(directory, kind=Analysis):
    files = Files(directory)
    analysis = kind(files)
    own_headers = subprocess.run(
        ["g++", "-print-file-name=include"], capture_output=True, text=True, check=True
    ).stdout.strip()
    index = Index.create()
    os.chdir(directory)
    for file, args in commands_of(directory):
        unit = index.parse(
            os.path.join(files.directory, file),
            args=["-x", "c++", *args, "-isystem", own_headers],
            options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
        )
        analysis.unit(unit)
    return files, analysis


def merged(analysis):
    """Links declarations of one USR that no header links, if at most one of the groups has a definition."""
    groups = collections.defaultdict(set)
    for place, declaration in analysis.declarations.items():
        if declaration.usr:
            groups[declaration.usr].add(analysis.same.find(place))
    defined = {
        analysis.same.find(place) for place, declaration in analysis.declarations.items() if declaration.is_definition
    }
    for roots in groups.values():
        if len(roots) > 1 and len(roots & defined) <= 1:
            first, *others = roots
            for other in others:
                analysis.same.join(first, other)


def symbols_of(files, analysis):
    merged(analysis)
    members = collections.defaultdict(list)
    for place in sorted(analysis.declarations):
        members[analysis.same.find(place)].append(place)
    uses, open_uses = collections.defaultdict(set), collections.defaultdict(set)
    for place, targets in analysis.resolved.items():
        for target in targets:
            if target in analysis.declarations and place not in analysis.declarations:
                uses[analysis.same.find(target)].add(place)
    for place, targets in analysis.open.items():
        for target in targets - {None}:
            if target in analysis.declarations:
                open_uses[analysis.same.find(target)].add(place)
    by_name = collections.defaultdict(list)
    for path, names in files.names.items():
        for offset, name in names.items():
            by_name[name].append((path, offset))
    families = collections.defaultdict(set)
    for place in analysis.overrides.parent:
        families[analysis.overrides.find(place)].add(analysis.same.find(place))
    related = {}
    for family in families.values():
        for root in family:
            related.setdefault(root, set()).update(family - {root})
    constructors = collections.defaultdict(set)
    for place, declaration in analysis.declarations.items():
        if declaration.owner in analysis.declarations:
            is_destructor = files.text[place[0]][place[1] : place[1] + 1] == b"~"
            name = (place[0], place[1] + is_destructor)
            if name[1] in files.names[name[0]]:
                constructors[analysis.same.find(declaration.owner)].add(name)
    for root, places in members.items():
        declarations = [analysis.declarations[place] for place in places]
        asked = sorted((p for p in places if analysis.declarations[p].kind in KINDS.values()), key=priority(analysis))
        if not asked:
            continue
        first = asked[0]
        declaration = analysis.declarations[first]
        if any(d.is_local or d.is_in_macro for d in declarations) or not re.fullmatch(r"\w+", declaration.name):
            continue
        other = {p for r in related.get(root, ()) for p in [*members[r], *uses[r]]}
        # Names that no translation unit leads anywhere: in code that is not compiled, in macros, or in templates.
        unknown = {
            place
            for place in by_name[declaration.name]
            if place not in analysis.resolved and place not in analysis.declarations
        }
        in_macros = {analysis.same.find(p) if p else None for p in analysis.in_macros[declaration.name]}
        if in_macros == {root}:
            bodies = {place for place in unknown if is_in_macro(analysis, place)}
            uses[root] |= bodies
            unknown -= bodies
        positions = lambda places: [files.position(place) for place in sorted(places)]
        yield {
            "name": declaration.name,
            "namePath": declaration.shown,
            "kind": declaration.kind,
            "isExported": declaration.is_exported,
            "at": files.position(first),
            "declarations": positions([*places, *constructors[root]]),
            "extent": positions(declaration.extent),
            "isShared": shares_statement(analysis, first),
            "uses": positions(uses[root] - constructors[root]),
            "unknown": positions(unknown - constructors[root]),
            "open": positions(open_uses[root] | other),
            "isVirtual": bool(other),
        }


def implementations(files, analysis, symbols):
    """Yields the classes and virtual methods of the package that others derive from or override, with these."""
    same = analysis.same
    members = collections.defaultdict(list)
    for place in sorted(analysis.declarations):
        members[same.find(place)].append(place)
    below = collections.defaultdict(set)
    for place, bases in analysis.bases.items():
        for base, is_open in bases:
            below[same.find(base)].add((same.find(place), is_open))
    for place, overridden_places in analysis.overriding.items():
        for other in overridden_places:
            below[same.find(other)].add((same.find(place), False))
    roots = {json.dumps(files.position(place)): same.find(place) for place in analysis.declarations}
    virtual = {same.find(place) for place in analysis.virtual if place in analysis.declarations}
    for symbol in symbols:
        root = roots[json.dumps(symbol["at"])]
        if root not in below or symbol["kind"] != "method" and root not in virtual:
            continue
        found = derived(root, below)
        must = [place for other, is_open in found.items() if not is_open for place in defining(analysis, members[other])]
        may = [place for other in found for place in members[other]]
        keys = ("name", "namePath", "kind", "isExported", "at")
        yield {
            "symbol": {key: symbol[key] for key in keys},
            "must": [files.position(place) for place in sorted(must)],
            "may": [files.position(place) for place in sorted(may)],
        }


def derived(root, below):
    """Returns all that is below, and for each whether only a base with open arguments leads there."""
    found, todo = {}, [(root, False)]
    while todo:
        parent, was_open = todo.pop()
        for child, is_open in below.get(parent, ()):
            is_open |= was_open
            if child != root and found.get(child, True) and not (child in found and is_open):
                found[child] = is_open
                todo.append((child, is_open))
    return found


def defining(analysis, places):
    """Returns the definition; without one in the package, the declarations."""
    definitions = [place for place in places if analysis.declarations[place].is_definition]
    return definitions or places


def priority(analysis):
    """Sorts the declarations of one symbol: the definition of a type, and what a header declares, comes first."""

    def key(place):
        declaration = analysis.declarations[place]
        is_type = declaration.kind in ("struct", "class", "union", "class template", "enum")
        return (is_type and not declaration.is_definition, place[0].endswith(".cpp"), place)

    return key


def is_in_macro(analysis, place):
    return any(start < place[1] < end for start, end in analysis.macro_extents[place[0]])


def shares_statement(analysis, first):
    """True if a statement declares several names, as in `int a, b`."""
    start, end = analysis.declarations[first].extent
    return any(
        place != first and place[0] == first[0] and other.extent[0] == start and other.kind == analysis.declarations[first].kind
        for place, other in analysis.declarations.items()
    )


def overviews(files, analysis):
    """Yields what an overview of each file must and may name."""
    must, may = collections.defaultdict(set), collections.defaultdict(set)
    for (path, _), declaration in analysis.declarations.items():
        if declaration.shown is None:
            continue
        is_hidden = declaration.is_leaf or declaration.is_in_macro or declaration.kind == "macro"
        is_demanded = not is_hidden and declaration.kind in SHOWN_KINDS
        (must if is_demanded else may)[path].add(declaration.shown)
    for path in analysis.directives:
        spaces = re.findall(rb"using\s+namespace\s+([\w:]+)", files.text[path])
        may[path].update(f"using namespace {name.decode()}" for name in spaces)
    for path, text in files.text.items():
        # Also those that are not compiled.
        may[path].update(name.decode() for name in re.findall(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE))
    for path in sorted(files.text):
        yield {"file": path, "must": sorted(must[path]), "may": sorted(may[path] - must[path])}


def register():
    conf.lib.clang_getOverriddenCursors.argtypes = [Cursor, c_void_p, c_void_p]
    conf.lib.clang_getFileLocation.argtypes = [SourceLocation, c_void_p, c_void_p, c_void_p, c_void_p]
    conf.lib.clang_getCursorLinkage.argtypes = [Cursor]


def main():
    register()
    files, analysis = analyze(os.path.realpath(sys.argv[1]))
    print(*analysis.errors, sep="\n", file=sys.stderr)
    symbols = list(symbols_of(files, analysis))
    found = {
        "symbols": symbols,
        "files": list(overviews(files, analysis)),
        "implementations": list(implementations(files, analysis, symbols)),
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
