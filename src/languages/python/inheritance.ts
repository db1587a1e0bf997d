import { mapConcurrently } from '../../base/concurrent.ts';
import { messageOf } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { linesNote } from '../../symbols/edits/left-over.ts';
import { symbolsNamedAt } from '../../symbols/model/at-position.ts';
import { inFlightPerServer } from '../../symbols/model/file-symbols.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import type { BaseTypes } from '../../symbols/model/overrides.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { nameKey, namePlace, preOrder, type SymbolNode } from '../../symbols/model/symbol.ts';
import { spanOf, startOfLine } from '../../symbols/model/text-range.ts';
import type { Ledger } from '../../symbols/occurrences/ledger.ts';
import type { Occurrence } from '../../symbols/occurrences/occurrence.ts';
import { keepProjectLocations } from '../../symbols/queries/project-locations.ts';
import { referenceLocations } from '../../symbols/queries/references.ts';
import { definitionsAt, tryShow } from '../../symbols/queries/requests.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { firstAttachedLine } from '../../text/definition-syntax.ts';
import { lineText } from '../../text/lines.ts';
import {
  comparePlaces,
  comparePositions,
  isOutside,
  isSamePlace,
  type Place,
  placeAt,
  placeKey,
} from '../../text/place.ts';
import { offsetAt, type Position } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { DerivedName } from './tree-facts.ts';

/** What a search for overriding members starts from. */
interface OverridingQuestion {
  readonly active: ActiveServer;
  readonly base: SymbolNode;
  /** Name of its member. */
  readonly member: string;
  /** Code that may derive classes or give them other names. */
  readonly derivingCode: readonly string[];
}

interface OverridingMembers {
  readonly members: readonly SymbolNode[];
  /** Base classes that may lead to the class but that the server does not resolve. */
  readonly unresolved: readonly Place[];
  /** Calls with the class, or one below it, that may make a base class. */
  readonly unclear: readonly Place[];
}

/**
 * Returns the members that override a member of a Python class. Few classes have a member of this name: only for these
 * their base classes are resolved, which takes a fraction of the time that the search for all subclasses does.
 *
 * @throws {ExpectedError} `server.*`, `file.*`.
 */
async function overridingMembers(scope: SymbolScope, question: OverridingQuestion): Promise<OverridingMembers> {
  const { base, member } = question;
  const names = derivedFromName(base.name, question.derivingCode);
  const ancestry = new Ancestry(scope, question, names);
  const classes = await classesWith(scope, question, names);
  const derived = await mapConcurrently(classes, inFlightPerServer, async (one) =>
    (await ancestry.leadsToBase(one)) ? [one] : [],
  );
  const members = derived.flat().flatMap(({ children }) => children.filter(({ name }) => name === member));
  return {
    members,
    unresolved: ancestry.unresolved.sort(comparePlaces),
    unclear: ancestry.unclear.sort(comparePlaces),
  };
}

/** Returns the classes other than the base that have a member of the name, if their own name is one of `names`. */
async function classesWith(
  scope: SymbolScope,
  { active, base, member }: OverridingQuestion,
  names: ReadonlySet<string>,
): Promise<SymbolNode[]> {
  const { project, sources } = scope.files;
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const files = await project.scanner.filesContaining({ ...walk, literal: member }, scope.call.signal);
  const declared = new RegExp(`\\bdef\\s+${member}\\b|\\b${member}\\b[^\\n]*=|\\b${member}\\s*:`, 'u');
  const own = files.filter(({ path }) => {
    if (sources.serverOf(path) !== active) return false;
    const { text } = scope.files.textOf(path);
    const classes = [...text.matchAll(/\bclass\s+([\p{L}\p{N}_]+)/gu)];
    return declared.test(text) && classes.some(([, name = '']) => names.has(name));
  });
  const found = await mapConcurrently(own, inFlightPerServer, async ({ path }) => {
    const tree = await scope.files.treeOf(path, scope.call);
    const isBase = (one: SymbolNode) => isSamePlace(namePlace(one), namePlace(base));
    return preOrder(tree).filter(
      (one) =>
        one.kind === kinds.class &&
        names.has(one.name) &&
        !isBase(one) &&
        one.children.some(({ name }) => name === member),
    );
  });
  return found.flat();
}

