import { statSync } from 'node:fs';
import type { Call } from '../../base/call.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { Gap } from '../../base/gap.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { readError } from '../../search/read-error.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { LanguageAdapter, LanguageAdapters } from '../adapter.ts';
import type { FileSymbols } from './file-symbols.ts';
import type { ServerAnswers } from './server-state.ts';
import type { SymbolNode } from './symbol.ts';
import type { TreeProvider } from './tree-provider.ts';

/** Context shared by all symbol queries of one tool call. */
export interface SymbolScope {
  readonly files: FileSymbols;
  readonly call: Call;
  readonly adapters: LanguageAdapters<SymbolScope>;
  /** Provides the trees of questions that a syntax tree can answer; absent for those that only a server can. */
  readonly trees?: TreeProvider;
  /** Gaps of the answers so far. Queries only append to it. */
  readonly gaps: Gap[];
  /** True if the changed files have been reported to the server for this question: they are not searched for again. */
  readonly areChangesReported?: boolean;
  /** Why files of which no server was asked come from syntax trees, in plain words. Queries only add to it. */
  readonly parsedBecause: Set<string>;
  /** The imported indexes that answered, for people. Queries only add to it. */
  readonly indexesUsed: Set<string>;
}

/** A file or directory to search: project-relative, `''` for the whole project. */
export interface SearchRoot {
  readonly path: string;
  readonly isFile: boolean;
}

/** Returns the adapter of the language of a server's file. */
export function adapterOf(
  { adapters }: Pick<SymbolScope, 'adapters'>,
  { spec }: ActiveServer,
  file: string,
): Promise<LanguageAdapter<SymbolScope>> {
  return adapters(languageIdOf(spec, file) ?? '', spec.id);
}

/** Returns the symbol tree of a file; see {@link FileSymbols.treeOf} and {@link TreeProvider.treeOf}. */
export function treeIn(
  { files, call, trees }: SymbolScope,
  file: string,
  options: { fingerprint?: string | undefined } = {},
): Promise<readonly SymbolNode[]> {
  return trees?.treeOf(file, options) ?? files.treeOf(file, call, options);
}

/** Returns the text of a file; `undefined` if it cannot be read, for example because it was deleted meanwhile. */
export function readable({ files }: Pick<SymbolScope, 'files'>, file: string): TextLines | undefined {
  try {
    return files.textOf(file);
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/**
 * Resolves the `relative_path` of a tool call.
 *
 * @throws {ExpectedError} `file.outside-project`, `file.not-found`; `file.not-source` for an ignored file and one that
 *   no language server covers.
 */
export async function resolveRoot(scope: SymbolScope, relativePath: string): Promise<SearchRoot> {
  const { project, sources } = scope.files;
  const path = resolveInProject(project, relativePath);
  const isFile = statKind(scope.files.absolute(path), path) === 'file';
  if (isFile) {
    sources.requireServer(path);
    if (await project.scanner.isIgnored(path)) {
      throw new ExpectedError('file.not-source', `\`${path}\` is ignored by the project's ignore rules`, {
        hints: ['use `read_file` or `search_for_pattern`, which can read ignored files'],
      });
    }
  }
  return { path, isFile };
}

/**
 * Fails unless `root` is a file.
 *
 * @throws {ExpectedError} `file.not-source` for a directory.
 */
export function requireFile(root: SearchRoot): void {
  if (root.isFile) return;
  throw new ExpectedError('file.not-source', `\`${root.path || '.'}\` is a directory; this tool needs a file`, {
    hints: ['call `list_dir` to see its files, or `find_symbol` with the directory as `relative_path`'],
  });
}

function statKind(absolute: string, path: string): 'file' | 'directory' {
  try {
    return statSync(absolute).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    throw readError(path, error);
  }
}

/** Returns the remembered answers, to use and to add to, unless the server may answer without having read everything. */
export function answersOf(
  { files }: SymbolScope,
  { spec }: ActiveServer,
  server: LanguageServer,
): ServerAnswers | undefined {
  return spec.mayAnswerStale || !server.isReady ? undefined : files.stateOf(server).answers;
}
