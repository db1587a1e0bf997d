import { run } from '../../../scripts/support/run.ts';
import { type Contender, cannotAnswer } from '../model.ts';
import { costOf } from '../running/answer-cost.ts';

/** A search for the symbol's name as a word, in the files of the language. */
export const ripgrep: Contender = {
  name: 'ripgrep',

  adapter: import.meta.path,
  async version() {
    const { exitCode, stdout } = await run('rg', ['--version']);
    return exitCode === 0 ? (/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'unknown') : 'missing';
  },

  async start(pack, directory) {
    const isMissing = (await this.version()) === 'missing';
    const globs = pack.extensions.flatMap((extension) => ['--glob', `*${extension}`]);
    return {
      directory,
      async references({ name }) {
        if (isMissing) return cannotAnswer;
        const args = ['--line-number', '--no-heading', '--word-regexp', '--fixed-strings', ...globs, '--', name, '.'];
        const { stdout, exitCode, stderr, tookMs } = await run('rg', args, { cwd: directory });
        const cost = costOf({
          request: `rg ${args.join(' ')}`,
          answer: exitCode > 1 ? stderr : stdout,
          ms: tookMs,
          directory,
        });
        if (exitCode > 1) return { ...cannotAnswer, outcome: 'refused', label: stderr.trim(), ...cost };
        const positions = [...stdout.matchAll(/^\.[\\/]([^:]+):(\d+):/gm)].map(([, file = '', line]) => ({
          file: file.replaceAll('\\', '/'),
          line: Number(line) - 1,
          column: 0,
        }));
        return { outcome: 'answered', positions, namePaths: [], ...cost };
      },
      overview: async () => cannotAnswer,
      stop: async () => undefined,
    };
  },
};
