import { join } from 'node:path';
import type { BenchSymbol, Judged, Position, ReferencesOracle } from '../model.ts';
import { packageKey, symbenchCache } from '../packages.ts';
import { type CheckedProgram, checkProgram, type Occurrence, type PlacedDeclaration } from './typescript-program.ts';
import { RenameExperiment } from './typescript-rename.ts';

const isTest = /(^|\/)(__tests__|tests?|spec)\/|[.-](test|spec)\.tsx?$/;

/** References in TypeScript, from the type checker and from renaming until the compiler has no error left. */
export const typescriptReferences: ReferencesOracle = {
  description:
    'TypeScript: the identifiers that the type checker resolves to the declaration, compared with the positions that ' +
    'have to be renamed until `tsc` reports nothing new. Of members whose name other types have too, only the direct ' +
    'uses are demanded; uses under another name (`import { a as b }`) and further overloads are allowed.',

  async list(_pack, directory) {
    const program = await checkProgram(directory);
    const index = indexOf(program);
    return symbolsOf(program)
      .filter(({ at }) => !isTest.test(at.file))
      .map((symbol) => ({ symbol, uses: usesOf(symbol, index).must.length }));
  },

  async judge(pack, directory, symbols) {
    const program = await checkProgram(directory);
    const index = indexOf(program);
    const experiment = new RenameExperiment(directory, join(symbenchCache, 'work', packageKey(pack)));
    await experiment.prepare();
    const judged: Judged[] = [];
    for (const { symbol } of symbols) judged.push(await judge(symbol, index, experiment));
    return judged;
  },
};

interface Index {
  readonly byKey: ReadonlyMap<string, Occurrence>;
  readonly byName: ReadonlyMap<string, readonly Occurrence[]>;
  readonly byDeclaration: ReadonlyMap<string, readonly Occurrence[]>;
  readonly declared: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, CheckedProgram['links']>;
}

function key({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

function indexOf({ occurrences, declarations, links }: CheckedProgram): Index {
  const byDeclaration = new Map<string, Occurrence[]>();
  for (const occurrence of occurrences) {
    for (const declaration of new Set(occurrence.declarations)) {
      const list = byDeclaration.get(declaration) ?? [];
      byDeclaration.set(declaration, list);
      list.push(occurrence);
    }
  }
  return {
    byKey: new Map(occurrences.map((occurrence) => [key(occurrence.at), occurrence])),
    byName: Map.groupBy(occurrences, ({ name }) => name),
    byDeclaration,
    declared: new Set(declarations.map(({ at }) => key(at))),
    links: Map.groupBy(links, ({ name }) => name),
  };
}

/** Returns one symbol per name path of a file; of overloads, the first. */
function symbolsOf({ declarations }: CheckedProgram): BenchSymbol[] {
  const seen = new Set<string>();
  const isFirst = ({ at, namePath }: PlacedDeclaration) => {
    const known = seen.has(`${at.file} ${namePath}`);
    seen.add(`${at.file} ${namePath}`);
    return !known;
  };
  return declarations
    .filter(isFirst)
    .map(({ name, namePath, kind, isExported, at }) => ({ name, namePath, kind, isExported, at }));
}

function usesOf(symbol: BenchSymbol, index: Index): { must: Position[]; may: Position[]; isLinked: boolean } {
  const own = index.byKey.get(key(symbol.at));
  const all = [...new Set((own?.declarations ?? []).flatMap((node) => index.byDeclaration.get(node) ?? []))];
  const isUse = ({ name, at }: Occurrence) => name === symbol.name && !index.declared.has(key(at));
  const must = all.filter(isUse).map(({ at }) => at);
  const allowed = new Set(all);
  const links = (index.links.get(symbol.name) ?? []).map(({ at }) => at);
  const linked = own?.isMember
    ? (index.byName.get(symbol.name) ?? []).filter(
        (other) => !allowed.has(other) && (other.isMember || other.declarations.length === 0),
      )
    : [];
  // Uses of the members that `{ name }` declares are uses of the symbol through an alias.
  const throughMembers = all.flatMap(({ declares }) => declares.flatMap((node) => index.byDeclaration.get(node) ?? []));
  return {
    must,
    may: [...[...all, ...linked, ...throughMembers].map(({ at }) => at), ...links],
    isLinked: linked.length > 0,
  };
}

async function judge(symbol: BenchSymbol, index: Index, experiment: RenameExperiment): Promise<Judged> {
  const { must, may, isLinked } = usesOf(symbol, index);
  if (isLinked) return { symbol, must, may, doubt: 'other types have a member of this name' };
  const isMember = index.byKey.get(key(symbol.at))?.isMember ?? false;
  const write = (at: Position, fresh: string) => {
    const occurrence = index.byKey.get(key(at));
    if (isMember) return occurrence?.isBinding ? `${fresh}: ${symbol.name}` : fresh;
    return occurrence?.isShorthand ? `${symbol.name}: ${fresh}` : fresh;
  };
  const overloads = may.filter((at) => index.declared.has(key(at)) && at.file === symbol.at.file);
  const { renamed, problem } = await experiment.rename(symbol.name, [symbol.at, ...overloads], write);
  const everything = [...may, ...renamed];
  if (problem !== undefined) return { symbol, must, may: everything, doubt: problem };
  // Uses that compile under the old name mean something else there: the checker is right about the unchanged package.
  const isRenamed = new Set(renamed.map(key));
  if (must.every((at) => isRenamed.has(key(at)))) return { symbol, must, may: everything };
  return { symbol, must, may: everything, doubt: 'the type checker and the renaming disagree' };
}