/** Returns the names that by the text may stand for a class of this name, or for one below it. */
function derivedFromName(name: string, code: readonly string[]): ReadonlySet<string> {
  const derived = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    const known = derived.get(from) ?? new Set();
    derived.set(from, known.add(to));
  };
  const words = /[\p{L}_][\p{L}\p{N}_]*/gu;
  // Each line begins with its number.
  for (const block of code) {
    for (const [, to = '', bases = ''] of block.matchAll(
      /\bclass\s+([\p{L}\p{N}_]+)[^\n(:]*\(([\s\S]{0,4000}?)\)\s*:/gu,
    ))
      for (const from of bases.match(words) ?? []) add(from, to);
    for (const [, from = '', to = ''] of block.matchAll(/\b([\p{L}\p{N}_]+)\s+as\s+([\p{L}\p{N}_]+)/gu)) add(from, to);
    for (const [, to = '', value = ''] of block.matchAll(
      /(?:^|\d:)\s*([\p{L}_][\p{L}\p{N}_]*)\s*(?::[^=\n]*)?=(.*)$/gmu,
    ))
      for (const from of value.match(words) ?? []) add(from, to);
  }
  const found = new Set([name]);
  for (const one of found) for (const to of derived.get(one) ?? []) found.add(to);
  return found;
}

class Ancestry {
  readonly unresolved: Place[] = [];
  readonly unclear: Place[] = [];
  readonly #scope: SymbolScope;
  readonly #question: OverridingQuestion;
  readonly #names: ReadonlySet<string>;
  readonly #known = new Map<string, boolean>();
  /** Classes and variables by the place of a name that leads to them. */
  readonly #targets = new Map<string, Promise<readonly SymbolNode[]>>();

  constructor(scope: SymbolScope, question: OverridingQuestion, names: ReadonlySet<string>) {
    this.#scope = scope;
    this.#question = question;
    this.#names = names;
  }

