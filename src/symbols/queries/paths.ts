import { remainingMs } from '../../base/call.ts';
import { mapConcurrently } from '../../base/concurrent.ts';
import { counted } from '../../base/counted.ts';
import { isExpected } from '../../base/errors.ts';
import type { GapPlace } from '../../base/gap.ts';
import { isCalledAt } from '../../text/identifiers.ts';
import { isTest } from '../model/is-test.ts';
import { isCallable } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, type SymbolNode } from '../model/symbol.ts';
import { hierarchyStep } from './hierarchy.ts';
import { isCreatedWith, lineAt, type Mention, mentionsIn, overridings } from './mentions-in.ts';
import { findSupertypes, isTypeSymbol } from './neighbors.ts';

/** One step of a path: where `from` calls or mentions `to`, or declares what `to` overrides. */
export interface PathStep extends Omit<Mention, 'symbol'> {
  readonly from: SymbolNode;
  readonly to: SymbolNode;
}

/** How a symbol reaches another one. */
export interface CallPaths {
  /** The shortest first; those through tests last. */
  readonly paths: readonly (readonly PathStep[])[];
  /** Number of symbols whose code was read. */
  readonly readCount: number;
  /** True if every call in them was followed. */
  readonly isComplete: boolean;
}

/** Each symbol costs a request for every name in its code. */
const maxRead = 400;
const readAtOnce = 4;
/** Part of the time of a call after which the search ends, so that what it has found can be returned. */
const shareOfTime = 0.7;
/** A search for all references takes that many times as long as the definitions of the names in a symbol. */
const costOfUsers = 3;
/** A path that much longer than the shortest one is no other way, but a detour. */
const maxDetour = 2;
/** Other ways than the shortest one are not worth reading more than that. */
const maxReadForOthers = 60;

/**
 * Returns how the code of `source` reaches `target` through calls, functions that are passed as values, and overrides:
 * at most `maxPaths` paths. Searches from both ends, on the side with less to read. What could not be followed becomes a
 * gap if there is no path.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function findPaths(
  scope: SymbolScope,
  { source, target, maxPaths }: { source: SymbolNode; target: SymbolNode; maxPaths: number },
): Promise<CallPaths> {
  const walk = new Walk(scope, { source, target });
  await walk.run();
  const paths = pathsIn(walk.incoming, { source: nameKey(source), target: nameKey(target) });
  if (paths.length === 0) walk.reportOpen(scope);
  return { paths: paths.slice(0, maxPaths), readCount: walk.readCount, isComplete: walk.isComplete };
}

interface Side {
  /** Keys of the symbols that were reached from this end. */
  readonly reached: Set<string>;
  /** Keys of those of them that were read. */
  readonly read: Set<string>;
  /** Symbols to read next. */
  level: readonly SymbolNode[];
  readonly unread: SymbolNode[];
}

function sideAt(symbol: SymbolNode): Side {
  return { reached: new Set([nameKey(symbol)]), read: new Set(), level: [symbol], unread: [] };
}

class Walk {
  /** Steps that lead to a symbol, by its key. */
  readonly incoming = new Map<string, PathStep[]>();
  readonly #scope: SymbolScope;
  readonly #ends: { readonly source: SymbolNode; readonly target: SymbolNode };
  /** Time, as in `performance.now()`, at which no more symbols are read. */
  readonly #endMs: number;
  readonly #forward: Side;
  readonly #backward: Side;
  /** Members that were reached and that others may override. Looking for those takes long, so that it comes last. */
  #members: SymbolNode[] = [];
  readonly #open: GapPlace[] = [];
  #isBackwardComplete = true;

  constructor(scope: SymbolScope, ends: { source: SymbolNode; target: SymbolNode }) {
    this.#scope = { ...scope, gaps: [] };
    this.#ends = ends;
    this.#endMs = performance.now() + (remainingMs(scope.call) ?? Number.POSITIVE_INFINITY) * shareOfTime;
    this.#forward = sideAt(ends.source);
    this.#backward = sideAt(ends.target);
  }

  get readCount(): number {
    return this.#forward.read.size + this.#backward.read.size;
  }

  /** True if nothing was left out on one of the sides. */
  get isComplete(): boolean {
    const isAllForward = this.#open.length + this.#forward.unread.length + this.#scope.gaps.length === 0;
    return isAllForward || this.#isAllBackward;
  }

