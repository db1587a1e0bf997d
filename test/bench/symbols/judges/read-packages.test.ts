// Packages, seeds and tasks that a caller of the benchmark chooses, and what is said about those that cannot be used.
import { expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackage } from '../../../../bench/symbols/packages.ts';
import { readPackages } from '../../../../bench/symbols/read-packages.ts';
import { root } from '../../../../scripts/support/paths.ts';
import { run } from '../../../../scripts/support/run.ts';
import { rejection } from '../../../support/rejection.ts';
import { makeTempDir } from '../../../support/temp.ts';
import { makeWorkspace } from '../../../support/workspace.ts';

function writeList(content: unknown): string {
  const path = join(makeTempDir('packages'), 'packages.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('a directory becomes a package that is judged by the oracles of its language', async () => {
  await using workspace = makeWorkspace({ 'src/a.py': 'def f():\n    return 1\n', 'README.md': 'text' });
  const described = {
    language: 'python',
    name: 'mine',
    version: '1',
    directory: workspace.root,
    configurations: ['src'],
  };
  const [selected] = await readPackages(writeList([described]));
  expect(selected?.pack).toMatchObject({ language: 'python', configurations: ['src'] });
  expect(selected?.pack.name).toStartWith('given mine 1 ');
  const directory = selected === undefined ? '' : await ensurePackage(selected.pack);
  expect(directory).not.toStartWith(workspace.root);
  expect(existsSync(join(directory, 'src/a.py'))).toBeTrue();
});

const local = { language: 'go', name: 'x', version: '1' };

for (const [content, message] of [
  ['[', 'is not JSON'],
  [{}, 'is not a list of packages'],
  [[], 'is not a list of packages'],
  [[{ ...local, language: 'cobol' }], 'language'],
  [[{ language: 'go', name: 'x' }], 'version'],
  [[{ ...local, place: '.' }], 'place'],
  [[{ ...local, directory: 'missing' }], 'is not a directory'],
  [[{ ...local, directory: '.' }], 'has no file that ends with .go'],
] as const) {
  test(`a list is refused: ${JSON.stringify(content)}`, async () => {
    expect(await rejection(readPackages(writeList(content)))).toContain(message);
  });
}

for (const [args, message] of [
  [['--packages', 'missing.json'], 'error: missing.json does not exist'],
  [['--seed', 'x'], 'error: --seed needs a whole number from 0 on, not `x`'],
  [['--count', '0'], 'error: --count needs a whole number from 1 on, not `0`'],
  [['--only', 'renames'], 'error: there is no task `renames`; the tasks are references, '],
] as const) {
  test(`the program refuses ${args.join(' ')}`, async () => {
    const { exitCode, stderr } = await run(process.execPath, [join(root, 'bench/symbols.ts'), ...args]);
    expect(stderr).toStartWith(message);
    expect(exitCode).toBe(2);
  });
}
