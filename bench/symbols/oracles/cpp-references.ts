import { z } from 'zod';
import { type BenchSymbol, type Judged, Position, type ReferencesOracle } from '../model.ts';
import { analyzeCpp, type CppSymbol, judgeChanges } from './cpp-program.ts';

/** What the renaming of one symbol found besides the uses that libclang knows. */
const Renamed = z.object({
  /** Positions that have to be renamed, too. */
  more: z.array(Position),
  /** Why the renaming does not end; empty if everything compiles. */
  problem: z.string(),
});
type Renamed = z.infer<typeof Renamed>;

const isTest = /(^|\/)(xmltest\.cpp$|test_lib_json\/)/;

/** References in C++, from libclang and from renaming until the compiler has no error left. */
export const cppReferences: ReferencesOracle = {
  description:
    'C++: the names that libclang resolves to the declaration, in all translation units, merged, compared with the ' +
    'positions that have to be renamed until `g++` compiles everything. What only a template with certain arguments, ' +
    'the expansion of a macro or code that is not compiled could lead there is allowed, and demanded if `g++` demands ' +
    'it. Of virtual methods only the direct uses are demanded, and those of methods that override them are allowed.',

  async list(pack, directory) {
    const { symbols } = await analyzeCpp(pack, directory);
    return symbols
      .filter(({ at, name }) => !isTest.test(at.file) && name !== 'main')
      .map((symbol) => ({ symbol: toBenchSymbol(symbol), uses: symbol.uses.length }));
  },

  async judge(pack, directory, asked) {
    const { symbols } = await analyzeCpp(pack, directory);
    const byPlace = new Map(symbols.map((symbol) => [placeOf(symbol.at), symbol]));
    const found = asked.flatMap(({ symbol }) => byPlace.get(placeOf(symbol.at)) ?? []);
    const renamed = await renameAll(directory, found);
    return found.map((symbol, index) => judge(symbol, renamed[index]));
  },
};

function placeOf({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

/** Renames each symbol alone, except virtual methods. */
async function renameAll(directory: string, symbols: readonly CppSymbol[]): Promise<(Renamed | undefined)[]> {
  const alone = symbols.filter(({ isVirtual }) => !isVirtual);
  if (alone.length === 0) return symbols.map(() => undefined);
  const questions = alone.map(({ name, declarations, uses }) => ({ name, places: [...declarations, ...uses] }));
  const answers = z.array(Renamed).parse(await judgeChanges('rename', directory, questions));
  return symbols.map((symbol) => answers[alone.indexOf(symbol)]);
}

function toBenchSymbol({ name, namePath, kind, isExported, at }: CppSymbol): BenchSymbol {
  return { name, namePath, kind, isExported, at };
}

function judge(found: CppSymbol, renamed: Renamed | undefined): Judged {
  const symbol = toBenchSymbol(found);
  const { uses, declarations, unknown, open } = found;
  const may = [...uses, ...declarations, ...unknown, ...open];
  if (renamed === undefined) return { symbol, must: uses, may, doubt: 'a virtual method' };
  const { more, problem } = renamed;
  if (problem !== '') return { symbol, must: uses, may: [...may, ...more], doubt: problem };
  const must = [...uses, ...more];
  const doubt = unknown.length > more.length ? 'the name in templates or in code that is not compiled' : undefined;
  return { symbol, must, may: [...may, ...more], ...(doubt === undefined ? {} : { doubt }) };
}
