import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import { log } from '../../base/log.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import { requestDiagnostics } from '../../lsp/features/diagnostics.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import { comparePositions, type Range } from '../../text/place.ts';
import { ownerAt } from '../model/at-position.ts';
import { namePathOf } from '../model/name-path.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { prepareServer } from '../prepare-servers/prepare-search.ts';
import type { FileProblems } from './new-problems.ts';

/** A diagnostic with the symbol that it is listed under. */
export interface OwnedDiagnostic {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** `undefined` for the file as a whole. */
  readonly owner: SymbolNode | undefined;
  readonly diagnostic: Diagnostic;
}

/** Preparations of servers, shared by the files of one query, so that each server is prepared once. */
type Preparations = Map<LanguageServer, Promise<void>>;

/** How long problems may take: time for each group of files asked at once, or a signal that ends all waits. */
export interface Patience {
  readonly patienceMs?: number;
  readonly patience?: AbortSignal;
}

/** How long an edit may wait for the diagnostics of its files. */
const usualPatienceMs = 2_500;
/** Servers work on one file at a time, so more would only wait. */
const filesAtOnce = 4;
/** Files at once that take long enough for progress messages. */
const manyFiles = 20;
/** Ranges of skipped code that a gap names. */
const maxNamed = 5;

/**
 * Returns the diagnostics of a project-relative file as it is on disk now, sorted by severity and position. Diagnostics
 * that the server does not publish in time, or never publishes, become a gap.
 *
 * @throws {ExpectedError} `file.*`, `server.*`, `install.*`.
 */
export async function fileDiagnostics(
  scope: SymbolScope,
  file: string,
  prepared: Preparations = new Map(),
): Promise<readonly Diagnostic[]> {
  const active = scope.files.sources.requireServer(file);
  const { text, diagnostics, skipped, isExcluded } = await askDiagnostics(scope, { file, active, prepared });
  const { name, quirks, adapter } = active.spec;
  const { noDiagnosticsReason, diagnosticsGap } = quirks ?? {};
  if (diagnosticsGap && !scope.gaps.includes(diagnosticsGap)) scope.gaps.push(diagnosticsGap);
  if (diagnostics === undefined || noDiagnosticsReason !== undefined) {
    scope.gaps.push({
      missing: `The diagnostics of \`${file}\` are unknown`,
      reason: noDiagnosticsReason === undefined ? `${name} published none in time` : `${name} ${noDiagnosticsReason}`,
      next: 'Check the file with its compiler or linter',
    });
  }
  const limit = quirks?.errorLimit;
  if (limit && diagnostics?.some(({ code }) => code === limit.code)) scope.gaps.push(limitGap(file, name, limit.count));
  const ofText = adapter?.diagnosticsGapOf?.(file, text);
  if (ofText) scope.gaps.push(ofText);
  const included = await includedErrorsGap(scope, { file, active, diagnostics: diagnostics ?? [] }, async (other) => {
    return (await askDiagnostics(scope, { file: other, active, prepared })).diagnostics;
  });
  if (included) scope.gaps.push(included);
  if (skipped.length > 0) scope.gaps.push(skippedGap(file, name, skipped));
  const { diagnosticsGap: gapOf } = await adapterOf(scope, active, file);
  const elsewhere = isExcluded ? excludedGap(file, name) : await gapOf?.(scope, active, file);
  if (elsewhere) scope.gaps.push(elsewhere);
  return [...(diagnostics ?? [])].sort(
    (a, b) => (a.severity ?? 0) - (b.severity ?? 0) || comparePositions(a.range.start, b.range.start),
  );
}

function limitGap(file: string, server: string, count: number): Gap {
  return {
    missing: `Diagnostics of \`${file}\` may be missing`,
    reason: `${server} stops after ${count} errors in a file and those that it includes`,
    next: 'Repair these errors first, then check the file again',
  };
}

