import { ExpectedError } from '../../base/errors.ts';
import { toUri } from '../../base/paths.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { referencesOfAll } from '../references-of-all.ts';
import { pythonSymbols } from './symbols.ts';

/**
 * jedi 0.20 caches a parsed file until its modification time is later, but archives and backups restore earlier times.
 * Any request about the file itself makes it read the file again. Covered by "external change" of its conformance
 * answers.
 */
const rereadChanged: NonNullable<Quirks['rereadChanged']> = async (server, paths, limits) => {
  for (const path of paths) {
    const params = { textDocument: { uri: toUri(path) }, position: { line: 0, character: 0 } };
    await server.request('textDocument/signatureHelp', params, limits);
  }
};

const identifier = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import
  in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/**
 * jedi-language-server 0.47 computes the edits of a rename by a character diff of each file. That takes minutes for a
 * large file, silently skips files that do not parse, adds carriage returns to files with CRLF line breaks, and counts
 * form feeds as line breaks. The references are correct, so they are renamed. Covered by "renames" in
 * `test/servers/python_jedi.test.ts`.
 */
const rename: NonNullable<Quirks['rename']> = async (server, { newName, ...place }, limits) => {
  if (!identifier.test(newName) || keywords.has(newName)) {
    throw new ExpectedError('edit.refused', `\`${newName}\` is not a valid Python identifier`, {
      hints: ['pass a `new_name` of letters, digits and underscores that is not a keyword'],
    });
  }
  const references = await requestReferences(server, place, limits, { includeDeclaration: true });
  const byPath = Map.groupBy(references, ({ path }) => path);
  return [...byPath].map(([path, own]) => ({
    do: 'edit',
    path,
    edits: own.map(({ range }) => ({ range, newText: newName })),
  }));
};

export const jediQuirks: Quirks = {
  adjustSymbols: pythonSymbols,
  rereadChanged,
  references: referencesOfAll,
  rename,
  // The server always counts code points, whatever encoding was negotiated.
  positionEncodings: ['utf-32', 'utf-16'],
  noDiagnosticsReason: 'looks for syntax errors only',
};
