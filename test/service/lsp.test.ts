import { describe, expect, setDefaultTimeout } from 'bun:test';
import { eventually } from '../support/eventually.ts';
import { makeHome, sharedStore } from '../support/homes.ts';
import { LspClient, publishingOnly } from '../support/lsp-client.ts';
import { findMarked } from '../support/processes.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';

setDefaultTimeout(240_000);

const files = {
  'a.py': 'def one():\n    return 1\n',
  'b.py': 'from a import one\n\n\ndef two():\n    return one()\n',
};
const places = ['a.py:0:4', 'b.py:0:14', 'b.py:4:11'];
const lspTest = testUnless(whyNoService);

describe('`serena lsp` in the background service', () => {
  lspTest('shares the language server with other clients', async () => {
    const workspace = makeWorkspace(files);
    await using service = new TestService(makeHome(), sharedStore);
    await using first = await LspClient.start(workspace, { env: service.env });
    await using second = await LspClient.start(workspace, { env: service.env });
    // Servers are shared between equal environments.
    const env = Object.fromEntries(
      Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    );
    const other = await service.start({ args: ['--project', workspace.root], env: { ...env, ...service.env } });
    for (const client of [first, second]) {
      await client.open('b.py', 'python');
      expect(await client.references('a.py', /def (one)/)).toEqual(places);
    }
    const query = { name_path: 'one', relative_path: 'a.py' };
    expect(await other.ask('find_referencing_symbols', query)).toContain('b.py');
    const { clients, servers } = await service.status();
    expect(clients.map(({ pid }) => pid).sort()).toEqual([first.raw.pid, second.raw.pid, other.pid].sort());
    expect(servers.map(({ id }) => id)).toEqual(['python']);
    expect(findMarked(service.mark).filter(({ command }) => command.includes('pyright'))).toHaveLength(1);
  });

  lspTest('keeps unsaved texts from other sessions', async () => {
    const workspace = makeWorkspace(files);
    await using service = new TestService(makeHome(), sharedStore);
    await using writer = await LspClient.start(workspace, { env: service.env });
    await using reader = await LspClient.start(workspace, { env: service.env });
    await writer.open('b.py', 'python');
    await reader.open('b.py', 'python');
    await writer.change('b.py', `${files['b.py']}\n\nmissing_name\none()\n`);
    // At the same time, so that one server has to serve both views.
    for (let round = 0; round < 5; round++) {
      const [unsaved, saved, own, others] = await Promise.all([
        writer.problems('b.py'),
        reader.problems('b.py'),
        writer.places('textDocument/references', {
          ...writer.document('b.py'),
          position: { line: 8, character: 1 },
          context: { includeDeclaration: true },
        }),
        reader.references('b.py', /return (one)/),
      ]);
      expect(unsaved.join('\n')).toContain('"missing_name" is not defined');
      expect(saved).toEqual([]);
      expect(own).toEqual([...places, 'b.py:8:0']);
      expect(others).toEqual(places);
    }
    expect(writer.shown.join('\n')).toContain('unsaved changes');
    expect(reader.shown).toEqual([]);
  });

  lspTest('goes on in another service with the texts that it had', async () => {
    const workspace = makeWorkspace(files);
    await using service = new TestService(makeHome(), sharedStore);
    await using client = await LspClient.start(workspace, { env: service.env, capabilities: publishingOnly });
    await client.open('a.py', 'python');
    await client.change('a.py', 'def one():\n    return 1\n\nmissing_name\n');
    const name = { start: { line: 0, character: 4 }, end: { line: 0, character: 7 } };
    await client.changeBy('a.py', [{ range: name, text: 'other' }]);
    const isPublished = () => client.published.get('a.py')?.join('\n').includes('missing_name') === true;
    await eventually('the problems of the unsaved text', isPublished, 60_000);
    client.published.clear();
    await service.kill();
    const tree = await client.ask<{ name: string }[]>('textDocument/documentSymbol', client.document('a.py'));
    expect(tree.map(({ name }) => name)).toEqual(['other']);
    await eventually('the problems from the other service', isPublished, 60_000);
    await client.change('a.py', files['a.py']);
    expect(await client.references('a.py', /def (one)/)).toEqual(places);
  });
});
