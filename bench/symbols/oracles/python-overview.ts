import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../../scripts/support/paths.ts';
import { mustRun } from '../../speed/fetch.ts';
import { FileTruth, type OverviewOracle } from '../model.ts';

/** Definitions of Python files, from `ast`. */
export const pythonOverview: OverviewOracle = {
  description:
    'Python: functions and classes at module level and in classes, also in `if` and `try`, and variables that a ' +
    'statement at module level assigns, from `ast`.',

  async files(_pack, directory) {
    const script = join(root, 'bench/symbols/oracles/python-overview.py');
    return z.array(FileTruth).parse(JSON.parse(await mustRun('python3', [script, directory], directory)));
  },
};
