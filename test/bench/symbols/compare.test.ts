import { expect } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/support/paths.ts';
import { run } from '../../../scripts/support/run.ts';
import { programCommand } from '../../support/client.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';

const timeoutMs = 300_000;
const why = process.platform === 'win32' ? 'the other build is a shell script' : undefined;

testUnless(why)(
  'the comparison of builds finds no difference to the same build, and each answer of one that answers otherwise',
  async () => {
    const cache = makeTempDir('compare');
    const [program] = programCommand([]);
    const compare = (other: string) =>
      run(
        process.execPath,
        [
          ...[join(root, 'bench/symbols/compare.ts'), program, other, 'python', '--only', 'fixture-python'],
          ...['--count', '30', '--deep', '10', '--cache', cache],
        ],
        { env: { BENCH_CACHE: cache, BENCH_HOME: sharedHome() }, timeoutMs },
      );
    const script = (name: string, ...more: string[]) => {
      const path = join(cache, name);
      writeFileSync(path, `#!/bin/sh\nexec '${program}' "$@" ${more.join(' ')}\n`);
      chmodSync(path, 0o755);
      return path;
    };

    const same = await compare(script('same'));
    expect({ exitCode: same.exitCode, stdout: same.stdout }).toMatchObject({ exitCode: 0 });
    expect(same.stdout).toMatch(/^\| all \| all \| [5-9]\d \| 0 \| \d+ \|$/m);

    // The last of two equal options counts.
    const other = await compare(script('other', '--symbol-source', 'syntax'));
    expect(other.exitCode).toBe(1);
    expect(other.stdout).toContain(
      'different: fixture-python get_symbols_overview {"relative_path":"shop/discount.py"',
    );
    expect(other.stdout).toMatch(/^\+Source: syntax tree/m);
    expect(other.stdout).toMatch(/^\| python \| search_for_pattern \| \d+ \| 0 \|/m);
  },
  3 * timeoutMs,
);