  /** True if a class, or the variable that stands for one, leads to the base. `below` has those that led here. */
  async leadsToBase(symbol: SymbolNode, below: ReadonlySet<string> = new Set()): Promise<boolean> {
    const { file, kind, selectionRange } = symbol;
    const key = nameKey(symbol);
    const known = this.#known.get(key);
    if (known !== undefined || below.has(key)) return known === true;
    const derived = await derivedNamesIn(this.#scope, file);
    const own = derived.filter(({ name }) => comparePositions(name, selectionRange.start) === 0);
    if (own.length === 0 && kind !== kinds.class) this.unresolved.push(namePlace(symbol));
    let leads = false;
    for (const { base, how } of own) {
      if (!this.#names.has(this.#wordAt(file, base))) continue;
      const located = placeAt(file, base);
      for (const one of await this.#knownTargetsOf(located)) {
        if (!this.#isBase(one) && !(await this.leadsToBase(one, new Set([...below, key])))) continue;
        if (how === 'unclear') this.unclear.push(located);
        else leads = true;
      }
    }
    this.#known.set(key, leads);
    return leads;
  }

  /** Asks the server once for each name: classes are followed at the same time, and share their bases. */
  #knownTargetsOf(located: Place): Promise<readonly SymbolNode[]> {
    const known = this.#targets.get(placeKey(located)) ?? this.#targetsOf(located);
    this.#targets.set(placeKey(located), known);
    return known;
  }

  /** Returns the classes and variables in the project that a name leads to. */
  async #targetsOf(located: Place): Promise<SymbolNode[]> {
    const { files, call } = this.#scope;
    const locations = await files.ask(this.#question.active, call, async (server): Promise<readonly Place[]> => {
      if (!(await tryShow(this.#scope, server, located.file))) return [];
      return (await requestDefinition(server, located, files.limits(call))).locations;
    });
    const found: SymbolNode[] = [];
    let leadsOut = false;
    for (const place of locations) {
      if (isOutside(place) || files.sources.serverOf(place.file) === undefined) leadsOut = true;
      else found.push(...symbolsNamedAt(await files.treeOf(place.file, call), [place.range.start]));
    }
    if (found.length === 0 && !leadsOut) this.unresolved.push(located);
    return found;
  }

  #isBase(symbol: SymbolNode): boolean {
    return isSamePlace(namePlace(symbol), namePlace(this.#question.base));
  }

  #wordAt(file: string, { line, character }: Position): string {
    const { text, starts } = this.#scope.files.textOf(file);
    return /^[\p{L}\p{N}_]+/u.exec((lineText(text, starts, line) ?? '').slice(character))?.[0] ?? '';
  }
}

/** Each class costs a search of the project: a question without a deadline searches no more of them. */
const maxSearched = 200;

/** Length of all base class lists of a project; beyond it every class is searched for subclasses. */
const maxListChars = 32_000_000;

/** Lists of base classes, imports under another name, and assignments of a name or of a class that a call makes, in Python. */
const derivingCode = String.raw`\bclass\s+\w+[^\n(:]*\([\s\S]{0,4000}?\)\s*:|\b\w+\s+as\s+\w+|=\s*\(?[\w.]+\s*(?:\[.*|if\b.*)?\)?\s*(?:#.*)?$|=\s*(?:\w+\.)?(?:type|new_class)\([^\n]*,[^\n]*$`;

/**
 * pyright has no `textDocument/implementation`:
 *
 * ```python
 * class Shape: ...
 * Base = Shape
 * class Square(Base): ...   # a subclass of `Shape`
 * ```
 *
 * Returns the subclasses of a class over any number of classes, or the members of these that override a member of the
 * class; `undefined` for other symbols. The server finds the references to a class; syntax trees show which of them are base classes. Calls that may return a subclass, and protocols, become gaps.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function inheritedImplementations(
  scope: SymbolScope,
  active: ActiveServer,
  target: SymbolNode,
): Promise<SymbolNode[] | undefined> {
  const base = classOf(target);
  if (base === undefined) return undefined;
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
  const found = await overridingMembers(scope, { active, ...of, derivingCode });
  reportUnclear(scope, of.base, found.unclear);
  if (found.unresolved.length > 0) {
    const reason = `it is unknown whether these classes lead to \`${of.base.name}\`: ${linesAt(found.unresolved)}`;
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
    const isEnough = Number.isFinite(deadline) ? performance.now() > deadline : searched++ >= maxSearched;
    if (isEnough) {
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
  const relevant = async (ledger: Ledger) =>
    ledger.withOpen([...ledger.unchecked, ...(await derivingOnly(scope, ledger.unresolved))]);
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

/**
 * False for an indented `value = item.name` whose `value` is no base class in the file: what a function or class assigns is
 * seldom a class, and seldom used elsewhere as one.
 */
function mayDerive(lines: TextLines, { how, name }: DerivedName, derived: readonly DerivedName[]): boolean {
  if (how !== 'renames' || name.character === 0) return true;
  const wordAt = ({ line, character }: Position) =>
    /^[\p{L}\p{N}_]*/u.exec(lineText(lines.text, lines.starts, line)?.slice(character) ?? '')?.[0];
  return derived.some(({ base, how: other }) => other !== 'renames' && wordAt(base) === wordAt(name));
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
      const here = derived.find(({ base }) => comparePositions(base, range.start) === 0);
      return isRenamed || (here !== undefined && mayDerive(lines, here, derived));
    });
  });
  return found.flat();
}

/** What the texts in memory derive. One file may contain many classes, and parsing it takes up to 0.1 s. */
const parsed = new WeakMap<TextLines, Promise<readonly DerivedName[]>>();