  get #isAllBackward(): boolean {
    const { level, unread } = this.#backward;
    return this.#isBackwardComplete && level.length + unread.length === 0;
  }

  /** Reads one level after the other until none can add a path. */
  async run(): Promise<void> {
    let levelsLeft = Number.POSITIVE_INFINITY;
    while (levelsLeft > 0) {
      const isForwardDone = this.#forward.level.length === 0;
      if (isForwardDone) await this.#addOverridings();
      if (this.#forward.level.length === 0 || this.#isAllBackward) return;
      const { length: ahead } = this.#forward.level;
      const { length: behind } = this.#backward.level;
      const isBackward = behind > 0 && behind * costOfUsers < ahead;
      if (isBackward) await this.#read(this.#backward, (symbol) => this.#stepsTo(symbol));
      else await this.#read(this.#forward, (symbol) => this.#stepsFrom(symbol));
      if (this.#isFound) {
        const isCheap = this.readCount + this.#forward.level.length <= maxReadForOthers;
        levelsLeft = isCheap ? Math.min(levelsLeft - 1, maxDetour) : 0;
      }
    }
  }

  get #isFound(): boolean {
    const { reached } = this.#backward;
    return [...this.#forward.reached].some((key) => reached.has(key));
  }

  async #read(side: Side, stepsOf: (symbol: SymbolNode) => Promise<readonly PathStep[]>): Promise<void> {
    const isForward = side === this.#forward;
    const found = await mapConcurrently(side.level, readAtOnce, async (symbol) => {
      const key = nameKey(symbol);
      if (side.read.has(key)) return [];
      if (this.readCount >= maxRead || performance.now() > this.#endMs) {
        side.unread.push(symbol);
        return [];
      }
      side.read.add(key);
      this.#scope.call.progress(`Following calls: ${namePathOf(symbol)} (${this.readCount})`);
      return await stepsOf(symbol);
    });
    const next = new Map<string, SymbolNode>();
    for (const step of found.flat()) {
      this.#add(step);
      const end = isForward ? step.to : step.from;
      const key = nameKey(end);
      side.reached.add(key);
      if (!side.read.has(key)) next.set(key, end);
    }
    side.level = [...next.values()];
  }

  #add(step: PathStep): void {
    const key = nameKey(step.to);
    const steps = this.incoming.get(key) ?? [];
    this.incoming.set(key, steps);
    // Of several calls in one function, the first one is shown.
    if (!steps.some(({ from }) => nameKey(from) === nameKey(step.from))) steps.push(step);
  }

  async #stepsFrom(from: SymbolNode): Promise<PathStep[]> {
    const { mentions, open } = await mentionsIn(this.#scope, from);
    this.#open.push(...open);
    this.#members.push(from);
    return mentions.map(({ symbol, ...mention }) => ({ from, to: symbol, ...mention }));
  }

  async #stepsTo(to: SymbolNode): Promise<PathStep[]> {
    const { origins, isComplete } = await originsOf(this.#scope, to);
    if (!isComplete) this.#isBackwardComplete = false;
    return origins.map(({ symbol, ...mention }) => ({ from: symbol, to, ...mention }));
  }

  /** Goes on with the members that override those that were reached. */
  async #addOverridings(): Promise<void> {
    const members = this.#members;
    this.#members = [];
    this.#forward.level = members;
    for (const member of members) this.#forward.read.delete(nameKey(member));
    await this.#read(this.#forward, async (from) => {
      const found = await overridings(this.#scope, from);
      return found.map(({ symbol, ...mention }) => ({ from, to: symbol, ...mention }));
    });
  }

  /** Adds a gap to `scope` for what was not followed. */
  reportOpen({ gaps }: SymbolScope): void {
    if (this.isComplete) return;
    const { source, target } = this.#ends;
    gaps.push(...this.#scope.gaps);
    const missing = `A path from \`${namePathOf(source)}\` to \`${namePathOf(target)}\` may be missing`;
    // Those that have the name of the target are the most likely ones.
    const isNamed = ({ text }: GapPlace) => text.includes(target.bareName ?? target.name);
    const places = [...this.#open.filter(isNamed), ...this.#open.filter((place) => !isNamed(place))];
    if (places.length > 0) {
      const reason = `${counted(places.length, 'call')} could not be followed`;
      gaps.push({ missing, reason, next: 'Read these lines', places });
    }
    const { unread } = this.#forward;
    if (unread.length > 0) {
      const named = unread.slice(0, 5).map((symbol) => `\`${namePathOf(symbol)}\``);
      gaps.push({
        missing,
        reason: `the search ended before it had read ${counted(unread.length, 'symbol')}, such as ${named.join(', ')}`,
        next: 'Call `find_path` from one of them',
      });
    }
  }
}

/** Returns the paths without repetitions in the steps that were found, the shortest first, those through tests last. */
function pathsIn(
  incoming: ReadonlyMap<string, readonly PathStep[]>,
  { source, target }: { source: string; target: string },
): (readonly PathStep[])[] {
  const found: (readonly PathStep[])[] = [];
  let level: (readonly PathStep[])[] = (incoming.get(target) ?? []).map((step) => [step]);
  let lastLength = Number.POSITIVE_INFINITY;
  for (let length = 1; level.length > 0 && length <= lastLength; length++) {
    const longer: (readonly PathStep[])[] = [];
    for (const path of level) {
      const from = path[0] && nameKey(path[0].from);
      if (from === source) found.push(path);
      else if (from !== undefined) longer.push(...extended(path, incoming.get(from) ?? [], target));
    }
    if (found.length > 0) lastLength = Math.min(lastLength, length + maxDetour);
    level = longer.slice(0, maxRead);
  }
  const testsOf = (path: readonly PathStep[]) => path.filter(({ from }) => isTest(from)).length;
  return found.sort((a, b) => testsOf(a) - testsOf(b) || a.length - b.length);
}

function extended(path: readonly PathStep[], before: readonly PathStep[], target: string): (readonly PathStep[])[] {
  const known = new Set([target, ...path.map(({ from }) => nameKey(from))]);
  return before.filter(({ from }) => !known.has(nameKey(from))).map((step) => [step, ...path]);
}

interface Origins {
  /** `symbol` is the one whose code leads there. */
  readonly origins: readonly Mention[];
  /** True if nothing else leads there. */
  readonly isComplete: boolean;
}

/**
 * Returns the functions whose code calls or mentions a symbol, and the members that it overrides: the opposite of
 * `mentionsIn`. Names in other code, such as the value of a variable, make it incomplete.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
async function originsOf(scope: SymbolScope, target: SymbolNode): Promise<Origins> {
  const own = { ...scope, gaps: [] };
  const { related } = await hierarchyStep(own, target, 'users');
  const origins: Mention[] = [];
  let isComplete = own.gaps.length === 0;
  for (const { symbol, lines } of related) {
    const user = outermostCallable(symbol);
    const calls = lines.map((line) => mentionAt(scope, target, symbol.file, line));
    const mention = calls.find(({ how }) => how === 'calls') ?? (isTypeSymbol(target) ? undefined : calls[0]);
    if (user === undefined) isComplete = false;
    else if (mention !== undefined && nameKey(user) !== nameKey(target)) origins.push({ ...mention, symbol: user });
  }
  const overridden = await overriddenBy(own, target);
  const { parent } = target;
  const creator = parent !== undefined && isTypeSymbol(parent) && isCreatedWith(scope, parent, target) ? [parent] : [];
  const at = lineAt(scope, target.file, target.selectionRange.start);
  return {
    origins: [
      ...origins,
      ...(overridden ?? []).map((symbol): Mention => ({ symbol, ...at, how: 'is overridden by' })),
      ...creator.map((symbol): Mention => ({ symbol, ...at, how: 'creates with' })),
    ],
    // Instances of subtypes are created with it, too.
    isComplete: isComplete && overridden !== undefined && creator.length === 0 && !isTypeSymbol(target),
  };
}

/** Returns the outermost function around a symbol: what is defined in a function is a part of its code. */
function outermostCallable(symbol: SymbolNode): SymbolNode | undefined {
  let outermost: SymbolNode | undefined;
  for (let one: SymbolNode | undefined = symbol; one !== undefined; one = one.parent) {
    if (isCallable(one)) outermost = one;
  }
  return outermost;
}

function mentionAt(scope: SymbolScope, target: SymbolNode, file: string, line: number): Omit<Mention, 'symbol'> {
  const at = lineAt(scope, file, { line, character: 0 });
  const name = target.bareName ?? target.name;
  let isCall = false;
  for (let from = at.text.indexOf(name); from !== -1 && !isCall; from = at.text.indexOf(name, from + 1)) {
    isCall = isCalledAt(at.text, from + name.length);
  }
  return { ...at, how: isCall ? 'calls' : 'mentions' };
}

/** Returns the members of the direct supertypes that a member overrides; `undefined` if they are unknown. */
async function overriddenBy(
  scope: SymbolScope,
  { parent, name, receiver }: SymbolNode,
): Promise<SymbolNode[] | undefined> {
  // The references of such a method include calls through interfaces.
  if (receiver !== undefined || parent === undefined || !isTypeSymbol(parent)) return [];
  try {
    const { related } = await findSupertypes(scope, parent);
    return related.flatMap(({ symbol }) => symbol.children.filter((child) => child.name === name && isCallable(child)));
  } catch (error) {
    if (!isExpected(error)) throw error;
    return undefined;
  }
}
