// Edits by symbol with a server or a file that misbehaves, through the program and a real client.
import { describe, expect, test } from 'bun:test';
import { startClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

describe('edits by symbol are made exactly once', () => {
  test(
    'if the server dies when it receives the new text',
    async () => {
      const workspace = makeWorkspace({ 'a.py': 'def top():\n    pass\n', '.serena/project.yml': 'project_name: p\n' });
      const home = makeHome(stubServers({ python: ['exits-on-request', { method: 'textDocument/didChange' }] }));
      await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
      const args = { name_path: 'top', relative_path: 'a.py' };
      expect(await client.ask('insert_after_symbol', { ...args, body: 'x = 1' })).toBe('OK');
      expect(await client.ask('replace_symbol_body', { ...args, body: 'def top():\n    return 2' })).toBe('OK');
      expect(workspace.read('a.py')).toBe('def top():\n    return 2\n\nx = 1\n');
    },
    timeoutMs,
  );
});

describe('safe_delete_symbol', () => {
  test(
    'deletes nothing if a file that may reference the symbol cannot be read',
    async () => {
      const workspace = makeWorkspace({
        'a.py': 'def top():\n    pass\n',
        'b.py': '',
        '.serena/project.yml': 'project_name: p\n',
      });
      const home = makeHome(stubServers({ python: 'well-behaved' }));
      await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
      const target = { name_path: 'top', relative_path: 'a.py' };
      expect(await client.ask('find_referencing_symbols', target)).toBe('{}');
      workspace.write('b.py', Buffer.from('# \xe9\n', 'latin1'));
      const answer = await client.call('safe_delete_symbol', target);
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain('`top` was not deleted, because it may still be used');
      expect(answer.text).toContain('`b.py`');
      expect(workspace.read('a.py')).toBe('def top():\n    pass\n');
    },
    timeoutMs,
  );
});
