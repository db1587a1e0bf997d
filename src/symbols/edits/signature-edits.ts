import type { FileDraft } from '../../edits/file-draft.ts';
import type { SignatureRules } from '../../languages/signature-rules.ts';
import { requestReferences } from '../../lsp/features/locations.ts';
import { requestRename } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { CallSite, DeclarationSite, ParameterPart } from '../../syntax/signatures.ts';
import { type Place, placeAt } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import type { SymbolScope } from '../model/scope.ts';
import { type Span, spanOf } from '../model/text-range.ts';
import { fileInProject } from '../queries/project-locations.ts';
import type { ChangedCall, NewArgument } from './call-change.ts';
import { type ListItem, listWith } from './list-layout.ts';
import { NestedEdits, type Render } from './nested-edits.ts';
import type { AddedParameter, Entry, SignatureChange } from './signature-change.ts';
import { planDocs } from './signature-docs.ts';
import type { Sited } from './signature-sites.ts';

/** The edits of one change, by file. */
export class SignatureEdits {
  readonly #byFile = new Map<string, { draft: FileDraft; nested: NestedEdits; places: Set<number> }>();
  /** The names of the changed declarations. */
  readonly declarations: Place[] = [];
  /** Arguments that no longer exist, by file. */
  readonly dropped = new Map<string, Span[]>();

