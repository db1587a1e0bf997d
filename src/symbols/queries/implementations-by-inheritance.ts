import { mapConcurrently } from '../../base/concurrent.ts';
import { messageOf } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { DerivedName } from '../../languages/python/tree-facts.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { comparePlaces, comparePositions, type Place, placeAt } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';
import { spanOf } from '../model/text-range.ts';
import { linesOf } from './all-references.ts';
import type { CrossCheck } from './cross-check.ts';
import type { Occurrence } from './occurrences.ts';
import { overridingMembers } from './overriding-members.ts';
import { referenceLocations } from './references.ts';

/** Each class costs a search of the project. */
const maxSearched = 200;

/** Length of all base class lists of a project; beyond it every class is searched for subclasses. */
const maxListChars = 32_000_000;

/** Lists of base classes, imports under another name, and assignments of a name or of a class that a call makes, in Python. */
const derivingCode = String.raw`\bclass\s+\w+[^\n(:]*\([\s\S]{0,4000}?\)\s*:|\b\w+\s+as\s+\w+|=\s*\(?[\w.]+\s*(?:\[.*|if\b.*)?\)?\s*(?:#.*)?$|=\s*(?:\w+\.)?(?:type|new_class)\([^\n]*,[^\n]*$`;

/** True if {@link inheritedImplementations} can find the implementations of a symbol: a class of Python, or a member. */
export function canInherit(active: ActiveServer, target: SymbolNode): boolean {
  return syntaxLanguageOf(active.spec, target.file) === 'python' && classOf(target) !== undefined;
}

/**
 * Returns the subclasses of a class over any number of classes, or the members of these that override a member of the
 * class, for servers without `textDocument/implementation`. The server finds the references to a class; syntax trees
 * show which of them are base classes. Calls that may return a subclass, and protocols, become gaps.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function inheritedImplementations(
  scope: SymbolScope,
  active: ActiveServer,
  target: SymbolNode,
): Promise<SymbolNode[]> {
  const base = classOf(target);
  if (base === undefined) return [];
  const found =
    target === base
      ? (await derivedFrom(scope, active, base)).filter(({ kind }) => kind === kinds.class)
      : await overridingOf(scope, active, { base, member: target.name });
  return found.sort((a, b) => comparePlaces(namePlace(a), namePlace(b)));
}

async function overridingOf(
  scope: SymbolScope,
  active: ActiveServer,
  of: { base: SymbolNode; member: string },
): Promise<SymbolNode[]> {
  const derivingCode = await blocksOfDerivingCode(scope, active);
  if (derivingCode === undefined) {
    const derived = await derivedFrom(scope, active, of.base);
    return derived.flatMap(({ kind, children }) => (kind === kinds.class ? children : [])).filter(isNamed(of.member));
  }
  await reportProtocol(scope, of.base);
  const inFile = (file: string) => derivedNamesIn(scope, file);
  const found = await overridingMembers(scope, { active, ...of, derivingCode, derivedNamesIn: inFile });
  reportUnclear(scope, of.base, found.unclear);
  if (found.unresolved.length > 0) {
    const reason = `it is unknown whether these classes lead to \`${of.base.name}\`: ${linesOf(found.unresolved)}`;
    scope.gaps.push({ missing: 'Implementations may be missing', reason, next: 'Read these lines' });
  }
  return [...found.members];
}

function isNamed(sought: string): (symbol: SymbolNode) => boolean {
  return ({ name }) => name === sought;
}

function classOf(symbol: SymbolNode): SymbolNode | undefined {
  const owner = symbol.kind === kinds.class ? symbol : symbol.parent;
  return owner?.kind === kinds.class ? owner : undefined;
}

/**
 * Returns the classes below a class, and the variables that stand for it or for one of them. After `deadline` (as in
 * `performance.now()`) no further class is searched.
 */
export async function derivedFrom(
  scope: SymbolScope,
  active: ActiveServer,
  base: SymbolNode,
  deadline = Number.POSITIVE_INFINITY,
): Promise<SymbolNode[]> {
  await reportProtocol(scope, base);
  const found = new Map([[nameKey(base), base]]);
  const pending = [base];
  const unclear: Place[] = [];
  const left: string[] = [];
  let mentioned: Promise<ReadonlySet<string> | undefined> | undefined;
  for (let searched = 0, one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (one !== base) mentioned ??= namesInDerivingCode(scope, active);
    if ((await mentioned)?.has(one.name) === false && one !== base) continue;
    if (searched++ >= maxSearched || performance.now() > deadline) {
      left.push(one.name);
      continue;
    }
    const step = await directlyDerived(scope, one);
    unclear.push(...step.unclear);
    for (const symbol of step.symbols.filter((other) => !found.has(nameKey(other)))) {
      found.set(nameKey(symbol), symbol);
      pending.push(symbol);
    }
  }
  reportUnclear(scope, base, unclear);
  if (left.length > 0) reportUnsearched(scope, left);
  found.delete(nameKey(base));
  return [...found.values()];
}

/** What is derived from one symbol; `unclear` are the references in calls that may make a subclass. */
interface DerivedSymbols {
  readonly symbols: readonly SymbolNode[];
  readonly unclear: readonly Place[];
}

