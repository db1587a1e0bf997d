import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { writeTextAtomically } from '../../base/files.ts';
import { log } from '../../base/log.ts';
import { relativeWithin } from '../../base/paths.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { type RenameRequest, requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { isDependentName } from './dependent-name.ts';
import { derivedImplementations } from './implementations.ts';
import { otherPrograms } from './other-programs.ts';
import { withUnreported } from './symbols.ts';
import { templateGap } from './template-gap.ts';
import { withTemplateHeaders } from './templates.ts';

const name = 'compile_commands.json';
/** Relative paths at which clangd looks for a project's database, in this order. */
const candidates = [name, join('build', name)];
/** Larger databases exist in real projects (some 100 MB); clangd needs a minute for those. */
const maxBytes = 64 * 1024 * 1024;
/** A quick test: parsing the database takes seconds in large projects, whose directories are absolute. */
const relativeDirectory = /"directory"\s*:\s*"(?!\/|\\\\|[A-Za-z]:)/;

/** The key and the value. In a command, which is a string, the quotes are escaped. */
const anyDirectory = /((?<!\\)"directory"\s*:\s*)("(?:[^"\\\n]|\\.)*")/g;

/** LSP's `String`, which clangd uses for the expansion of a macro, and for nothing else. */
const expansionKind = 15;

/**
 * clangd 22.1 resolves a relative `directory` of `compile_commands.json` against its own working directory, finds no
 * command for any of the files, and borrows one from a file with a similar name. It gets a corrected copy instead.
 * Covered by the tests of relative directories in `test/servers/cpp.test.ts`.
 *
 * clangd nests what the expansion of a macro declares in a symbol for the macro, which is no declaration.
 *
 * clangd also treats the `main` functions of all programs of a project as one symbol and would rename them together.
 */
export const clangdQuirks: Quirks = {
  prepare: ({ root, cache }) => ({ compilation_database: correctedDatabase(root, cache) }),
  completeSymbols: async (symbols, text, problems) =>
    withTemplateHeaders(await withUnreported(symbols, text, problems), text),
  adjustSymbols: withoutExpansions,
  rename: (server, request, limits) => {
    if (isMain(server.documents.textOf(request.path), request.position)) throw mainRefused();
    return renameInProgram(server, request, limits);
  },
  implementations: derivedImplementations,
  otherPrograms,
  hasSeparateDefinitions: true,
  importRule: 'include',
  editCommands: ['clangd.applyTweak', 'clangd.applyFix', 'clangd.applyRename'],
  formatterConfig: ['.clang-format', '_clang-format'],
  hasDependentNames: true,
  isDependentName,
  renamesIncompletely: true,
  publishing: {
    // Publishes after each change, once all headers are parsed.
    timeoutMs: 60_000,
    // Of a changed text, and with `forceRebuild`, clangd may first publish what it finds with the former headers.
    checksWhenOpened: true,
  },
  diagnosticsGapOf: templateGap,
  includes: { directive: /^[ \t]*#[ \t]*include[ \t]*[<"]([^<>"\n]+)[>"]/gm, errorMark: /^In included file: / },
  errorLimit: { code: 'fatal_too_many_errors', count: 20 },
};

/** A macro that opens a namespace would be the first part of each name path in the file. */
function withoutExpansions(symbols: readonly PlainSymbol[]): PlainSymbol[] {
  return symbols.flatMap((symbol) => {
    const children = withoutExpansions(symbol.children);
    return symbol.kind === expansionKind && children.length > 0 ? children : [{ ...symbol, children }];
  });
}

/** Matches the refusal for a file whose text differs from what clangd has indexed, with its absolute path. */
const staleIndex = /Index results don't match the content of file (.+?) \(the index may be stale\)/;
/** Files that are opened for one rename. */
const maxOpened = 20;

const renameInProgram: NonNullable<Quirks['rename']> = async (server, request, limits) => {
  const steps = await renameIndexed(server, request, limits);
  const others = await otherPrograms(server, request, limits);
  return steps.filter(({ path }) => !others.has(path));
};

/** Requests a rename, after files were opened whose text has changed since clangd indexed them: it then reads them. */
async function renameIndexed(
  server: LanguageServer,
  request: RenameRequest,
  limits: RequestLimits,
): Promise<WorkspaceStep[]> {
  const opened = new Set<string>();
  for (;;) {
    try {
      return await requestRename(server, request, limits);
    } catch (error) {
      const path = isExpected(error, 'server.refused') ? staleIndex.exec(error.message)?.[1] : undefined;
      if (path === undefined || opened.has(path) || opened.size === maxOpened) throw error;
      opened.add(path);
      server.documents.sync(path);
      await server.documents.published.settled(path, limits.signal ?? new AbortController().signal);
    }
  }
}

function isMain(text: string, { line, character }: RenameRequest['position']): boolean {
  return /^main(?!\w)/.test(text.split(/\r\n|\n|\r/)[line]?.slice(character) ?? '');
}

function mainRefused(): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    'clangd would rename every `main` of the project, including those of other programs',
    {
      hints: ['edit the definition of this `main` as text'],
    },
  );
}

/** Returns the directory of a corrected copy of the project's compilation database; `undefined` if it needs none. */
function correctedDatabase(root: string, cache: string): string | undefined {
  for (const candidate of candidates) {
    const path = join(root, candidate);
    try {
      const text = readInside(root, path);
      if (text === undefined) continue;
      if (!relativeDirectory.test(text)) return undefined;
      // Not parsed: that takes up to a hundred times as much memory as the text.
      const corrected = text.replace(anyDirectory, (whole, key: string, value: string) => {
        const directory: string = JSON.parse(value);
        return isAbsolute(directory) ? whole : `${key}${JSON.stringify(resolve(dirname(path), directory))}`;
      });
      writeTextAtomically(join(cache, name), corrected);
      return cache;
    } catch (error) {
      log('servers').warn(`cannot correct \`${path}\` for clangd: ${messageOf(error)}`);
      return undefined;
    }
  }
  return undefined;
}

/**
 * Returns the text of a file of the project, `undefined` if there is none. The project may be hostile.
 *
 * @throws {Error} for a file outside the project, for one that is not regular, or that is too large.
 */
function readInside(root: string, path: string): string | undefined {
  const real = realPathIfExists(path);
  if (real === undefined) return undefined;
  if (relativeWithin(realpathSync(root), real) === undefined) throw new Error('it is outside the project');
  const descriptor = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > maxBytes) throw new Error(`it has ${stats.size} bytes, more than ${maxBytes}`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function realPathIfExists(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
