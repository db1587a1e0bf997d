import { z } from 'zod';
import { BenchSymbol, type Judged, Position, type ReferencesOracle } from '../model.ts';
import { askJavac } from './java-program.ts';

/** What `java/Main.java` prints about one declaration. */
const JavaSymbol = BenchSymbol.extend({
  isMember: z.boolean(),
  uses: z.array(Position),
  implicit: z.array(Position),
  documented: z.array(Position),
  related: z.array(Position),
  overridesForeign: z.boolean(),
  renamed: z.array(Position).optional(),
  problem: z.string().optional(),
});
type JavaSymbol = z.infer<typeof JavaSymbol>;

const isTest = /(^|\/)src\/test\//;

/** References in Java, from `javac` and from renaming until the compiler has no error left. */
export const javaReferences: ReferencesOracle = {
  description:
    'Java: the identifiers that `javac` resolves to the declaration, with tests, compared with the positions that have to ' +
    'be renamed until everything compiles again. Of a constructor, the expressions and calls that somebody wrote. Of ' +
    'methods that override one another, only the direct uses are demanded, and the others are allowed. References in ' +
    'documentation are allowed.',

  async list(pack, directory) {
    const symbols = z.array(JavaSymbol).parse(await askJavac(pack, directory, { task: 'list' }));
    return symbols
      .filter(({ at, isMember }) => isMember && !isTest.test(at.file))
      .map((symbol) => ({ symbol: BenchSymbol.parse(symbol), uses: symbol.uses.length }));
  },

  async judge(pack, directory, symbols) {
    if (symbols.length === 0) return [];
    const at = symbols.map(({ symbol }) => symbol.at);
    const judged = z.array(JavaSymbol).parse(await askJavac(pack, directory, { task: 'judge', at }));
    return judged.map(judge);
  },
};

function judge(found: JavaSymbol): Judged {
  const { uses: must, implicit, documented, related, renamed = [], problem, overridesForeign } = found;
  const truth = { symbol: BenchSymbol.parse(found), must, may: [...must, ...implicit, ...documented] };
  if (related.length > 0 || overridesForeign) {
    return { ...truth, may: [...truth.may, ...related], doubt: 'methods that override one another' };
  }
  if (found.kind === 'constructor') return truth;
  const may = [...truth.may, ...renamed];
  if (problem !== undefined) return { ...truth, may, doubt: problem };
  // Uses that compile under the old name mean something else there, such as another overload.
  const isRenamed = new Set(renamed.map(keyOf));
  const agrees = must.every((place) => isRenamed.has(keyOf(place)));
  if (agrees && must.length === renamed.length) return truth;
  return { ...truth, may, doubt: 'the resolution and the renaming disagree' };
}

function keyOf({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}