  get files() {
    return [...this.#byFile.values()];
  }

  /** Number of changed declarations and calls by file, sorted by file. */
  get counts(): (readonly [file: string, count: number])[] {
    const counts = [...this.#byFile].map(([file, { places }]) => [file, places.size] as const);
    return counts.toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Adds an edit; `at` is the offset of the declaration or call that it belongs to. */
  add(draft: FileDraft, part: Span, edit: { at: number; make: (render: Render) => string }): void {
    const own = this.#byFile.get(draft.path) ?? {
      draft,
      nested: new NestedEdits(draft.text),
      places: new Set<number>(),
    };
    this.#byFile.set(draft.path, own);
    own.nested.add(part, edit.make);
    own.places.add(edit.at);
  }
}

/** Plans the new arguments of a call. */
export function planCall(
  edits: SignatureEdits,
  { draft, site }: Sited<CallSite>,
  changed: Extract<ChangedCall, { is: 'changed' }>,
): void {
  const { list, arguments: given } = site;
  const make = (render: Render) => {
    const items = changed.arguments.map(
      (one): ListItem => ({ origin: one.origin, text: argumentText(one, site, render) }),
    );
    return listWith(draft.text, list, { old: given, items });
  };
  edits.add(draft, list, { at: list.start, make });
  const dropped = changed.dropped.flatMap((index) => given[index] ?? []);
  edits.dropped.set(draft.path, [...(edits.dropped.get(draft.path) ?? []), ...dropped]);
}

function argumentText(
  { origin, keyword, text = '' }: NewArgument,
  { arguments: given }: CallSite,
  render: Render,
): string {
  const argument = origin === undefined ? undefined : given[origin];
  if (argument === undefined) return keyword === undefined ? text : `${keyword}=${guarded(text)}`;
  if (argument.keyword === undefined)
    return keyword === undefined ? render(argument) : `${keyword}=${guarded(render(argument.value))}`;
  if (keyword === undefined) return render(argument.value);
  return `${keyword}${render({ start: argument.keyword.end, end: argument.end })}`;
}

/** An assignment expression needs brackets behind a keyword. */
function guarded(text: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*\s*:=/u.test(text) ? `(${text})` : text;
}

/** A declaration to change. */
interface DeclarationTask {
  readonly active: ActiveServer;
  readonly rules: SignatureRules;
  readonly change: SignatureChange;
  readonly one: Sited<DeclarationSite>;
  /** Index in the changed signature → index in the declaration's. */
  readonly indices: ReadonlyMap<number, number>;
  readonly calls: readonly Sited<CallSite>[];
  /** True if it may lack some of the parameters. */
  readonly isOverload: boolean;
  /** True if another declaration of the function has the defaults. */
  readonly isSecond: boolean;
}

/**
 * Plans the new parameters of a declaration, with the uses of renamed ones. Calls must be planned before. Returns the
 * reasons not to change it.
 *
 * @throws {ExpectedError} `server.*`; `edit.refused` if the server cannot rename a parameter.
 */
export async function planDeclaration(
  scope: SymbolScope,
  edits: SignatureEdits,
  task: DeclarationTask,
): Promise<{ readonly problems: readonly string[] }> {
  const { change, one, indices, rules } = task;
  const { draft, site } = one;
  const entries = entriesFor(change, { indices, site, isOverload: task.isOverload });
  if (entries === undefined) return { problems: [`${described(one)} has other parameters`] };
  const problems = await problemsOf(scope, edits, { ...task, entries });
  for (const own of site.parameters) await planRename(scope, edits, { ...task, own });
  const make = (render: Render) => {
    const seen = new Set<number>();
    const items = grouped(entries, site.parameters).map((group): ListItem => {
      const [first] = group;
      const at = first?.own === undefined ? -1 : itemIndex(site.parameters, site.parameters.indexOf(first.own));
      // Of parameters that shared a type, the first one keeps the comments.
      const origin = at === -1 || seen.has(at) ? undefined : at;
      seen.add(at);
      return { origin, text: textOf(group, { render, site, rules, change, isSecond: task.isSecond }) };
    });
    return listWith(draft.text, site.list, { old: itemsOf(site.parameters), items });
  };
  const isSame =
    entries.length === site.parameters.length && entries.every(({ own }, index) => own === site.parameters[index]);
  if (!isSame) edits.add(draft, site.list, { at: site.list.start, make });
  const addToDocs = (part: Span, of: (render: Render) => string) =>
    edits.add(draft, part, { at: site.list.start, make: of });
  if (rules.hasParameterTags === true) planDocs(one, { change, indices }, addToDocs);
  if (!isSame || site.parameters.some((own) => renamedTo(change, own) !== undefined))
    edits.declarations.push(one.place);
  return { problems };
}

/** Returns what the new parameters of a declaration would break in it. */
async function problemsOf(
  scope: SymbolScope,
  edits: SignatureEdits,
  task: DeclarationTask & { readonly entries: readonly OwnEntry[] },
): Promise<string[]> {
  const { change, one, indices, entries } = task;
  const names = new Set(one.site.names);
  const problems = entries.flatMap(({ added, name, own }) => {
    const newName = added === undefined ? own && renamedTo(change, own) : name;
    const isTaken = newName !== undefined && names.has(newName);
    return isTaken ? [`${described(one)} already uses the name \`${newName}\``] : [];
  });
  for (const index of change.removed) {
    const own = one.site.parameters[indices.get(index) ?? -1];
    const uses = own === undefined ? [] : await usesOf(scope, edits, { ...task, own });
    if (uses.length === 0) continue;
    const lines = [...new Set(uses.map(({ range }) => range.start.line))].join(', ');
    problems.push(`${described(one)} uses \`${own?.name?.name}\` (0-based lines: ${lines})`);
  }
  return problems;
}

function described({ place }: Sited): string {
  return `the declaration at \`${place.file}:${place.range.start.line}\` (0-based line)`;
}

/** An entry of the new signature of one declaration. */
interface OwnEntry extends Entry {
  readonly own?: ParameterPart | undefined;
}

/**
 * Returns the new parameters of one declaration; `undefined` if it lacks one that others would follow. One that lacks the
 * last ones gets none behind them.
 */
function entriesFor(
  { entries, removed }: SignatureChange,
  { indices, site, isOverload }: { indices: ReadonlyMap<number, number>; site: DeclarationSite; isOverload: boolean },
): OwnEntry[] | undefined {
  const found: OwnEntry[] = [];
  let lacks = false;
  for (const entry of entries) {
    const index = entry.origin === undefined ? undefined : indices.get(entry.origin);
    const own = index === undefined ? undefined : site.parameters[index];
    const isPositional = entry.is === 'positional' || entry.is === 'either';
    if (entry.origin !== undefined && own === undefined) {
      if (isPositional) lacks = true;
      continue;
    }
    if (lacks && isPositional && !isOverload) {
      if (entry.added === undefined) return undefined;
      continue;
    }
    found.push({ ...entry, own });
  }
  const gone = new Set(removed.map((index) => indices.get(index)));
  const kept = new Set(found.map(({ own }) => own));
  // What the changed signature does not have, such as a receiver of another kind, stays where it is.
  for (const [index, own] of site.parameters.entries()) {
    if (!kept.has(own) && !gone.has(index) && own.is === 'receiver')
      found.unshift({ is: own.is, name: own.name?.name, isOptional: false, own });
  }
  return found;
}

function renamedTo({ renamed }: SignatureChange, { name }: ParameterPart): string | undefined {
  return name === undefined ? undefined : renamed.get(name.name);
}

/** Returns the parts of a list in which parameters that share a type are one. */
function itemsOf(parameters: readonly ParameterPart[]): Span[] {
  return [...new Map(parameters.map((one) => [one.start, one])).values()];
}

function itemIndex(parameters: readonly ParameterPart[], index: number): number {
  const start = parameters[index]?.start;
  return itemsOf(parameters).findIndex((one) => one.start === start);
}

/** Joins the entries of parameters that share a type and are still together. */
function grouped(entries: readonly OwnEntry[], parameters: readonly ParameterPart[]): (readonly OwnEntry[])[] {
  const groups: OwnEntry[][] = [];
  for (let index = 0; index < entries.length; ) {
    const { own } = entries[index] ?? {};
    const all = own?.type === undefined ? [] : parameters.filter(({ start }) => start === own.start);
    const isWhole = all.length > 1 && all.every((one, at) => entries[index + at]?.own === one);
    const length = isWhole ? all.length : 1;
    groups.push(entries.slice(index, index + length));
    index += length;
  }
  return groups;
}

/** What the text of a parameter depends on. */
interface ParameterText {
  readonly render: Render;
  readonly site: DeclarationSite;
  readonly rules: SignatureRules;
  readonly change: SignatureChange;
  readonly isSecond: boolean;
}

function textOf([entry, ...others]: readonly OwnEntry[], parts: ParameterText): string {
  if (entry === undefined) return '';
  const { own, added, is } = entry;
  if (added !== undefined) return addedText(added, parts);
  if (own === undefined) return is === 'end-of-positional' ? '/' : '*';
  if (others.length > 0 || own.type === undefined || own.name === undefined) return parts.render(own);
  return `${renamedTo(parts.change, own) ?? parts.render(own.name)}${own.type}`;
}

/** Returns the text of an added parameter, without its default or its name where a declaration can have none. */
function addedText({ text, part }: AddedParameter, { site, rules, isSecond }: ParameterText): string {
  const nameEnd = part.name?.end ?? 0;
  const hasNoNames = site.parameters.length > 0 && site.parameters.every(({ name }) => name === undefined);
  if (rules.namesAllOrNone === true && hasNoNames) return text.slice(nameEnd).trim();
  const isBodiless = rules.bodiless?.types.includes(site.type) === true;
  if (part.default === undefined || (!isBodiless && !isSecond)) return text;
  const head = text.slice(0, part.default.start).replace(/\s*=\s*$/, '');
  const mark = isBodiless && !head.slice(nameEnd).startsWith('?') ? (rules.bodiless?.mark ?? '') : '';
  return `${head.slice(0, nameEnd)}${mark}${head.slice(nameEnd)}`;
}

interface ParameterTask extends DeclarationTask {
  readonly own: ParameterPart;
}

function placeOf({ draft }: Sited, { start }: Span): Place {
  return placeAt(draft.path, positionAt(draft.text, draft.lines.starts, start));
}

/** Returns the uses of a parameter, without those in arguments that the same change removes. */
async function usesOf(
  scope: SymbolScope,
  edits: SignatureEdits,
  { active, one, own, calls }: ParameterTask,
): Promise<Place[]> {
  const { files, call } = scope;
  if (own.name === undefined) return [];
  const at = placeOf(one, own.name);
  const uses = await files.ask(active, call, async (server) => {
    await files.show(server, at.file, call);
    return await requestReferences(server, at, files.limits(call));
  });
  return uses.filter((use) => {
    if (fileInProject(scope, use.file) !== one.draft.path) return false;
    const span = spanOf(one.draft.lines, use.range);
    if (span === undefined || (own.start <= span.start && span.end <= own.end)) return false;
    const isIn = (part: Span) => part.start <= span.start && span.end <= part.end;
    const isDropped = (edits.dropped.get(one.draft.path) ?? []).some(isIn);
    return isIn(one.site.around) && !isDropped && !isKeyword(calls, one.draft, span);
  });
}

/** True for the keyword of an argument of a call that is planned. */
function isKeyword(calls: readonly Sited<CallSite>[], { path }: FileDraft, { start }: Span): boolean {
  return calls.some(
    ({ draft, site }) => draft.path === path && site.arguments.some(({ keyword }) => keyword?.start === start),
  );
}

/** Plans what the server changes to rename a parameter of a declaration, besides the keywords of calls. */
async function planRename(
  scope: SymbolScope,
  edits: SignatureEdits,
  { active, one, own, calls, change, rules }: ParameterTask,
): Promise<void> {
  const { files, call } = scope;
  const newName = renamedTo(change, own);
  if (own.name === undefined || newName === undefined) return;
  const at = placeOf(one, own.name);
  const rename = active.spec.quirks?.rename ?? requestRename;
  const steps = await files.ask(active, call, async (server) => {
    await files.show(server, at.file, call);
    return await rename(server, { ...at, newName }, files.limits(call));
  });
  for (const step of steps) {
    if (step.do !== 'edit' || fileInProject(scope, step.file) !== one.draft.path) continue;
    for (const { range, newText } of step.edits) {
      const span = spanOf(one.draft.lines, range);
      if (span === undefined || isKeyword(calls, one.draft, span)) continue;
      const isInside = one.site.around.start <= span.start && span.end <= one.site.around.end;
      if (isInside || (rules.hasKeywords !== true && rules.hasParameterTags !== true))
        edits.add(one.draft, span, { at: one.site.list.start, make: () => newText });
    }
  }
}
