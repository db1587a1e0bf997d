import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '../base/call.ts';
import { counted } from '../base/counted.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { type IndexedFile, indexFile, type ListedSymbol } from './index-file.ts';
import type { OpenProject } from './open-projects.ts';
import type { Session } from './session.ts';

/** One question asked of one server. */
export interface HealthStep {
  readonly tool: string;
  readonly works: boolean;
  /** What came back, or why nothing did. */
  readonly detail: string;
}

/** What the questions about one of the project's files showed. */
export interface ServerHealth {
  readonly serverId: string;
  /** Project-relative; `undefined` where no file has a symbol. */
  readonly file: string | undefined;
  readonly steps: readonly HealthStep[];
}

/** A file with less in it shows little. */
const telling = 1_000;
const maxTried = 5;
const tellingKinds = ['Class', 'Function', 'Method', 'Constructor'];

/**
 * Asks every server that has files in the project for an overview of one of them, for a symbol in it with its body, and
 * for the uses of that symbol, through the tools of `session`, whose project it is. What does not work is in the result.
 *
 * @throws {ExpectedError} `search.too-slow`; the signal's reason.
 */
export async function checkHealth(session: Session, open: OpenProject, call: Call): Promise<ServerHealth[]> {
  const { sources, project } = open;
  const walk = { suffixes: sources.suffixes, pruneDirectories: sources.prunedDirectories };
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
  const indexed = await findTellingFile(paths, scope);
  if (indexed instanceof ExpectedError) {
    const step = { tool: 'get_symbols_overview', works: false, detail: messageOf(indexed) };
    return { serverId, file: paths[0], steps: [step] };
  }
  const { file, symbols } = indexed;
  const symbol = tellingSymbol(symbols);
  if (symbol === undefined) {
    const detail = `the server finds no symbol in ${counted(Math.min(paths.length, maxTried), 'file')}`;
    return { serverId, file: undefined, steps: [{ tool: 'get_symbols_overview', works: false, detail }] };
  }
  const place = { relative_path: file };
  const steps = [
    await ask(scope, 'get_symbols_overview', { args: place, found: () => counted(symbols.length, 'symbol') }),
    await ask(scope, 'find_symbol', {
      args: { ...place, name_path_pattern: symbol.namePath, include_body: true },
      found: (text) => (text.includes('"body"') ? `\`${symbol.namePath}\` with its body` : undefined),
    }),
    await ask(scope, 'find_referencing_symbols', {
      args: { ...place, name_path: symbol.namePath },
      // Nothing may use it.
      found: (text) => (/^[[{]\s*[\]}]$/.test(text) ? 'no use of it' : 'uses of it'),
    }),
  ];
  return { serverId, file, steps };
}

/** Returns the first of a few larger files that has symbols, else the last one tried, or why there are none. */
async function findTellingFile(paths: readonly string[], { open, call }: Scope): Promise<IndexedFile | ExpectedError> {
  const sizeOf = (path: string) => statSync(join(open.project.root, path), { throwIfNoEntry: false })?.size ?? 0;
  const large = paths.filter((path) => sizeOf(path) > telling);
  const tried = (large.length > 0 ? large : paths.toSorted((a, b) => sizeOf(b) - sizeOf(a))).slice(0, maxTried);
  let last: IndexedFile | ExpectedError = new ExpectedError('file.not-found', 'There is no file');
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

function tellingSymbol(symbols: readonly ListedSymbol[]): ListedSymbol | undefined {
  const count = (path: string) => symbols.filter(({ namePath }) => namePath === path).length;
  // The name alone must say which one is meant.
  const single = symbols.filter(({ namePath }) => count(namePath) === 1);
  return single.find(({ kind }) => tellingKinds.includes(kind)) ?? single[0] ?? symbols[0];
}

async function ask(
  { session, call }: Scope,
  tool: string,
  question: { args: Readonly<Record<string, unknown>>; found: (text: string) => string | undefined },
): Promise<HealthStep> {
  try {
    const { text, gaps } = await session.call(tool, question.args, call);
    const found = question.found(text);
    if (found === undefined) return { tool, works: false, detail: 'nothing was found' };
    const left = gaps.map(({ missing, reason }) => `${missing}: ${reason}`);
    return { tool, works: true, detail: [found, ...left].join('; ') };
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof ExpectedError) return { tool, works: false, detail: messageOf(error) };
    throw error;
  }
}
