import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '../base/call.ts';
import { counted } from '../base/counted.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { type IndexedFile, indexFile, type ListedSymbol } from './index-project.ts';
import type { OpenProject } from './open-projects.ts';
import type { Session } from './session.ts';

/** One tool call that checks one language server. */
export interface HealthStep {
  readonly tool: string;
  readonly works: boolean;
  /** Summary of the result, or the reason of the failure. */
  readonly detail: string;
}

/** Result of checking one language server with one of the project's files. */
export interface ServerHealth {
  readonly serverId: string;
  /** Project-relative; `undefined` if none of the files tried has a symbol. */
  readonly file: string | undefined;
  readonly steps: readonly HealthStep[];
}

/** Smaller files are tried only if there is no larger one: they have few symbols, if any. */
const minBytes = 1_000;
const maxTried = 5;
const preferredKinds = ['Class', 'Function', 'Method', 'Constructor'];

/**
 * Checks each language server that has files in the project: requests the symbols of one file, one of these symbols
 * with its body, and the references to that symbol. The requests go through the tools of `session`, whose active
 * project `open` is. Failures are part of the result.
 *
 * @throws {ExpectedError} `search.too-slow`; the signal's reason.
 */
export async function checkHealth(session: Session, open: OpenProject, call: Call): Promise<ServerHealth[]> {
  const { sources, project } = open;
  const walk = { extensions: sources.extensions, pruneDirectories: sources.prunedDirectories };
  const files = await project.scanner.listFiles(walk, call.signal);
  const byServer = Map.groupBy(files, ({ path }) => sources.serverOf(path)?.spec.id);
  const health: ServerHealth[] = [];
  for (const [serverId, own] of byServer) {
    if (serverId === undefined) continue;
    const paths = own.map(({ path }) => path);
    health.push(await checkServer(serverId, paths, { session, open, call }));
  }
  return health;
}

interface Scope {
  readonly session: Session;
  readonly open: OpenProject;
  readonly call: Call;
}

async function checkServer(serverId: string, paths: readonly string[], scope: Scope): Promise<ServerHealth> {
  const indexed = await findRepresentativeFile(paths, scope);
  if (indexed instanceof ExpectedError) {
    const step = { tool: 'get_symbols_overview', works: false, detail: messageOf(indexed) };
    return { serverId, file: paths[0], steps: [step] };
  }
  const { file, symbols } = indexed;
  const symbol = representativeSymbol(symbols);
  if (symbol === undefined) {
    const detail = `the language server reports no symbol in ${counted(Math.min(paths.length, maxTried), 'file')}`;
    return { serverId, file: undefined, steps: [{ tool: 'get_symbols_overview', works: false, detail }] };
  }
  const target = { relative_path: file };
  const steps = [
    await ask(scope, 'get_symbols_overview', { args: target, describe: () => counted(symbols.length, 'symbol') }),
    await ask(scope, 'find_symbol', {
      args: { ...target, name_path_pattern: symbol.namePath, include_body: true },
      describe: (text) => (text.includes('"body"') ? `\`${symbol.namePath}\` with its body` : undefined),
    }),
    await ask(scope, 'find_referencing_symbols', {
      args: { ...target, name_path: symbol.namePath },
      // An empty answer is fine: the symbol may have no reference.
      describe: (text) => (/^[[{]\s*[\]}]$/.test(text) ? 'no references to it' : 'references to it'),
    }),
  ];
  return { serverId, file, steps };
}

/**
 * Returns the first of a few large files that has symbols; if none has, the last file tried or the error that it gave.
 */
async function findRepresentativeFile(
  paths: readonly string[],
  { open, call }: Scope,
): Promise<IndexedFile | ExpectedError> {
  const sizeOf = (path: string) => statSync(join(open.project.root, path), { throwIfNoEntry: false })?.size ?? 0;
  const large = paths.filter((path) => sizeOf(path) > minBytes);
  const tried = (large.length > 0 ? large : paths.toSorted((a, b) => sizeOf(b) - sizeOf(a))).slice(0, maxTried);
  let last: IndexedFile | ExpectedError = new ExpectedError('file.not-found', 'the language server has no file');
  for (const path of tried) {
    last = await indexFile(open, path, call).catch((error: unknown) => {
      call.signal.throwIfAborted();
      if (error instanceof ExpectedError) return error;
      throw error;
    });
    if (!(last instanceof ExpectedError) && last.symbols.length > 0) return last;
  }
  return last;
}

function representativeSymbol(symbols: readonly ListedSymbol[]): ListedSymbol | undefined {
  const count = (path: string) => symbols.filter(({ namePath }) => namePath === path).length;
  // The tools find the symbol by its name path, which must therefore be unique in the file.
  const single = symbols.filter(({ namePath }) => count(namePath) === 1);
  return single.find(({ kind }) => preferredKinds.includes(kind)) ?? single[0] ?? symbols[0];
}

async function ask(
  { session, call }: Scope,
  tool: string,
  request: {
    args: Readonly<Record<string, unknown>>;
    /** Returns a summary of the answer, or `undefined` if a required part is missing. */
    describe: (text: string) => string | undefined;
  },
): Promise<HealthStep> {
  try {
    const { text, gaps } = await session.call(tool, request.args, call);
    const description = request.describe(text);
    if (description === undefined) return { tool, works: false, detail: 'nothing was found' };
    const left = gaps.map(({ missing, reason }) => `${missing}: ${reason}`);
    return { tool, works: true, detail: [description, ...left].join('; ') };
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof ExpectedError) return { tool, works: false, detail: messageOf(error) };
    throw error;
  }
}
