import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLinks } from '../symbols/edits/behavior.ts';
import { wholeWord } from '../symbols/edits/completed-rename.ts';
import type { Link } from '../symbols/edits/links.ts';
import type { Deletion } from '../symbols/edits/model.ts';
import type { BenchLanguage, BenchPackage, BenchSymbol, Judged, Position } from '../symbols/model.ts';
import type { AffectedTask, RenameTask, Task } from './model.ts';

/** What a compiler says about a package. */
export interface Facts {
  list(): Promise<readonly BenchSymbol[]>;
  links(about: BenchSymbol): Promise<readonly Link[]>;
  judge(symbols: readonly BenchSymbol[]): Promise<readonly Judged[]>;
  /** @throws {Error} if the oracle cannot judge it */
  deletion(symbol: BenchSymbol): Promise<Deletion>;
}

/** Asks the oracles of a language about the package in `directory` (absolute). */
export function factsOf({ references, edits }: BenchLanguage, pack: BenchPackage, directory: string): Facts {
  const listed = (symbol: BenchSymbol) => ({ symbol, uses: 0 });
  return {
    list: async () => [
      ...(await references.list(pack, directory)).map(({ symbol }) => symbol),
      ...((await edits.members?.(pack, directory)) ?? []),
    ],
    links: (about) => edits.links(pack, directory, about),
    judge: (symbols) => references.judge(pack, directory, symbols.map(listed)),
    async deletion(symbol) {
      const links = await edits.links(pack, directory, symbol);
      const [found] = withLinks(await edits.deletions(pack, directory, [symbol]), links);
      if (found === undefined) throw new Error(`${pack.name}: the deletion of ${symbol.namePath} cannot be judged`);
      return found;
    },
  };
}

/** Places of the old name that a task must change, and those that it may change. */
export interface Truth {
  readonly must: readonly Position[];
  readonly may: readonly Position[];
}

/**
 * Returns the truth about a task. It must change the declaration and those that must have its name, what the compiler
 * resolves to one of them, and the task's unresolved uses; it may change what oracles disagree about.
 *
 * @throws {Error} if the package has no such declaration, if a library decides the name, or if a line does not have it
 */
export async function truthOf(task: RenameTask, facts: Facts, directory: string): Promise<Truth> {
  const all = await facts.list();
  const symbol = symbolOf(task, all);
  const links = await facts.links(symbol);
  const family = familyOf(symbol.at, links);
  const leadsToFamily = ({ to }: Link) =>
    to.some((target) => typeof target === 'object' && family.has(placeKey(target)));
  const uses = links.filter((link) => link.kind === 'use' && leadsToFamily(link)).map(({ at }) => at);
  const judged = await facts.judge(all.filter(({ at }) => family.has(placeKey(at))));
  const unresolved = (task.unresolved ?? []).flatMap((line) => namesIn(directory, line, oldName(task)));
  const atNames = (places: readonly Position[]) => places.flatMap((place) => namesAt(directory, place, oldName(task)));
  const must = [...family.values(), ...uses, ...atNames(judged.flatMap((one) => one.must)), ...unresolved];
  return { must: distinct(must), may: distinct(atNames(judged.flatMap(({ may }) => may))) };
}

/** Returns the declaration that a task is about. @throws {Error} if the package has none */
export function symbolOf(
  { name, symbol }: Exclude<Task, { kind: 'move file' }>,
  all: readonly BenchSymbol[],
): BenchSymbol {
  const [file, namePath] = symbol.split('#');
  const found = all.find((one) => one.at.file === file && one.namePath === namePath);
  if (found === undefined) throw new Error(`task \`${name}\`: the package has no \`${symbol}\``);
  return found;
}

/**
 * Returns the lines that a change of a declaration affects. They must be its uses, what overrides or implements it, and the
 * task's unresolved uses; they may be uses of declarations that have its name because of it, and these.
 */
export async function affectedOf(task: AffectedTask, facts: Facts, directory: string): Promise<Truth> {
  const all = await facts.list();
  const symbol = symbolOf(task, all);
  const { must, may } = await truthOf({ ...task, kind: 'rename', newName: '' }, facts, directory);
  const [own] = await facts.judge([symbol]);
  const links = await facts.links(symbol);
  const below = [...familyOf(symbol.at, links).values()].filter((place) => placeKey(place) !== placeKey(symbol.at));
  const overriding = task.isOverridden ? below : [];
  const atNames = (places: readonly Position[]) => places.flatMap((place) => namesAt(directory, place, oldName(task)));
  const unresolved = (task.unresolved ?? []).flatMap((line) => namesIn(directory, line, oldName(task)));
  return {
    must: distinct([...atNames(own?.must ?? []), ...overriding, ...unresolved]),
    may: distinct([...must, ...may, ...atNames(own?.may ?? [])]),
  };
}

function distinct(places: readonly Position[]): Position[] {
  return [...new Map(places.map((place) => [placeKey(place), place])).values()];
}

/** Returns the declarations that override one another with the one at `start`, by place. */
function familyOf(start: Position, links: readonly Link[]): Map<string, Position> {
  const overrides = links.filter(({ kind }) => kind === 'override');
  const family = new Map([[placeKey(start), start]]);
  // Iteration visits what is added meanwhile.
  for (const [key, place] of family) {
    for (const { at, to } of overrides) {
      const targets = to.flatMap((target) => (typeof target === 'string' ? [] : target));
      const near = placeKey(at) === key ? targets : targets.some((one) => placeKey(one) === key) ? [at] : [];
      for (const one of near) family.set(placeKey(one), one);
      if (placeKey(at) === key && targets.length < to.length)
        throw new Error(`${placeKey(place)} overrides a member of a library`);
    }
  }
  return family;
}

/** Returns the name of the symbol that a task is about. */
export function oldName({ symbol }: { readonly symbol: string }): string {
  const name = symbol.split(/[#/]/).at(-1) ?? '';
  return name.replace(/\[\d+\]$/, '');
}

export function placeKey({ file, line, column }: Position): string {
  return `${file}:${line + 1}:${column + 1}`;
}

/** Some oracles know only the line of an import: returns a place, or the names in its line if it is at none. */
function namesAt(directory: string, place: Position, name: string): Position[] {
  const columns = columnsOf(lineOf(directory, place), name);
  const at = columns.filter((column) => column === place.column);
  return (at.length > 0 ? at : columns).map((column) => ({ ...place, column }));
}

function lineOf(directory: string, { file, line }: Pick<Position, 'file' | 'line'>): string {
  return readFileSync(join(directory, file), 'utf8').split('\n')[line] ?? '';
}

function namesIn(directory: string, address: string, name: string): Position[] {
  const [file = '', line = '', only] = address.split(':');
  const text = lineOf(directory, { file, line: Number(line) - 1 });
  const columns = columnsOf(text, name).filter((column) => only === undefined || column + 1 === Number(only));
  const found = columns.map((column) => ({ file, line: Number(line) - 1, column }));
  if (found.length === 0) throw new Error(`${address} does not contain \`${name}\``);
  return found;
}

/** Returns the columns at which a line has a name as a whole word. */
export function columnsOf(line: string, name: string): number[] {
  return [...line.matchAll(wholeWord(name))].map(({ index }) => index);
}
