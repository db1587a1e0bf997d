import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../../scripts/support/paths.ts';
import { mustRun } from '../../speed/fetch.ts';
import { type BenchPackage, BenchSymbol, type Judged, Position, type ReferencesOracle } from '../model.ts';

const PythonSymbol = BenchSymbol.extend({ must: z.array(Position), may: z.array(Position) });
type PythonSymbol = z.infer<typeof PythonSymbol>;

const isTest = /(^|\/)(tests?|docs|bench|misc|examples)\/|(^|\/)(conftest|setup)\.py$/;

/** A lower bound of the references in Python, from `ast` and scope analysis. */
export const pythonReferences: ReferencesOracle = {
  description:
    'Python: a lower bound. What `ast` and scope analysis prove is demanded: names and attributes that lead to one ' +
    'function or class at module level, through imports and re-exports. Every other line with the name is allowed, ' +
    'unless the name there is a local variable.',

  async list(pack, directory) {
    const symbols = await runOracle(pack, directory);
    return symbols
      .filter(({ at }) => !isTest.test(at.file))
      .map((symbol) => ({ symbol: toBenchSymbol(symbol), uses: symbol.must.length }));
  },

  async judge(pack, directory, symbols) {
    const all = await runOracle(pack, directory);
    const byPlace = new Map(all.map((symbol) => [`${symbol.at.file}:${symbol.at.line}`, symbol]));
    return symbols.flatMap(({ symbol: { at } }): Judged[] => {
      const found = byPlace.get(`${at.file}:${at.line}`);
      if (found === undefined) return [];
      return [{ symbol: toBenchSymbol(found), must: found.must, may: found.may, doubt: 'a lower bound' }];
    });
  },
};

function toBenchSymbol({ name, namePath, kind, isExported, at }: PythonSymbol): BenchSymbol {
  return { name, namePath, kind, isExported, at };
}

/** The configurations of a Python package are its source roots. */
async function runOracle(pack: BenchPackage, directory: string): Promise<PythonSymbol[]> {
  const script = join(root, 'bench/symbols/oracles/python-references.py');
  const output = await mustRun('python3', [script, directory, ...pack.configurations], directory);
  return z.array(PythonSymbol).parse(JSON.parse(output));
}