function excludedGap(file: string, server: string): Gap {
  return {
    missing: `The diagnostics of \`${file}\` are unknown`,
    reason: `no build that ${server} analyzes contains the file`,
    next: 'Build it with its tags',
  };
}

function skippedGap(file: string, server: string, skipped: readonly Range[]): Gap {
  const lines = skipped.slice(0, maxNamed).map(({ start, end }) => `${start.line} to ${end.line}`);
  const more = skipped.length > maxNamed ? ` and ${skipped.length - maxNamed} more ranges` : '';
  return {
    missing: `The diagnostics of \`${file}\` in 0-based lines ${lines.join(', ')}${more} are unknown`,
    reason: `${server} does not check code behind a condition that is false for this platform or version`,
    next: 'Check it on a platform or version where the condition is true',
  };
}

/** Returns a file's diagnostics, each with the symbol that contains it; see {@link fileDiagnostics}. */
export async function ownedDiagnostics(scope: SymbolScope, file: string): Promise<OwnedDiagnostic[]> {
  return withOwners(scope, file, await fileDiagnostics(scope, file));
}

/** Adds to each diagnostic of a project-relative file the symbol that contains it. */
export async function withOwners(
  scope: SymbolScope,
  file: string,
  diagnostics: readonly Diagnostic[],
): Promise<OwnedDiagnostic[]> {
  if (diagnostics.length === 0) return [];
  const tree = await scope.files.treeOf(file, scope.call);
  return diagnostics.map((diagnostic) => ({ file, owner: ownerAt(tree, diagnostic.range.start), diagnostic }));
}

/**
 * Returns the diagnostics on the lines of each symbol's body, listed under that symbol. Duplicate symbols are ignored.
 * A file whose diagnostics fail becomes a gap, unless it is the file of the first symbol.
 *
 * @throws {ExpectedError} errors of {@link fileDiagnostics} for the first symbol's file.
 */
export async function symbolDiagnostics(
  scope: SymbolScope,
  symbols: readonly SymbolNode[],
): Promise<OwnedDiagnostic[]> {
  const unique = [...new Map(symbols.map((symbol) => [`${symbol.file}\0${namePathOf(symbol)}`, symbol])).values()];
  const byFile = Map.groupBy(unique, ({ file }) => file);
  const prepared: Preparations = new Map();
  const results = await mapConcurrently([...byFile], filesAtOnce, async ([file, owners]) => {
    const isRequired = file === unique[0]?.file;
    const diagnostics = await diagnosticsOrGap(scope, file, { isRequired, prepared });
    return owners.flatMap((owner) =>
      diagnostics
        .filter(({ range }) => overlapsLines(range, owner.range.start.line, owner.range.end.line))
        .map((diagnostic) => ({ file, owner, diagnostic })),
    );
  });
  return results.flat();
}

/** True if a range overlaps the lines `first` to `last`. The start of the range may be after its end. */
export function overlapsLines({ start, end }: Range, first: number, last: number): boolean {
  return Math.min(start.line, end.line) <= last && Math.max(start.line, end.line) >= first;
}

/**
 * Returns the current diagnostics of files by project-relative path, to compare them before and after an edit. A file
 * is absent if no server covers it, if it does not exist, or if its server does not answer in time. Leaves no gap, and
 * throws only when the call itself is cancelled.
 */
