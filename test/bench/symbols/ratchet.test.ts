// Compilers judge a few answers of this product about real packages: none may be silently incomplete, and no edit may
// destroy code. `npm run symbench` asks many more.
import { expect } from 'bun:test';
import { join } from 'node:path';
import { root } from '../../../scripts/support/paths.ts';
import { run } from '../../../scripts/support/run.ts';
import { programCommand } from '../../support/client.ts';
import { rounds } from '../../support/rounds.ts';
import { testUnless, whyNoGo, whyNoPython } from '../../support/skip.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';

const timeoutMs = 1_200_000;
/** Symbols, files and kinds of errors of each task; more of some in a whole run, where the benchmark decides. */
const counts = rounds(['--count', '1'], []);
const leastAnswers = rounds(18, 24);
/** The tasks of a language; all in a whole run. The tests of the package judge each edit, and each task lists its symbols. */
const tasks: Readonly<Record<string, readonly string[]>> = rounds(
  { python: ['references', 'overview', 'implementations', 'diagnostics', 'traps', 'rename', 'family delete'] },
  {},
);

const reasons = { go: whyNoGo(), typescript: undefined, python: whyNoPython() };

for (const [language, reason] of Object.entries(reasons)) {
  const only = (tasks[language] ?? []).flatMap((task) => ['--only', task]);
  testUnless(reason)(
    `no answer about a ${language} package is harmful`,
    async () => {
      const { exitCode, stdout, stderr } = await run(
        process.execPath,
        [join(root, 'bench/symbols.ts'), language, '--ratchet', ...counts, ...only],
        {
          env: { BENCH_CACHE: makeTempDir('symbench'), BENCH_BINARY: programCommand([])[0], BENCH_HOME: sharedHome() },
          timeoutMs,
        },
      );
      const [, count, harmful] = /^(\d+) answers, (\d+) of them harmful$/m.exec(stdout) ?? [];
      expect({ harmful, exitCode, output: harmful === '0' ? '' : stdout + stderr }).toEqual({
        harmful: '0',
        exitCode: 0,
        output: '',
      });
      expect(Number(count)).toBeGreaterThanOrEqual(leastAnswers);
    },
    timeoutMs,
  );
}
