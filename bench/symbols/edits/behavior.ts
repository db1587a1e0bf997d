import type { BenchSymbol } from '../model.ts';
import { changedLinks, deletionMappings, type Link, renameMapping } from './links.ts';
import type { Deletion, EditOracle } from './model.ts';
import type { EditBench } from './rename-task.ts';

/** How many differences a verdict names. */
const maxNamed = 3;

/** Returns what names of a renamed package lead to other declarations than before; empty if there are none. */
export async function movedByRename(bench: EditBench, symbol: BenchSymbol, renamed: BenchSymbol): Promise<string> {
  const { pack, oracle, scratch } = bench;
  const names = { name: symbol.name, newName: renamed.name, repetition: oracle.repetition };
  const moved = changedLinks({
    before: await bench.links(symbol),
    after: await oracle.links(pack, scratch.directory, renamed),
    mapBefore: renameMapping({ ...names, texts: scratch.original }),
    mapAfter: renameMapping({ ...names, texts: scratch.read() }),
    mapName: (name) => name.replaceAll(renamed.name, symbol.name),
  });
  return moved.slice(0, maxNamed).join('; ');
}

/** Returns the same after the deletion of a symbol. */
export async function movedByDeletion(bench: EditBench, truth: Deletion): Promise<string> {
  const { pack, oracle, scratch } = bench;
  const { file } = truth.symbol.at;
  // What used the symbol is known before it is deleted.
  if (oracle.linksOneSymbol) return '';
  const { firstLine, lastLine } = truth;
  const after = scratch.read().get(file) ?? '';
  const mappings = deletionMappings({ file, before: scratch.original.get(file) ?? '', after, firstLine, lastLine });
  const moved = changedLinks({
    before: await bench.links(truth.symbol),
    after: await oracle.links(pack, scratch.directory, truth.symbol),
    ...mappings,
    mapName: (name) => name,
  });
  return moved.slice(0, maxNamed).join('; ');
}

/** Returns how the exercise of a changed package ends otherwise than before; empty if it does not, or if there is none. */
export async function otherOutcome(bench: EditBench, mapName: (text: string) => string): Promise<string> {
  const { exercise } = bench.pack;
  if (exercise === undefined) return '';
  const before = await bench.outcome();
  const differences = async () => {
    const after = (await exercise.run(bench.pack, bench.scratch.directory)).map(mapName);
    return difference(before, after);
  };
  // Tests that depend on time may fail once.
  return (await differences()) === '' ? '' : differences();
}

function difference(before: readonly string[], after: readonly string[]): string {
  const lost = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));
  const parts = [...lost.map((line) => `no longer \`${line}\``), ...added.map((line) => `now \`${line}\``)];
  if (parts.length === 0 && before.length !== after.length) return `${before.length} lines became ${after.length}`;
  return parts.slice(0, maxNamed).join('; ');
}

/** Kinds of members that only describe others: without them, calls run what they ran before. */
const describing = new Set(['interface method', 'interface property']);

/**
 * Returns the truth about deletions, where a symbol is used also if a name elsewhere leads to it alone, or if it overrides
 * another: calls of that may lead to it.
 */
export function withLinks(deletions: readonly Deletion[], links: readonly Link[]): Deletion[] {
  return deletions.map((truth) => {
    const { symbol, doubt: _, ...rest } = truth;
    if (truth.problem !== '') return truth;
    const use = useOf(truth, links);
    if (use !== undefined) return { symbol, ...rest, problem: `used at ${use.file}:${use.line + 1}` };
    if (describing.has(symbol.kind)) return truth;
    const [overridden] = overriddenBy(symbol, links);
    if (overridden === undefined) return truth;
    const name = typeof overridden === 'string' ? overridden : `${overridden.file}:${overridden.line + 1}`;
    return { symbol, ...rest, problem: `calls of ${name}, which it overrides, may lead to it` };
  });
}

function useOf({ symbol, firstLine, lastLine }: Deletion, links: readonly Link[]): BenchSymbol['at'] | undefined {
  const { file, line, column } = symbol.at;
  const leadsToIt = ([target, ...others]: Link['to']) =>
    others.length === 0 &&
    typeof target === 'object' &&
    target.file === file &&
    target.line === line &&
    target.column === column;
  const isOutside = ({ at }: Link) => at.file !== file || at.line < firstLine || at.line > lastLine;
  return links.find((link) => link.kind === 'use' && leadsToIt(link.to) && isOutside(link))?.at;
}

function overriddenBy({ name, at }: BenchSymbol, links: readonly Link[]): Link['to'] {
  return links
    .filter((link) => link.kind === 'override' && link.name === name)
    .filter((link) => link.at.file === at.file && link.at.line === at.line)
    .flatMap(({ to }) => to);
}

/** Returns the role of a symbol in a family of members that override one another, if it has one. */
export function familyRoles(links: readonly Link[]): (symbol: BenchSymbol) => string | undefined {
  const keyOf = ({ file, line }: BenchSymbol['at'], name: string) => `${file}:${line} ${name}`;
  const overrides = links.filter(({ kind, to }) => kind === 'override' && to.length > 0);
  const below = new Set(overrides.map(({ at, name }) => keyOf(at, name)));
  const above = new Set(
    overrides.flatMap(({ to, name }) =>
      to.flatMap((target) => (typeof target === 'string' ? [] : keyOf(target, name))),
    ),
  );
  return ({ at, name }) => {
    // Every class overrides some of these.
    if (/^__\w+__$/.test(name)) return undefined;
    const key = keyOf(at, name);
    if (above.has(key)) return below.has(key) ? 'overrides and is overridden' : 'is overridden';
    return below.has(key) ? 'overrides' : undefined;
  };
}

/** Returns the links of a package, asking once where the oracle knows those of all symbols. */
export function rememberedLinks(
  oracle: EditOracle,
  read: (about: BenchSymbol) => Promise<Link[]>,
): (about: BenchSymbol) => Promise<readonly Link[]> {
  let all: Promise<Link[]> | undefined;
  return (about) => {
    if (oracle.linksOneSymbol) return read(about);
    all ??= read(about);
    return all;
  };
}