export async function problemsInTime(
  scope: SymbolScope,
  paths: readonly string[],
  {
    patienceMs = usualPatienceMs,
    patience = AbortSignal.timeout(patienceMs * Math.ceil(paths.length / filesAtOnce)),
  }: Patience = {},
): Promise<ReadonlyMap<string, FileProblems>> {
  const { files, call, adapters, parsedBecause, indexesUsed } = scope;
  const signal = AbortSignal.any([call.signal, patience]);
  const bounded = { files, call: { ...call, signal }, adapters, gaps: [], parsedBecause, indexesUsed };
  const prepared: Preparations = new Map();
  const found = new Map<string, FileProblems>();
  await mapConcurrently([...paths.entries()], filesAtOnce, async ([index, path]) => {
    if (paths.length > manyFiles && index % 10 === 0)
      call.progress(`Checking ${index} of ${paths.length} files for problems`);
    const file = resolveInProject(files.project, path);
    const active = files.sources.serverOf(file);
    if (!active || active.spec.quirks?.noDiagnosticsReason !== undefined) return;
    try {
      const { text, diagnostics } = await askDiagnostics(bounded, { file, active, prepared });
      if (diagnostics) found.set(file, { file, text: normalizeNewlines(text), problems: diagnostics });
    } catch (error) {
      call.signal.throwIfAborted();
      if (!patience.aborted && !isExpected(error)) throw error;
      log('symbols').debug(`The diagnostics of \`${file}\` are unknown: ${String(error)}`);
    }
  });
  return found;
}

async function diagnosticsOrGap(
  scope: SymbolScope,
  file: string,
  options: { isRequired: boolean; prepared: Preparations },
): Promise<readonly Diagnostic[]> {
  try {
    return await fileDiagnostics(scope, file, options.prepared);
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (options.isRequired || !(error instanceof ExpectedError)) throw error;
    scope.gaps.push({
      missing: `The diagnostics of \`${file}\` are unknown`,
      reason: error.message,
      next: error.hints[0] ?? 'Retry with this file alone',
    });
    return [];
  }
}

interface AskedDiagnostics {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[] | undefined;
  /** What the server does not check. */
  readonly skipped: readonly Range[];
  /** True if no build of the server contains the file. */
  readonly isExcluded: boolean;
}

async function askDiagnostics(
  scope: SymbolScope,
  { file, active, prepared }: { file: string; active: ActiveServer; prepared: Preparations },
): Promise<AskedDiagnostics> {
  const { files, call } = scope;
  const { quirks, adapter } = active.spec;
  const syntaxErrors = quirks?.syntaxErrors;
  return files.ask(active, call, async (server) => {
    const preparation = prepared.get(server) ?? prepareServer(scope, { active, server, missing: 'Diagnostics' });
    prepared.set(server, preparation);
    await preparation;
    const text = await files.show(server, file, call);
    let refusal: string | undefined;
    const onRefused = (message: string) => {
      refusal = message;
    };
    const request = quirks?.diagnostics ?? requestDiagnostics;
    const answered = await request(server, file, files.limits(call), onRefused);
    const diagnostics = answered && (quirks?.adjustDiagnostics?.(answered, text) ?? answered);
    const isExcluded = refusal !== undefined && quirks?.excludedFile?.test(refusal) === true;
    const isSyntaxError = ({ severity, source, code }: Diagnostic) =>
      syntaxErrors !== undefined &&
      syntaxErrors.isMarked !== true &&
      severity === 1 &&
      (syntaxErrors.source === undefined || syntaxErrors.source === source) &&
      (syntaxErrors.hasNoCode !== true || code === undefined);
    const { findings, skipped } = withoutSkipped(adapter?.skippedCode, text, diagnostics);
    const more = findings === undefined ? [] : ((await adapter?.moreDiagnostics?.(text)) ?? []);
    const added = more.filter(({ range }) => !findings?.some((one) => isErrorOn(one, range.start.line)));
    const marked = findings && [...findings, ...added].map((one) => ({ isSyntaxError: isSyntaxError(one), ...one }));
    return { text, skipped, isExcluded, diagnostics: marked };
  });
}

function isErrorOn({ severity, range }: Diagnostic, line: number): boolean {
  return severity === 1 && range.start.line === line;
}