async function directlyDerived(scope: SymbolScope, symbol: SymbolNode): Promise<DerivedSymbols> {
  const relevant = async (open: CrossCheck) => ({ ...open, unresolved: await derivingOnly(scope, open.unresolved) });
  const options = { followsAliases: true, missing: 'Implementations', relevant };
  const locations = await referenceLocations(scope, symbol, options);
  const byFile = [...Map.groupBy(locations, ({ file }) => file)];
  const steps = await mapConcurrently(byFile, inFlightPerServer, async ([file, own]) => {
    const derived = await derivedNamesIn(scope, file);
    const isAt = (start: Position) => own.some(({ range }) => comparePositions(range.start, start) === 0);
    const used = derived.filter(({ base }) => isAt(base));
    const certain = used.filter(({ how }) => how !== 'unclear').map(({ name }) => name);
    const unclear = used.filter(({ how }) => how === 'unclear').map(({ base }) => placeAt(file, base));
    // Asked only where something is derived: most files use a class for other things.
    const tree = certain.length === 0 ? [] : await scope.files.treeOf(file, scope.call);
    return { symbols: symbolsNamedAt(tree, certain), unclear };
  });
  return { symbols: steps.flatMap(({ symbols }) => symbols), unclear: steps.flatMap(({ unclear }) => unclear) };
}

/** Returns the occurrences of a name that may derive something from it, or give it another name. */
async function derivingOnly(scope: SymbolScope, occurrences: readonly Occurrence[]): Promise<Occurrence[]> {
  const byFile = [...Map.groupBy(occurrences, ({ file }) => file)];
  const found = await mapConcurrently(byFile, inFlightPerServer, async ([file, own]) => {
    const derived = await derivedNamesIn(scope, file);
    const lines = scope.files.textOf(file);
    return own.filter(({ range }) => {
      const end = spanOf(lines, range)?.end ?? lines.text.length;
      const isRenamed = /^\s+as\b/.test(lines.text.slice(end, end + 20));
      return isRenamed || derived.some(({ base }) => comparePositions(base, range.start) === 0);
    });
  });
  return found.flat();
}

/** Returns what the classes and assignments of a file of Python derive; a file that cannot be parsed becomes a gap. */
export async function derivedNamesIn(scope: SymbolScope, file: string): Promise<readonly DerivedName[]> {
  try {
    return await syntaxTrees.derivedNames('python', scope.files.textOf(file).text);
  } catch (error) {
    scope.call.signal.throwIfAborted();
    const reason = `${namedFiles([file])} cannot be parsed: ${messageOf(error)}`;
    scope.gaps.push({ missing: 'Implementations may be missing', reason, next: 'Read the file' });
    return [];
  }
}

/**
 * Returns names, among them all from which something is derived; `undefined` if there are too many. Most classes
 * have no subclass, and need no search.
 */
async function namesInDerivingCode(scope: SymbolScope, active: ActiveServer): Promise<ReadonlySet<string> | undefined> {
  const blocks = await blocksOfDerivingCode(scope, active);
  return blocks && new Set(blocks.flatMap((block) => block.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []));
}

/** Returns the code that derives something from a name; `undefined` if it is too long. */
async function blocksOfDerivingCode(scope: SymbolScope, { spec }: ActiveServer): Promise<string[] | undefined> {
  const { files } = await scope.files.project.scanner.search(
    {
      pattern: derivingCode,
      multiline: true,
      contextBefore: 0,
      contextAfter: 0,
      extensions: Object.keys(spec.files),
      maxChars: maxListChars,
    },
    scope.call.signal,
  );
  const blocks: string[] = [];
  for (const one of files) {
    if (one.blocks === undefined) return undefined;
    for (const block of one.blocks) blocks.push(block);
  }
  return blocks;
}

async function reportProtocol(scope: SymbolScope, { file, name, selectionRange }: SymbolNode): Promise<void> {
  const lines = scope.files.textOf(file);
  const derived = await derivedNamesIn(scope, file);
  const isProtocol = derived.some((one) => {
    if (comparePositions(one.name, selectionRange.start) !== 0) return false;
    const span = spanOf(lines, { start: one.base, end: { line: one.base.line, character: one.base.character + 8 } });
    return span !== undefined && lines.text.slice(span.start, span.end) === 'Protocol';
  });
  if (!isProtocol) return;
  scope.gaps.push({
    missing: 'Implementations may be missing',
    reason: `\`${name}\` is a protocol, and classes that match it without naming it are not searched for`,
    next: 'Call `find_symbol` with the name of one of its methods',
  });
}

function reportUnclear(scope: SymbolScope, { name }: SymbolNode, unclear: readonly Place[]): void {
  if (unclear.length === 0) return;
  scope.gaps.push({
    missing: 'Implementations may be missing',
    reason: `calls may return further subclasses of \`${name}\`: ${linesOf(unclear)}`,
    next: 'Read these lines',
  });
}

function reportUnsearched(scope: SymbolScope, left: readonly string[]): void {
  const named = left.slice(0, 5).map((name) => `\`${name}\``);
  scope.gaps.push({
    missing: 'Implementations may be missing',
    reason: `subclasses of ${named.join(', ')}${left.length > 5 ? ` and ${left.length - 5} more classes` : ''} were not searched for`,
    next: 'Call `find_implementations` with these classes',
  });
}
