import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlainSymbol } from '../lsp/features/document-symbols.ts';
import type { Quirks } from '../servers/quirks.ts';
import { defineServer } from '../servers/spec.ts';
import { splitLines } from '../text/lines.ts';
import { referencesOfAll } from './corrections.ts';

/**
 * The program that robotframework-lsp 1.13 starts to analyze files, with these corrections:
 *
 * - The server would import the Python libraries of the project to learn their keywords. Here only those of Robot
 *   Framework itself are imported, by Python in isolated mode.
 * - The server learns of new files from a scan of the disk in the background. Here each search lists the files.
 *
 * Covered by `test/languages/robotframework/robotframework.test.ts`.
 */
const apiProgram = `
import os, subprocess, sys
packages = os.environ['ROBOT_PACKAGES']
sys.path.insert(0, packages)
import robotframework_ls
robotframework_ls.import_robocorp_ls_core()
from robocorp_ls_core import uris, workspace
from robotframework_ls.impl.libspec_manager import LibspecManager
from robotframework_ls.impl.robot_constants import STDLIBS
from robotframework_ls.server_api.server__main__ import main

script = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from robot.libdoc import libdoc_cli
libdoc_cli(sys.argv[1:])
"""

def check_output(self, call, **options):
    if '-P' in call or call[-2] not in STDLIBS or call[-2] == 'Remote':
        raise subprocess.CalledProcessError(1, call, b'only libraries of Robot Framework are loaded')
    options['cwd'] = packages
    return subprocess.check_output([call[0], '-I', '-S', '-c', script, packages, *call[3:]], **options)

def iter_uris(self, extensions):
    accepts = self._virtual_fsthread.accept_directory
    for directory, names, files in os.walk(self.root_folder_path):
        names[:] = [name for name in names if accepts(os.path.join(directory, name))]
        for name in files:
            if name.endswith(extensions):
                yield uris.from_fs_path(workspace.normalize_drive(os.path.join(directory, name)))

LibspecManager._subprocess_check_output = check_output
workspace._VirtualFS._iter_all_doc_uris = iter_uris
main()
`.trim();

/** Messages about keywords and libraries, which may be in libraries that are not loaded. */
const aboutLibraries = /^(?:Undefined keyword|Unresolved library)/;

/**
 * robotframework-lsp 1.13 reports the first line as the range of a section, a keyword, a test and a variable:
 *
 * ```robotframework
 * Open Shop           # the range is this line
 *     Log    open
 * ```
 *
 * Covered by "overview" of its conformance answers.
 */
const robotQuirks: Quirks = {
  prepare: ({ cache }) => {
    const api = join(cache, 'api.py');
    writeFileSync(api, apiProgram);
    return { api };
  },
  adjustSymbols: (symbols, text) => {
    const lines = splitLines(text);
    return withBodies(symbols, lines, lines.length);
  },
  adjustDiagnostics: (diagnostics) => diagnostics.filter(({ message }) => !aboutLibraries.test(message)),
  diagnosticsGap: {
    missing: 'Undefined keywords and unresolved libraries are missing',
    reason: 'keywords of Python libraries are unknown, because to learn them the server would run code of the project',
    next: 'Run `robot --dryrun`',
  },
  references: referencesOfAll,
  // The first document waits until the keywords of all libraries of Robot Framework are known.
  publishing: { timeoutMs: 30_000 },
};

/** Returns the symbols, each extended up to the next one or the line `end`, without comments and empty lines at the end. */
function withBodies(symbols: readonly PlainSymbol[], lines: readonly string[], end: number): PlainSymbol[] {
  const ordered = symbols.toSorted((a, b) => a.range.start.line - b.range.start.line);
  return ordered.map((symbol, index) => {
    const { start } = symbol.range;
    const next = ordered[index + 1]?.range.start.line ?? end;
    let last = next - 1;
    while (last > start.line && /^(?:#.*|\s*)$/.test(lines[last] ?? '')) last -= 1;
    const range = { start, end: { line: last, character: (lines[last] ?? '').trimEnd().length } };
    const selectionRange = isVariable.test(symbol.name) ? withoutBraces(symbol) : symbol.selectionRange;
    return { ...symbol, range, selectionRange, children: withBodies(symbol.children, lines, next) };
  });
}

const isVariable = /^[$@&%]\{.*\}$/;

function withoutBraces({ selectionRange: { start, end } }: PlainSymbol): PlainSymbol['selectionRange'] {
  return {
    start: { line: start.line, character: start.character + 2 },
    end: { line: end.line, character: end.character - 1 },
  };
}

export const robotframework = defineServer({
  id: 'robotframework',
  name: 'Robot Framework Language Server',
  homepage: 'https://github.com/robocorp/robotframework-lsp',
  files: { '.robot': 'robotframework', '.resource': 'robotframework' },
  install: [
    {
      from: 'pypi',
      packages: { 'robotframework-lsp': '1.13.0', robotframework: '7.5' },
      run: {
        python: 'robotframework_ls.__main__:main',
        atLeast: '3.10',
        set: { 'robotframework_ls.server_api.server__main__:__file__': '{api}' },
      },
    },
  ],
  versionKey: 'robotframework_lsp_version',
  env: { ROBOTFRAMEWORK_LS_USER_HOME: '{cache}', ROBOT_PACKAGES: '{directory}/site' },
  ignoredDirectories: ['results', 'output', 'log', 'venv', '.venv', 'node_modules'],
  // Variables are named with the sign and the braces around the name.
  nameRules: [{ from: /^[$@&%]\{(.*)\}$/, to: '$1' }],
  quirks: robotQuirks,
});
