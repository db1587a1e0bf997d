import { run } from '../../../scripts/support/run.ts';
import { benchBinary, benchHome } from '../../speed/ours.ts';
import { hashOfFile } from '../../symbols/running/hash-of-file.ts';
import type { Agent, Work } from '../model.ts';
import { Recorder } from './recorder.ts';

/** Exit codes of the command line: see `serena help exit-codes`. */
const claims = new Map<number, Work['claim']>([
  [0, 'done'],
  [3, 'open'],
]);

/** This product's command line: one call for a task. */
export const commandLineAgent: Agent = {
  name: 'this product',
  note: '`serena rename`; again with the name path that the answer suggests, if several symbols match. Its exit code and first line say whether anything is left; nothing more is done then.',
  version: () => hashOfFile(benchBinary),

  async work({ symbol, newName }, _pack, directory) {
    const recorder = new Recorder();
    const [file, namePath] = symbol.split('#');
    const env = { SERENA_HOME: benchHome, SERENA_SERVICE: 'off' };
    const call = async (address: string) => {
      const args = ['rename', address, newName];
      const options = { cwd: directory, env };
      const { exitCode, stdout, stderr } = await run(benchBinary, [...args, '--project', directory], options);
      // Where the program and the project are is the benchmark's business.
      recorder.record(['serena', ...args].join(' '), stdout + stderr);
      return { exitCode, named: /such as `([^`]+)`/.exec(stderr)?.[1] };
    };
    const first = await call(`${file}#/${namePath}`);
    // Of overloads the answer names one that means them all.
    const { exitCode } = first.named === undefined ? first : await call(first.named);
    return recorder.work(claims.get(exitCode) ?? 'refused');
  },
};
