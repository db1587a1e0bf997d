import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import {
  type OutsideMember,
  type Overrides,
  type OverridesQuestion,
  overridesDeadline,
} from '../../symbols/model/overrides.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { nameKey, type SymbolNode } from '../../symbols/model/symbol.ts';
import { outsideMember } from '../../symbols/queries/outside-members.ts';
import { basesOf, derivedFrom, inheritedFromOutside } from './inheritance.ts';

/** Each class has its own member of such a name. */
const mangled = /^__(?!.*__$)/;

/**
 * Returns the overrides of a member of a class of Python: the classes above and below its own that declare the name, and
 * those that a class below extends besides, because there one member hides the other.
 *
 * @throws {ExpectedError} `server.*`, `install.*`.
 */
export async function inheritedOverrides(
  scope: SymbolScope,
  active: ActiveServer,
  question: OverridesQuestion,
): Promise<Overrides | undefined> {
  const { target } = question;
  if (target.parent?.kind !== kinds.class || mangled.test(target.name)) return undefined;
  const search = new OverridesSearch(scope, active, question);
  await search.run(target.parent);
  return search.overrides;
}

class OverridesSearch {
  readonly #scope: SymbolScope;
  readonly #active: ActiveServer;
  readonly #question: OverridesQuestion;
  readonly #deadline: number;
  readonly #classes = new Map<string, SymbolNode>();
  /** Classes that are known to be below one whose subclasses were searched. */
  readonly #covered = new Set<string>();
  /** Classes outside that were asked for the names, by where they are. */
  readonly #asked = new Set<string>();
  readonly #members = new Map<string, SymbolNode>();
  readonly #colliding = new Map<string, SymbolNode | OutsideMember>();
  readonly #outside = new Map<string, OutsideMember>();
  readonly #unknown = new Set<string>();
  #isPartial = false;

  constructor(scope: SymbolScope, active: ActiveServer, question: OverridesQuestion) {
    this.#scope = scope;
    this.#active = active;
    this.#question = question;
    this.#deadline = overridesDeadline(scope.call);
  }

  get overrides(): Overrides {
    const { target, isUpward = false } = this.#question;
    const own = target.parent && nameKey(target.parent);
    const members = [...this.#members.values()].filter(({ parent }) => {
      const of = parent && nameKey(parent);
      // Those of its own class are further definitions of the target itself, such as the setter of a property.
      return of !== own && !(isUpward && of !== undefined && this.#covered.has(of));
    });
    return {
      members,
      outside: [...this.#outside.values()],
      implementedOutside: [],
      colliding: [...this.#colliding.values()],
      unknown: [...this.#unknown].sort(),
      isPartial: this.#isPartial,
    };
  }

  async run(own: SymbolNode): Promise<void> {
    const up = [own];
    const down = this.#question.isUpward === true ? [own] : [];
    for (;;) {
      const next = up.pop();
      if (next !== undefined) {
        const declares = await this.#visit(next, up);
        if (declares && this.#question.isUpward !== true) down.push(next);
        continue;
      }
      // The last one is the highest.
      const top = down.pop();
      if (top === undefined) return;
      if (!this.#covered.has(nameKey(top))) up.push(...(await this.#classesBelow(top)));
    }
  }

  /** Reads a class and adds its bases to `up`. Returns true if it declares the name. */
  async #visit(type: SymbolNode, up: SymbolNode[]): Promise<boolean> {
    const key = nameKey(type);
    if (this.#classes.has(key)) return false;
    if (performance.now() > this.#deadline) {
      this.#isPartial = true;
      return false;
    }
    this.#classes.set(key, type);
    const { target, other } = this.#question;
    const declared = type.children.filter(({ name }) => name === target.name);
    for (const one of declared) this.#members.set(nameKey(one), one);
    for (const one of type.children) if (one.name === other) this.#colliding.set(nameKey(one), one);
    const bases = await basesOf(this.#scope, this.#active, type);
    for (const one of bases.unknown) this.#unknown.add(one);
    up.push(...bases.classes);
    await this.#ask(type, bases.outside);
    return declared.length > 0;
  }

  async #ask(type: SymbolNode, outside: ReadonlyMap<string, string>): Promise<void> {
    const fresh = [...outside].filter(([place]) => !this.#asked.has(place));
    for (const [place] of fresh) this.#asked.add(place);
    if (fresh.length === 0) return;
    const { target, other } = this.#question;
    const names = [target.name, ...(other === undefined ? [] : [other])];
    const bases = fresh.map(([, base]) => base);
    for (const { name, base, location } of await inheritedFromOutside(this.#scope, this.#active, {
      type,
      bases,
      names,
    })) {
      const member = await outsideMember(this.#scope, location, `${base}/${name}`);
      if (name === target.name) this.#outside.set(member.place, member);
      else this.#colliding.set(member.place, member);
    }
  }

  async #classesBelow(type: SymbolNode): Promise<SymbolNode[]> {
    const below = await derivedFrom(this.#scope, this.#active, type, this.#deadline);
    if (performance.now() > this.#deadline) this.#isPartial = true;
    const classes = below.filter(({ kind }) => kind === kinds.class);
    for (const one of classes) this.#covered.add(nameKey(one));
    return classes;
  }
}
