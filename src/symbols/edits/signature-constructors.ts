import type { Edits } from '../../edits/edits.ts';
import type { ConstructionRules } from '../../languages/signature-rules.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import { isSamePlace, type Place, placeAt } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { isTypeKind, kinds } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { adapterOf, type SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { bodySpan } from '../model/text-range.ts';
import { keepProjectLocations } from '../queries/project-locations.ts';
import type { Target } from './edited-symbol.ts';
import { requestProposal } from './rename-proposal.ts';
import { type OpenSite, type SignatureTask, signatureRefused } from './signature-plan.ts';
import { isCall, placesOfAliases, placesOfName, type Sited, sitesAt } from './signature-sites.ts';

/** The places that construct objects. */
export interface Constructions {
  readonly sites: readonly Sited[];
  readonly uncertain: readonly Sited[];
  readonly open: readonly OpenSite[];
  /** See `RenameProposal.cursor`. */
  readonly cursor: number | undefined;
}

/** Returns the type whose constructor a symbol is; `undefined` for other symbols. */
export function constructedType(
  { name, parent }: SymbolNode,
  construction: ConstructionRules | undefined,
): SymbolNode | undefined {
  if (construction === undefined || parent === undefined || !isTypeKind(parent.kind)) return undefined;
  return name === (construction.name ?? parent.name) ? parent : undefined;
}

const newName = 'Reconstructed';

/**
 * Returns where a constructor is called: by the name of its type, by those of derived types without a constructor, and by the
 * constructors of others.
 *
 * @throws {ExpectedError} `edit.refused` if objects are made in another way, too; `server.*`.
 */
export async function constructionsOf(
  scope: SymbolScope,
  edits: Edits,
  { task, type, construction }: { task: SignatureTask; type: SymbolNode; construction: ConstructionRules },
): Promise<Constructions> {
  const search = new Search(scope, edits, { task, construction });
  await search.addType(type);
  await search.addAbove(type);
  const { sites, uncertain, open, cursor } = search;
  const isOther = await search.otherConstructor(type);
  const own = [];
  for (const one of sites) if (!(isCall(one) && (await isOther(one)))) own.push(one);
  return { sites: own, uncertain, open, cursor };
}

class Search {
  readonly sites: Sited[] = [];
  readonly uncertain: Sited[] = [];
  readonly open: OpenSite[] = [];
  cursor: number | undefined;
  readonly #scope: SymbolScope;
  readonly #edits: Edits;
  readonly #task: SignatureTask;
  readonly #construction: ConstructionRules;
  readonly #seen = new Set<string>();

  constructor(
    scope: SymbolScope,
    edits: Edits,
    { task, construction }: { task: SignatureTask; construction: ConstructionRules },
  ) {
    this.#scope = scope;
    this.#edits = edits;
    this.#task = task;
    this.#construction = construction;
  }

