import type { BenchPackage, Judged, ListedSymbol, Position, ReferencesOracle } from '../model.ts';
import { copyOfRust } from './rust-copy.ts';
import { type RustPlace, RustPositions } from './rust-positions.ts';
import { RustRenaming } from './rust-renaming.ts';
import { type RustDeclaration, type RustFile, rustSyntax } from './rust-syntax.ts';

/** Test code is compiled, but no question is about it. */
const isTest = /^(?:tests|benches|examples)\/|^build\.rs$|\/tests?\.rs$/;
const withSelf = new Set(['struct', 'enum', 'union']);

/** References in Rust, from rustc's lint for deprecated declarations and from renaming until the package compiles. */
export const rustReferences: ReferencesOracle = {
  description:
    'Rust: the places that rustc reports when the declaration alone is marked as deprecated, and those that also have to ' +
    'be renamed until everything compiles, in all listed configurations and with tests. ' +
    'Implementations of a renamed item of a trait, `Self`, and uses under another name are allowed. Code for other ' +
    'platforms, documentation and modules in files of their own are not judged.',

  async list(_pack, directory) {
    const files = await rustSyntax(directory);
    const positions = new RustPositions(files);
    return files
      .flatMap(({ declarations, text }) => declarations.filter((one) => !isTestFunction(one, text)))
      .filter(({ file, isAskable, namePath }) => isAskable && !isTest.test(file) && !/(^|\/)tests?\//.test(namePath))
      .map((found) => ({
        symbol: toSymbol(found, positions),
        uses: positions.wordsOf(found.name).length - 1,
      }));
  },

  async judge(pack, directory, symbols) {
    const files = await rustSyntax(directory);
    const copy = copyOfRust(pack, directory);
    const judged: Judged[] = [];
    for (const listed of symbols) judged.push(await judge({ pack, copy, files }, listed));
    return judged;
  },
};

/** A test in a file of the sources: without it, there is one test less. */
function isTestFunction({ start, at }: RustDeclaration, text: Buffer): boolean {
  return /#\[(?:\w+::)*test\b/.test(text.toString('utf8', start, at));
}

function toSymbol({ name, namePath, kind, isExported, file, at }: RustDeclaration, positions: RustPositions) {
  return { name, namePath, kind, isExported, at: positions.toPosition({ file, at }) };
}

interface Bench {
  readonly pack: BenchPackage;
  /** Absolute path of a copy that is changed. */
  readonly copy: string;
  readonly files: readonly RustFile[];
}

async function judge({ pack, copy, files }: Bench, { symbol }: ListedSymbol): Promise<Judged> {
  const positions = new RustPositions(files);
  const declarations = files.flatMap((file) => file.declarations);
  const own = declarations.find((one) => samePosition(positions.toPosition(one), symbol.at));
  if (own === undefined) throw new Error(`no declaration of ${symbol.namePath}`);
  const renaming = new RustRenaming({ pack, directory: copy, files, positions });
  const { uses, aliases, problem: failedLint } = await renaming.deprecatedUses(own);
  const { renamed, problem: failedRenaming, siblings } = await renaming.untilItCompiles(own, uses);
  const keys = new Set(declarations.map(keyOf));
  const isUse = (place: RustPlace) => !keys.has(keyOf(place));
  const needed = failedRenaming === undefined ? [...uses, ...renamed] : uses;
  const must = unique(needed.filter((place) => isUse(place)));
  const problem = failedRenaming ?? failedLint;
  const inDoubt =
    problem === undefined ? notCompiled(pack, files, positions.wordsOf(symbol.name)) : positions.wordsOf(symbol.name);
  const selfTypes = withSelf.has(symbol.kind) ? selfTypesOf(files, symbol.name) : [];
  const may = unique([...must, ...renamed, ...siblings, ...aliases, ...inDoubt, ...selfTypes]);
  const known = new Set(uses.map(keyOf));
  const others = must.filter((place) => !known.has(keyOf(place)) && !isOutOfLint(files, own, place)).map(keyOf);
  const doubt = problem ?? (others.length === 0 ? undefined : `only by renaming: ${others.join(' ')}`);
  const toPositions = (places: readonly RustPlace[]): Position[] => places.map((place) => positions.toPosition(place));
  return { symbol, must: toPositions(must), may: toPositions(may), ...(doubt === undefined ? {} : { doubt }) };
}

/** True for what the lint does not report: uses inside the declaration, and names in front of `::`. */
function isOutOfLint(files: readonly RustFile[], own: RustDeclaration, { file, at }: RustPlace): boolean {
  if (file === own.file && own.start <= at && at < own.end) return true;
  const text = files.find((one) => one.file === file)?.text;
  return text?.toString('utf8', at + Buffer.byteLength(own.name), at + Buffer.byteLength(own.name) + 2) === '::';
}

/** Returns the places in code that no configuration compiles. */
function notCompiled(pack: BenchPackage, files: readonly RustFile[], places: readonly RustPlace[]): RustPlace[] {
  const given = pack.configurations.join(' ');
  const left = ['benches', 'examples', 'tests'].filter((kind) => !given.includes(`--${kind}`));
  const isLeft = (file: string) => !given.includes('--all-targets') && left.some((kind) => file.startsWith(`${kind}/`));
  return places.filter(
    ({ file, at }) =>
      isLeft(file) ||
      files.some((one) => one.file === file && one.conditional.some(([start, end]) => start <= at && at < end)),
  );
}

function selfTypesOf(files: readonly RustFile[], name: string): RustPlace[] {
  return files.flatMap(({ file, selfTypes }) =>
    selfTypes.filter(({ of }) => of === name).map(({ at }) => ({ file, at })),
  );
}

function samePosition(a: Position, b: Position): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}

function keyOf({ file, at }: RustPlace): string {
  return `${file}:${at}`;
}

function unique(places: readonly RustPlace[]): RustPlace[] {
  return [...new Map(places.map((place) => [keyOf(place), place])).values()];
}