/** Returns what the classes and assignments of a file of Python derive; a file that cannot be parsed becomes a gap. */
async function derivedNamesIn(scope: SymbolScope, file: string): Promise<readonly DerivedName[]> {
  const lines = scope.files.textOf(file);
  const derived = parsed.get(lines) ?? syntaxTrees.derivedNames('python', lines.text);
  parsed.set(lines, derived);
  try {
    return await derived;
  } catch (error) {
    parsed.delete(lines);
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

function linesAt(places: readonly Place[]): string {
  return linesNote(places.map(({ file, range }) => ({ file, line: range.start.line })));
}

function reportUnclear(scope: SymbolScope, { name }: SymbolNode, unclear: readonly Place[]): void {
  if (unclear.length === 0) return;
  scope.gaps.push({
    missing: 'Implementations may be missing',
    reason: `calls may return further subclasses of \`${name}\`: ${linesAt(unclear)}`,
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

interface BaseClasses extends BaseTypes {
  /** Those outside: expressions of the class's header, by where they lead. */
  readonly outside: ReadonlyMap<string, string>;
}

/** A member of a base class outside the project. */
interface InheritedMember {
  readonly name: string;
  /** The expression that leads to the base class. */
  readonly base: string;
  readonly location: Place;
}

/** `Base = Other` may lead to a further assignment. */
const maxAliases = 4;

/** Returns the direct base classes of a class of Python. @throws {ExpectedError} `server.*`. */
export async function basesOf(scope: SymbolScope, active: ActiveServer, type: SymbolNode): Promise<BaseClasses> {
  const { start } = type.selectionRange;
  const derived = (await derivedNamesIn(scope, type.file)).filter(({ name }) => comparePositions(name, start) === 0);
  const classes: SymbolNode[] = [];
  const outside = new Map<string, string>();
  const unknown: string[] = [];
  for (const { base, how } of derived) {
    const written = expressionAt(scope, type.file, base);
    const led = how === 'inherits' ? await follow(scope, active, placeAt(type.file, base)) : undefined;
    if (led === undefined) unknown.push(written);
    else if (typeof led === 'string') outside.set(led, written);
    else classes.push(led);
  }
  return { classes, outside, unknown };
}

/** Returns the class that a name leads to, a key for a place outside the project, or `undefined`. */
async function follow(scope: SymbolScope, active: ActiveServer, from: Place): Promise<SymbolNode | string | undefined> {
  let at = from;
  for (let step = 0; step < maxAliases; step++) {
    const locations = await definitionsAt(scope, active, at);
    const [first] = locations;
    if (first === undefined) return undefined;
    const kept = await keepProjectLocations(scope, locations);
    if (kept.length === 0) return `${first.file}:${first.range.start.line}`;
    let next: Place | undefined;
    for (const { file, range } of kept) {
      const [symbol] = symbolsNamedAt(await scope.files.treeOf(file, scope.call), [range.start]);
      if (symbol?.kind === kinds.class) return symbol;
      const renamed = (await derivedNamesIn(scope, file)).find(
        ({ name, how }) => how === 'renames' && comparePositions(name, range.start) === 0,
      );
      if (renamed !== undefined) next = placeAt(file, renamed.base);
    }
    if (next === undefined) return undefined;
    at = next;
  }
  return undefined;
}

/** Returns the name at a position with its qualifiers: `threading.Thread` at `Thread`. */
function expressionAt(scope: SymbolScope, file: string, position: Position): string {
  const { text, starts } = scope.files.textOf(file);
  const offset = offsetAt(text, starts, position) ?? text.length;
  const before = /(?:[\p{L}_][\p{L}\p{N}_]*\.)*$/u.exec(text.slice(Math.max(0, offset - 200), offset))?.[0] ?? '';
  return before + (/^[\p{L}\p{N}_]*/u.exec(text.slice(offset, offset + 200))?.[0] ?? '');
}

/**
 * Returns the members with some names that base classes outside the project have or inherit. The language server itself
 * resolves them, on a function that it receives above the class for that time: files outside are not read.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function inheritedFromOutside(
  scope: SymbolScope,
  active: ActiveServer,
  { type, bases, names }: { type: SymbolNode; bases: readonly string[]; names: readonly string[] },
): Promise<InheritedMember[]> {
  const lines = scope.files.textOf(type.file);
  const { line } = type.range.start;
  const written = lineText(lines.text, lines.starts, line) ?? '';
  const indentation = /^\s*/.exec(written)?.[0] ?? '';
  const probes = bases.flatMap((base, index) => names.map((name) => ({ base, name, value: `_${index}` })));
  const parameters = bases.map((base, index) => `_${index}: ${base}`).join(', ');
  let probe = `${indentation}def _(${parameters}): `;
  const columns = probes.map(({ value, name }) => {
    probe += `${value}.`;
    const column = probe.length;
    probe += `${name}; `;
    return column;
  });
  const above = firstAttachedLine(lines, line, 'python');
  const at = startOfLine(lines, above);
  const texts = new Map([[type.file, `${lines.text.slice(0, at)}${probe}\n${lines.text.slice(at)}`]]);
  return await scope.files.tryTexts(active, scope.call, texts, async () => {
    const found: InheritedMember[] = [];
    for (const [index, { base, name }] of probes.entries()) {
      const position = { line: above, character: columns[index] ?? 0 };
      const [location] = await definitionsAt(scope, active, placeAt(type.file, position));
      if (location !== undefined) found.push({ name, base, location });
    }
    return found;
  });
}