  /** Adds what constructs a type, or one that is derived from it and has its constructor. */
  async addType(type: SymbolNode): Promise<void> {
    if (this.#seen.has(nameKey(type))) return;
    this.#seen.add(nameKey(type));
    this.#requireUsual(type);
    const { active } = this.#task;
    const target: Target = { symbol: type, draft: this.#edits.open(type.file) };
    const proposal = await requestProposal(this.#scope, target, { active, newName, isByReferences: true });
    this.cursor ??= proposal.cursor;
    const named = await placesOfName(this.#scope, active, { target, proposal });
    const sites = await this.#sitesAt(named.filter((place) => !isSamePlace(place, namePlace(type))));
    const aliased = await placesOfAliases(this.#scope, active, sites);
    sites.push(...(await this.#sitesAt(aliased.places)));
    const unknown = [...(proposal.references?.open ?? []), ...proposal.doubtful, ...aliased.open];
    this.uncertain.push(...(await this.#sitesAt(unknown)).filter(({ site }) => site.is !== 'type'));
    // Its own and other constructors of the type may call one another.
    await this.#addDelegations(type);
    for (const one of sites) await this.#addSite(one);
    await this.#addUnnamed(type);
  }

  /** Adds constructions in the types above that do not name what they construct. */
  async addAbove(type: SymbolNode, seen = new Set<string>()): Promise<void> {
    const { basesOf } = await adapterOf(this.#scope, this.#task.active, type.file);
    if (basesOf === undefined) return;
    const { classes } = await basesOf(this.#scope, this.#task.active, type);
    for (const base of classes) {
      if (seen.has(nameKey(base))) continue;
      seen.add(nameKey(base));
      await this.#addUnnamed(base);
      await this.addAbove(base, seen);
    }
  }

  /** Returns a predicate for calls of other constructors of the type. */
  async otherConstructor(type: SymbolNode): Promise<(one: Sited) => Promise<boolean>> {
    const { active, target, rules } = this.#task;
    const others = this.#constructorsOf(type).filter((one) => nameKey(one) !== nameKey(target.symbol));
    if (rules.joinsOverloads === true || others.length === 0) return async () => false;
    const { files, call } = this.#scope;
    return async ({ place }) => {
      const { locations } = await files.ask(active, call, async (server) => {
        await files.show(server, place.file, call);
        return await requestDefinition(server, place, files.limits(call));
      });
      const found = await keepProjectLocations(this.#scope, locations);
      if (found.some((one) => isSamePlace(one, namePlace(target.symbol)))) return false;
      if (!found.some((one) => others.some((other) => isSamePlace(one, namePlace(other)))))
        this.open.push({ place, why: 'it may call another constructor' });
      return true;
    };
  }

  #constructorsOf(type: SymbolNode): SymbolNode[] {
    const name = this.#construction.name ?? type.name;
    return type.children.filter((one) => one.name === name && !isTypeKind(one.kind));
  }

  #requireUsual(type: SymbolNode): void {
    const { replacedBy } = this.#construction;
    const { symbol } = this.#task.target;
    const named = `\`${namePathOf(type)}\``;
    if (type.kind === kinds.enum)
      throw signatureRefused(symbol, `${named} is an enumeration, which constructs its members`);
    if (type.children.some(({ name }) => name === replacedBy))
      throw signatureRefused(symbol, `\`${replacedBy}\` of ${named} gets the same arguments`);
    const lines = this.#scope.files.textOf(type.file);
    const { start, end } = bodySpan(type, lines);
    const header = lines.text.slice(start, end).split(/:\s*\n|\{/, 1)[0] ?? '';
    if (/\bmetaclass\s*=(?!\s*(?:abc\.)?ABCMeta\b)/.test(header))
      throw signatureRefused(symbol, `the metaclass of ${named} may construct it otherwise`);
  }

  async #sitesAt(places: readonly Place[]): Promise<Sited[]> {
    const found = await sitesAt(this.#scope, this.#edits, { active: this.#task.active, places });
    // The name before that of a type is no receiver.
    return found.map((one) =>
      isCall(one) ? { ...one, site: { ...one.site, qualifier: undefined, passesReceiver: false } } : one,
    );
  }

  async #addSite(one: Sited): Promise<void> {
    const { site, place, draft } = one;
    if (site.is !== 'type') {
      this.sites.push(one);
      return;
    }
    if (site.derived === undefined) return;
    const at = positionAt(draft.text, draft.lines.starts, site.derived.start);
    const [derived] = symbolsNamedAt(await this.#scope.files.treeOf(place.file, this.#scope.call), [at]);
    if (derived === undefined) this.open.push({ place, why: 'constructors of the derived type are not known' });
    else if (this.#constructorsOf(derived).length === 0) await this.addType(derived);
    else await this.#addDelegations(derived);
  }

  /** Adds the calls of constructors in those of a type. */
  async #addDelegations(type: SymbolNode): Promise<void> {
    const { delegations } = this.#construction;
    if (delegations === undefined) return;
    const isOwn = nameKey(type) === nameKey(this.#task.target.symbol.parent ?? type);
    const word = isOwn ? 'this' : 'super';
    for (const one of this.#constructorsOf(type)) {
      const places = this.#matches(one, delegations).filter(({ text }) => text.startsWith(word));
      const found = await this.#sitesAt(places.map(({ place }) => place));
      this.sites.push(...found.filter(({ site }) => site.is === 'call'));
    }
  }

  async #addUnnamed(type: SymbolNode): Promise<void> {
    const { unnamed } = this.#construction;
    if (unnamed === undefined) return;
    const places = this.#matches(type, unnamed).map(({ place }) => place);
    const sites = await this.#sitesAt(places);
    const inCode = sites.filter(({ site }) => site.is !== 'comment');
    this.open.push(...inCode.map(({ place }) => ({ place, why: 'it may construct the type without naming it' })));
  }

  #matches(symbol: SymbolNode, pattern: RegExp): { place: Place; text: string }[] {
    const lines = this.#scope.files.textOf(symbol.file);
    const { start, end } = bodySpan(symbol, lines);
    return [...lines.text.slice(start, end).matchAll(pattern)].map(({ index, 0: text }) => {
      const length = /^\w+/.exec(text)?.[0].length ?? text.length;
      return { text, place: placeAt(symbol.file, positionAt(lines.text, lines.starts, start + index), length) };
    });
  }
}
