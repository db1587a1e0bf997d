import { z } from 'zod';
import { mustRun } from '../../speed/fetch.ts';
import { type BenchPackage, BenchSymbol, type Judged, Position, type ReferencesOracle } from '../model.ts';
import { goProgram } from './go-program.ts';
import { withCharacters } from './with-characters.ts';

const GoSymbol = BenchSymbol.extend({
  uses: z.array(Position),
  related: z.array(Position),
  renamed: z.array(Position).optional(),
  problem: z.string().optional(),
});
type GoSymbol = z.infer<typeof GoSymbol>;

/** References in Go, from `go/types` and from renaming until the type checker has no error left. */
export const goReferences: ReferencesOracle = {
  description:
    'Go: the identifiers that `go/types` resolves to the declaration, in all listed operating systems and with tests, ' +
    'compared with the positions that have to be renamed until everything type-checks again. Of methods with equal ' +
    'names, which interfaces may link, only the direct uses are demanded, and the others are allowed.',

  async list(pack, directory) {
    const symbols = await runGoOracle(pack, directory, []);
    // A method that an interface links to others cannot be renamed alone, but its direct uses are known.
    return symbols
      .filter(({ at }) => !at.file.endsWith('_test.go'))
      .map((symbol) => ({ symbol: withCharacters(directory, symbol), uses: symbol.uses.length }));
  },

  async judge(pack, directory, symbols) {
    const names = symbols.map(({ symbol: { at, name } }) => `${at.file}:${at.line}:${name}`);
    const judged = names.length === 0 ? [] : await runGoOracle(pack, directory, names);
    return judged.map((symbol) => judge(directory, symbol));
  },
};

function namePosition({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

/** Runs the program in `oracles/go`; without `names` it lists all symbols. */
export async function runGoOracle(
  pack: BenchPackage,
  directory: string,
  names: readonly string[],
): Promise<GoSymbol[]> {
  const output = await mustRun(
    await goProgram(),
    [directory, pack.configurations.join(' '), (pack.targets ?? ['./...']).join(' '), names.join(' ')],
    directory,
  );
  return z.array(GoSymbol).parse(JSON.parse(output));
}

function judge(directory: string, found: GoSymbol): Judged {
  const symbol = withCharacters(directory, found);
  const { uses, related, renamed = [], problem } = found;
  if (related.length > 0) {
    return {
      symbol,
      must: uses,
      may: [...uses, ...related],
      doubt: 'methods of equal name, which interfaces may link',
    };
  }
  if (problem !== undefined) return { symbol, must: uses, may: [...uses, ...renamed], doubt: problem };
  // Uses that compile under the old name mean something else there, such as the builtin `max`: the checker is right.
  const isRenamed = new Set(renamed.map(namePosition));
  const agrees = uses.every((at) => isRenamed.has(namePosition(at)));
  if (agrees && uses.length === renamed.length) return { symbol, must: uses, may: uses };
  const doubt = agrees
    ? 'the same name has to be declared in other configurations'
    : 'the type checker and the renaming disagree';
  return { symbol, must: uses, may: [...uses, ...renamed], doubt };
}
