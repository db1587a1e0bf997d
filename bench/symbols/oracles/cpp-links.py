"""Prints, as JSON, what every name of a C++ package leads to and what every method overrides, by libclang, in all
translation units, merged: see `cpp-references.py`. What is declared elsewhere has its qualified name.

usage: cpp-links.py <directory>
"""

import collections
import importlib
import json
import os
import sys

from clang.cindex import CursorKind

references = importlib.import_module("cpp-references")


class Links(references.Analysis):
    def __init__(self, files):
        super().__init__(files)
        self.foreign = collections.defaultdict(set)
        self.foreign_bases = collections.defaultdict(set)

    def reference(self, cursor, place):
        super().reference(cursor, place)
        target = cursor.referenced
        if target is not None and self.place_of(target.location) is None and target.spelling == self.name_at(place):
            self.foreign[place].add(qualified(target))

    def declaration(self, cursor, path, is_local, by_usr, is_hidden):
        if cursor.kind == CursorKind.CXX_METHOD:
            place = self.place_of(cursor.location)
            for base in references.overridden(cursor):
                if place is not None and self.place_of(base.location) is None:
                    self.foreign_bases[place].add(qualified(base))
        return super().declaration(cursor, path, is_local, by_usr, is_hidden)


def qualified(cursor):
    names = []
    while cursor is not None and cursor.kind != CursorKind.TRANSLATION_UNIT:
        names.append(cursor.spelling)
        cursor = cursor.semantic_parent
    return "::".join(name for name in reversed(names) if name)


def links(files, analysis):
    def rows(kind, found, foreign):
        for place in sorted(found.keys() | foreign.keys()):
            targets = [files.position(target) for target in sorted(found.get(place, set()) - {None})]
            targets += sorted(foreign.get(place, ()))
            name = analysis.name_at(place)
            if targets and name:
                yield {"kind": kind, "at": files.position(place), "name": name, "to": targets}

    uses = {place: analysis.resolved.get(place, set()) | analysis.open.get(place, set()) for place in [*analysis.resolved, *analysis.open]}
    yield from rows("use", uses, analysis.foreign)
    yield from rows("override", analysis.overriding, analysis.foreign_bases)


def main():
    references.register()
    files, analysis = references.analyze(os.path.realpath(sys.argv[1]), Links)
    json.dump(list(links(files, analysis)), sys.stdout)


main()
