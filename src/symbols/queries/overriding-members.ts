import { mapConcurrently } from '../../base/concurrent.ts';
import type { DerivedName } from '../../languages/python/tree-facts.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { lineText } from '../../text/lines.ts';
import { comparePlaces, comparePositions, isOutside, isSamePlace, type Place, placeAt } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { inFlightPerServer } from '../model/file-symbols.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, preOrder, type SymbolNode } from '../model/symbol.ts';
import { tryShow } from './requests.ts';

/** What a search for overriding members starts from. */
interface OverridingQuestion {
  readonly active: ActiveServer;
  /** The class. */
  readonly base: SymbolNode;
  /** Name of its member. */
  readonly member: string;
  /** Code that may derive classes or give them other names. */
  readonly derivingCode: readonly string[];
  /** Returns what classes and assignments of a file derive from other names. */
  readonly derivedNamesIn: (file: string) => Promise<readonly DerivedName[]>;
}

/** Members that override one of a class. */
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
export async function overridingMembers(scope: SymbolScope, question: OverridingQuestion): Promise<OverridingMembers> {
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

/** Follows base classes from a class to the base in question. */
class Ancestry {
  readonly unresolved: Place[] = [];
  readonly unclear: Place[] = [];
  readonly #scope: SymbolScope;
  readonly #question: OverridingQuestion;
  readonly #names: ReadonlySet<string>;
  readonly #known = new Map<string, boolean>();

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
    const derived = await this.#question.derivedNamesIn(file);
    const own = derived.filter(({ name }) => comparePositions(name, selectionRange.start) === 0);
    if (own.length === 0 && kind !== kinds.class) this.unresolved.push(namePlace(symbol));
    let leads = false;
    for (const { base, how } of own) {
      if (!this.#names.has(this.#wordAt(file, base))) continue;
      const located = placeAt(file, base);
      for (const one of await this.#targetsOf(located)) {
        if (!this.#isBase(one) && !(await this.leadsToBase(one, new Set([...below, key])))) continue;
        if (how === 'unclear') this.unclear.push(located);
        else leads = true;
      }
    }
    this.#known.set(key, leads);
    return leads;
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
