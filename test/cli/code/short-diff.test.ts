// The diff of a dry run: a caller that reads all of the output gets the beginning of it, and the rest on request.
import { expect, test } from 'bun:test';
import { ownHome } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 240_000;

test(
  'a dry run prints the first hunk of some files and the number of the other lines, with `--diff` all of it',
  async () => {
    const apart = '\n'.repeat(20);
    const users = Array.from({ length: 40 }, (_, index) => {
      const text = `from shop import total\n\n\ndef use() -> int:${apart}    return total()\n`;
      return [`user${String(index + 10)}.py`, text] as const;
    });
    const project = makeWorkspace({
      '.serena/project.yml': 'languages: [python]\n',
      'shop.py': 'def total() -> int:\n    return 1\n',
      ...Object.fromEntries(users),
    });
    const dryRun = async (...options: readonly string[]) => {
      const args = ['rename', 'shop.py#total', 'sum_up', '--dry-run', ...options];
      const { code, stdout } = await runProgram(args, { cwd: project.root, env: ownHome(), timeoutMs });
      expect(code).toBe(0);
      return stdout.slice(stdout.indexOf('--- a/'));
    };
    const short = (await dryRun()).trimEnd().split('\n');
    const whole = (await dryRun('--diff')).trimEnd().split('\n');
    expect(whole.filter((line) => line.startsWith('@@ '))).toHaveLength(81);
    expect(short.join('\n').length).toBeLessThan(2_100);
    expect(short.at(-1)).toBe(`… ${whole.length - short.length + 1} more lines of the diff: add \`--diff\``);
    expect(short.filter((line) => line.startsWith('+++ ')).slice(0, 2)).toEqual(['+++ b/shop.py', '+++ b/user10.py']);
    expect(short.filter((line) => line.startsWith('+    return sum_up()'))).toEqual([]);
    expect(project.read('shop.py')).toStartWith('def total()');
  },
  timeoutMs,
);
