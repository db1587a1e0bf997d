import { isExpected } from '../../base/errors.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { requestImplementations, requestReferences } from '../../lsp/features/locations.ts';
import { requestRename } from '../../lsp/features/rename.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { defineServer, onPath } from '../../servers/spec.ts';
import type { Place } from '../../text/place.ts';
import { toUtf16 } from '../../text/position.ts';
import { identifierAt, lineAt } from '../corrections.ts';

/**
 * sourcekit-lsp 6.2 answers about other files from an index that it builds in the background, even from an incomplete one:
 *
 * ```swift
 * let label = "für"; total()   // the location of `total` has no length, and counts bytes if the file is not open
 * ```
 *
 * Locations may be those of an earlier text. `workspace/synchronize`, its extension of LSP, waits for the index. Covered by
 * "references", "external change" and "restart" of its conformance answers.
 */
const sourcekitQuirks: Quirks = {
  references: async (server, place, limits) => {
    await untilIndexed(server, limits);
    const found = await requestReferences(server, place, limits);
    const { start } = place.range;
    const name = identifierAt(lineAt(server, place.file, start.line), start.character);
    // Uses of these have other names.
    if (name === '' || ['init', 'subscript'].includes(name)) return found;
    return found.flatMap((location) => asNamed(server, location, name) ?? []);
  },
  implementations: async (server, place, limits) => {
    await untilIndexed(server, limits);
    return requestImplementations(server, place, limits);
  },
  rename: async (server, request, limits) => {
    await untilIndexed(server, limits);
    return requestRename(server, request, limits);
  },
};

/** Returns at once from a server that is too old to have the request. */
async function untilIndexed(server: LanguageServer, limits: RequestLimits): Promise<void> {
  try {
    await server.request('workspace/synchronize', { index: true }, limits);
  } catch (error) {
    if (!isExpected(error, 'server.refused')) throw error;
  }
}

/** Returns the location with the range of `name`, or `undefined` if the name is not there in the present text. */
function asNamed(server: LanguageServer, location: Place, name: string): Place | undefined {
  const { line, character } = location.range.start;
  const text = lineAt(server, location.file, line);
  const start = [character, toUtf16(text, character, 'utf-8')].find((at) => identifierAt(text, at) === name);
  if (start === undefined) return undefined;
  const range = { start: { line, character: start }, end: { line, character: start + name.length } };
  return { ...location, range };
}

export const swift = defineServer({
  id: 'swift',
  name: 'sourcekit-lsp',
  homepage: 'https://github.com/swiftlang/sourcekit-lsp',
  files: { '.swift': 'swift' },
  install: [onPath('sourcekit-lsp', 'install the Swift toolchain or Xcode, which include sourcekit-lsp')],
  // By default the index is built in `.build` of the project.
  initializationOptions: { swiftPM: { scratchPath: '{cache}/build' } },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['Package.swift', 'compile_commands.json'],
  ignoredDirectories: ['.build', '.swiftpm', 'node_modules', 'dist', 'build'],
  // `add(_:to:)`
  nameRules: [{ from: /\(.*$/s }],
  quirks: sourcekitQuirks,
  symbolsVersion: 2,
});
