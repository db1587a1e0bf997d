import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../../scripts/support/paths.ts';
import { mustRun } from '../../speed/fetch.ts';
import { type ImplementationsOracle, Judged } from '../model.ts';

const isTest = /(^|\/)(tests?|docs|bench|misc|examples)\/|(^|\/)(conftest|setup)\.py$/;

/** Subclasses and overriding methods in Python, from `ast`. */
export const pythonImplementations: ImplementationsOracle = {
  description:
    'Python, implementations: the classes whose bases lead, by names that `ast` proves, to a class of the package, and ' +
    'the methods that override its methods.',

  async judge(pack, directory) {
    const script = join(root, 'bench/symbols/oracles/python-implementations.py');
    const output = await mustRun('python3', [script, directory, ...pack.configurations], directory);
    return z
      .array(Judged)
      .parse(JSON.parse(output))
      .filter(({ symbol }) => !isTest.test(symbol.at.file));
  },
};
