import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { root } from '../../../scripts/support/paths.ts';
import { CompilerError, type DiagnosticsOracle } from '../model.ts';
import { pythonSeeds } from '../seeds/python.ts';

/** Errors in changed Python files: those of Python's compiler, and those that `ast` proves. */
export const pythonDiagnostics: DiagnosticsOracle = {
  description:
    'Python, diagnostics: the syntax errors of `compile`, names that nothing binds, imports of what is not there, and ' +
    'wrong arguments of functions that are defined once, which `ast` proves. Types, attributes and missing returns ' +
    'cannot be judged.',
  seeds: pythonSeeds,

  async errors(pack, directory, changes) {
    const script = join(root, 'bench/symbols/oracles/python-diagnostics.py');
    const child = spawn('python3', [script, directory, ...pack.configurations], { cwd: directory });
    child.stdin.end(JSON.stringify(changes));
    const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
    if (output === '') throw new Error(`the oracle of Python failed: ${problem}`);
    return z.array(z.array(CompilerError)).parse(JSON.parse(output));
  },
};
