import { expect, test } from 'bun:test';
import { startClient } from '../support/client.ts';
import { copyFixture } from '../support/workspace.ts';

test('a client that reports roots starts with the first one', async () => {
  const [first, second] = [copyFixture('tools', { as: 'one' }), copyFixture('python', { as: 'two' })];
  await using client = await startClient({ roots: [first.root, second.root] });
  expect(await client.ask('find_file', { file_mask: 'models.py', relative_path: '.' })).toContain('pkg/models.py');
});

test('a project given at start takes precedence over roots', async () => {
  const [given, root] = [copyFixture('tools', { as: 'one' }), copyFixture('python', { as: 'two' })];
  await using client = await startClient({ args: ['--project', given.root], roots: [root.root] });
  expect(await client.ask('find_file', { file_mask: 'models.py', relative_path: '.' })).toContain('pkg/models.py');
});