/** Separates findings from hints about unused and unreachable code; `skipped` is what the server does not check. */
function withoutSkipped(
  skippedCode: ServerAdapter['skippedCode'],
  text: string,
  diagnostics: readonly Diagnostic[] | undefined,
): { findings: readonly Diagnostic[] | undefined; skipped: readonly Range[] } {
  if (skippedCode === undefined || diagnostics === undefined) return { findings: diagnostics, skipped: [] };
  const isMark = ({ severity, isUnnecessary }: Diagnostic) => severity === 4 && isUnnecessary === true;
  const marks = skippedCode.cause.test(text) ? diagnostics.filter(isMark) : [];
  return {
    findings: diagnostics.filter((one) => !isMark(one)),
    skipped: marks.filter(({ message }) => skippedCode.marked.test(message)).map(({ range }) => range),
  };
}

/** A file whose diagnostics a server has published. */
interface Checked {
  readonly file: string;
  readonly active: ActiveServer;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the diagnostics of a project-relative file; `undefined` if they are unknown. */
type Ask = (file: string) => Promise<readonly Diagnostic[] | undefined>;

/** More included files are not read. */
const maxRead = 500;
/** Each costs a check. */
const maxAsked = 5;
/** Comments, strings and characters of C and C++. */
const notCode =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bR"(\w*)\([\s\S]*?\)\1"|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])+'/g;

/**
 * Returns the gap in the diagnostics of a file with errors that includes files with errors: what follows from those is
 * not reported. The server reports them at the directive, except for a body that is not closed: it reads no bodies
 * there, and takes everything after the brace for a part of one. `undefined` unless the server's data declares how
 * files are included.
 *
 * @throws {ExpectedError} `file.*`, `server.*`.
 */
async function includedErrorsGap(scope: SymbolScope, checked: Checked, ask: Ask): Promise<Gap | undefined> {
  const { file, active, diagnostics } = checked;
  const includes = active.spec.adapter?.includes;
  const errors = diagnostics.filter(({ severity }) => severity === 1);
  if (includes === undefined || errors.length === 0) return undefined;
  if (errors.some(({ message }) => includes.errorMark.test(message)))
    return gapOf(checked, 'it includes a file with errors');
  const unclosed: string[] = [];
  for (const other of (await includedFiles(scope, { file, active, includes }))
    .filter(mayBeUnclosedIn(scope))
    .slice(0, maxAsked)) {
    if ((await ask(other))?.some(({ severity }) => severity === 1)) unclosed.push(other);
  }
  return unclosed.length === 0 ? undefined : gapOf(checked, `it includes ${namedFiles(unclosed)}, with errors`);
}

function gapOf({ file, active }: Checked, reason: string): Gap {
  return {
    missing: `Diagnostics of \`${file}\` may be missing`,
    reason: `${reason}, and ${active.spec.name} does not report everything that follows from those`,
    next: 'Repair those errors first, then check the file again',
  };
}

/** Returns the files of the project that a file may include, over any number of files: all with the paths of directives. */
async function includedFiles(
  scope: SymbolScope,
  { file, active, includes }: Pick<Checked, 'file' | 'active'> & { includes: NonNullable<ServerAdapter['includes']> },
): Promise<string[]> {
  const { project, sources } = scope.files;
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const all = (await project.scanner.listFiles(walk, scope.call.signal)).map(({ path }) => path);
  const byName = Map.groupBy(all, nameOf);
  const reached = new Set([file]);
  for (const from of reached) {
    for (const [, path = ''] of scope.files.textOf(from).text.matchAll(includes.directive)) {
      const end = path.replace(/^(?:\.{1,2}\/)+/, '');
      const named = (byName.get(nameOf(end)) ?? []).filter((one) => one === end || one.endsWith(`/${end}`));
      for (const one of named) if (reached.size <= maxRead && sources.serverOf(one) === active) reached.add(one);
    }
  }
  reached.delete(file);
  return [...reached];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True for a file with more opening than closing braces. Conditions may lead to a wrong answer. */
function mayBeUnclosedIn(scope: SymbolScope): (file: string) => boolean {
  return (file) => {
    const code = scope.files.textOf(file).text.replaceAll(notCode, '');
    return code.split('{').length > code.split('}').length;
  };
}
