// pyright resolves uses to a stub, and renames the definition and the uses, but not the declaration in the stub.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { startClient } from '../../support/client.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'sample/__init__.py': '',
  'sample/errors.py': 'class Frozen(Exception):\n    pass\n\n\nclass Thawed(Exception):\n    pass\n',
  'sample/errors.pyi': 'class Frozen(Exception): ...\nclass Thawed(Exception): ...\n',
  'use.py': 'from sample.errors import Frozen\n\nraise Frozen\n',
};

for (const file of ['sample/errors.py', 'sample/errors.pyi']) {
  test(
    `a class of ${file} is renamed in the module, in its stub and where it is used`,
    async () => {
      await using workspace = makeWorkspace(files);
      await using client = await startClient({ args: ['--project', workspace.root] });
      const texts = () => Object.keys(files).map((path) => readFileSync(workspace.path(path), 'utf8'));
      await client.ask('rename_symbol', { name_path: 'Frozen', relative_path: file, new_name: 'Solid' });
      expect(texts()).toEqual(Object.values(files).map((text) => text.replaceAll('Frozen', 'Solid')));
      await client.ask('rename_symbol', { name_path: 'Solid', relative_path: file, new_name: 'Frozen' });
      expect(texts()).toEqual(Object.values(files));
    },
    timeoutMs,
  );
}
