import { mapConcurrently } from '../../base/concurrent.ts';
import { messageOf } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import { log } from '../../base/log.ts';
import { requestDefinition, requestImplementations } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { ConditionalImplementations, ImplementationsQuestion } from '../../symbols/adapter.ts';
import { inFlightPerServer } from '../../symbols/model/file-symbols.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace, preOrder, type SymbolNode } from '../../symbols/model/symbol.ts';
import { syntaxLanguageOf } from '../../symbols/model/syntax-language.ts';
import type { Occurrence } from '../../symbols/occurrences/occurrence.ts';
import { unlessRefused } from '../../symbols/queries/requests.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { lineText } from '../../text/lines.ts';
import { isSamePlace, type Place, placeAt } from '../../text/place.ts';
import type { SyntaxLanguage } from '../profiles.ts';
import { conditionalPackage } from './build-constraints.ts';
import { mayReferTo } from './gopls.ts';

/** Maximum number of methods to ask about. */
const maxMethods = 100;

/**
 * gopls searches one build configuration at a time, and does not list implementations in files of the others:
 *
 * ```go
 * //go:build windows
 * package shop
 * func (p winPrinter) Print() {}   // not listed for `Printer.Print` on Linux
 * ```
 *
 * Finds the implementations in such files: asked about a method there, gopls answers in a configuration that compiles the
 * file, with the methods that the method implements.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function conditionalImplementations(
  scope: SymbolScope,
  question: ImplementationsQuestion,
): Promise<ConditionalImplementations> {
  const { active, text } = question;
  const files = text.files
    .map(({ path }) => path)
    .filter((file) => scope.files.sources.serverOf(file) === active)
    .filter((file) => conditionalPackage(file, scope.files.textOf(file).text) !== undefined);
  const methods = (await mapConcurrently(files, inFlightPerServer, (file) => methodsIn(scope, file, question))).flat();
  const checked = await mapConcurrently(methods.slice(0, maxMethods), inFlightPerServer, (method) =>
    checkMethod(scope, method, question),
  );
  return {
    locations: checked.flatMap((result) => (Array.isArray(result) ? result : [])),
    unresolved: [
      ...checked.flatMap((result) => (Array.isArray(result) ? [] : result)),
      ...methods.slice(maxMethods).map(occurrenceOf),
    ],
  };
}

async function methodsIn(scope: SymbolScope, file: string, { sought }: ImplementationsQuestion): Promise<SymbolNode[]> {
  const tree = await scope.files.treeOf(file, scope.call);
  return preOrder(tree).filter(({ name, receiver }) => receiver !== undefined && name === sought.name);
}

function occurrenceOf(method: SymbolNode): Occurrence {
  return { ...namePlace(method), qualifier: '' };
}

/** Returns the locations to list, or the method itself if the server does not answer. */
async function checkMethod(
  scope: SymbolScope,
  method: SymbolNode,
  { server, sought, wantsTypes }: ImplementationsQuestion,
): Promise<Place[] | Occurrence> {
  await scope.files.show(server, method.file, scope.call);
  const limits = scope.files.limits(scope.call);
  const found = await unlessRefused(async () => {
    const implemented = await requestImplementations(server, namePlace(method), limits);
    if (!implemented.some((one) => isSamePlace(one, namePlace(sought)))) return [];
    if (!wantsTypes) return [namePlace(method)];
    const receiver = receiverPlace(scope, method);
    const types = receiver === undefined ? undefined : await requestDefinition(server, receiver, limits);
    return types === undefined || types.locations.length === 0 ? occurrenceOf(method) : [...types.locations];
  });
  return found ?? occurrenceOf(method);
}

/** Returns where a method names the type that it belongs to. */
function receiverPlace(scope: SymbolScope, method: SymbolNode): Place | undefined {
  const { line, character } = method.selectionRange.start;
  const { text, starts } = scope.files.textOf(method.file);
  const before = lineText(text, starts, line)?.slice(0, character) ?? '';
  // The name of the receiver, which may be the same, comes first.
  const found = [...before.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)].findLast(([word]) => word === method.receiver);
  return found && placeAt(method.file, { line, character: found.index });
}

