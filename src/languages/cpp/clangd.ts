import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { type RenameRequest, requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { correctedDatabase } from './compile-commands.ts';
import { derivedImplementations } from './implementations.ts';
import { otherPrograms } from './other-programs.ts';
import { isDependentName, templateGap, withTemplateHeaders } from './templates.ts';
import { withUnreported } from './unreported-symbols.ts';

/** LSP's `String`, which clangd uses for the expansion of a macro, and for nothing else. */
const expansionKind = 15;

/**
 * clangd nests what the expansion of a macro declares in a symbol for the macro, which is no declaration.
 *
 * clangd treats the `main` functions of all programs of a project as one symbol and would rename them together.
 */
export const clangdQuirks: Quirks = {
  prepare: ({ root, cache }) => ({ compilation_database: correctedDatabase(root, cache) }),
  completeSymbols: async (symbols, text, problems) =>
    withTemplateHeaders(await withUnreported(symbols, text, problems), text),
  adjustSymbols: withoutExpansions,
  rename: (server, request, limits) => {
    if (isMain(server.documents.textOf(request.file), request.range.start)) throw mainRefused();
    return renameInProgram(server, request, limits);
  },
  implementations: derivedImplementations,
  hasSeparateDefinitions: true,
  leavesImports: true,
  readsHeadersOnDisk: true,
  editCommands: ['clangd.applyTweak', 'clangd.applyFix', 'clangd.applyRename'],
  formatterConfig: ['.clang-format', '_clang-format'],
  renamesIncompletely: true,
  publishing: {
    // Publishes after each change, once all headers are parsed.
    timeoutMs: 60_000,
    // Of a changed text, and with `forceRebuild`, clangd may first publish what it finds with the former headers.
    checksWhenOpened: true,
  },
  errorLimit: { code: 'fatal_too_many_errors', count: 20 },
};

export const clangdAdapter: ServerAdapter = {
  otherPrograms,
  isDependentName,
  diagnosticsGapOf: templateGap,
  includes: { directive: /^[ \t]*#[ \t]*include[ \t]*[<"]([^<>"\n]+)[>"]/gm, errorMark: /^In included file: / },
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
  return steps.filter(({ file }) => !others.has(file));
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
      await server.documents.published.settled(
        server.files.fileAt(path),
        limits.signal ?? new AbortController().signal,
      );
    }
  }
}

function isMain(text: string, { line, character }: RenameRequest['range']['start']): boolean {
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