const maxNamed = 3;

/**
 * gopls checks a file in one build configuration only:
 *
 * ```go
 * // open_windows.go declares `open(path string)`, and open_unix.go `open(path string, mode int)`
 * package shop
 * func read() { open("list") }   // an error on Unix only
 * ```
 *
 * Returns the gap in the diagnostics of a file that uses what files of certain configurations declare. `undefined` for all other
 * files, and if the parser fails.
 */
export async function otherConfigurationsGap(
  scope: SymbolScope,
  active: ActiveServer,
  file: string,
): Promise<Gap | undefined> {
  const language = syntaxLanguageOf(active.spec, file);
  if (language === undefined) return undefined;
  const used = new Set<string>();
  const declaring: string[] = [];
  try {
    const sources = await conditionalFiles(scope, active, file);
    if (sources.length === 0) return undefined;
    const names = await namesUsedIn(scope, file, language);
    for (const other of sources) {
      const candidates = isSameDirectory(file, other) ? names.bare : names.qualified;
      const tree = await scope.files.parsed.treeOf(other, scope.files.textOf(other), language);
      const own = tree.nodes.filter(({ name, receiver }) => receiver === undefined && candidates.has(name));
      if (own.length > 0) declaring.push(other);
      for (const { name } of own) used.add(name);
    }
  } catch (error) {
    scope.call.signal.throwIfAborted();
    log('symbols').warn(`cannot compare build configurations: ${messageOf(error)}`);
    return undefined;
  }
  if (used.size === 0) return undefined;
  const named = [...used].slice(0, maxNamed).map((name) => `\`${name}\``);
  const others = used.size > maxNamed ? ` and ${used.size - maxNamed} more` : '';
  return {
    missing: `Errors of \`${file}\` in other build configurations may be missing`,
    reason: `${active.spec.name} checks a file in one, and it uses ${named.join(', ')}${others} of ${namedFiles(declaring)}`,
    next: 'Build it for the other platforms and tags, too',
  };
}

/** Returns the other files with conditions whose package the file belongs to or imports, in order of their paths. */
async function conditionalFiles(scope: SymbolScope, active: ActiveServer, file: string): Promise<string[]> {
  const { project, sources } = scope.files;
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const path = scope.files.absolute(file);
  const { text } = scope.files.textOf(file);
  const reached = new Map<string, boolean>();
  const isReached = (other: string) => {
    const directory = directoryOf(other);
    const target = { path: scope.files.absolute(other), name: '', isTopLevel: true, lines: [] };
    const known = reached.get(directory) ?? mayReferTo(target)(path, text);
    reached.set(directory, known);
    return known;
  };
  const files = await project.scanner.listFiles(walk, scope.call.signal);
  return files
    .map((one) => one.path)
    .filter((other) => other !== file && isReached(other) && sources.serverOf(other) === active)
    .filter((other) => {
      const name = conditionalPackage(other, scope.files.textOf(other).text);
      return name !== undefined && (isSameDirectory(file, other) || text.includes(name));
    })
    .sort();
}

/** Returns the names that a file uses and does not declare: bare ones, and those behind a `.`. */
async function namesUsedIn(
  scope: SymbolScope,
  file: string,
  language: SyntaxLanguage,
): Promise<{ bare: ReadonlySet<string>; qualified: ReadonlySet<string> }> {
  const lines = scope.files.textOf(file);
  const { nodes } = await scope.files.parsed.treeOf(file, lines, language);
  const declared = new Set(nodes.map(({ name }) => name));
  const bare = new Set<string>();
  const qualified = new Set<string>();
  for (const { name, start } of await syntaxTrees.identifiers(language, lines.text)) {
    if (declared.has(name)) continue;
    const before = lineText(lines.text, lines.starts, start.line)?.[start.character - 1];
    (before === '.' ? qualified : bare).add(name);
  }
  return { bare, qualified };
}

function isSameDirectory(file: string, other: string): boolean {
  return directoryOf(file) === directoryOf(other);
}

function directoryOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}
