import { describe, expect, test } from 'bun:test';
import { Capabilities } from '../../../src/lsp/client/capabilities.ts';
import { serverRequestAnswers, UnknownServerRequest } from '../../../src/lsp/client/language-server.ts';

const directory = { uri: 'file:///project', name: 'project' };
const settings = { python: { analysis: { mode: 'open' } }, plain: 'text' };

function answers(isStopping = false): (method: string, params?: unknown) => unknown {
  const answer = serverRequestAnswers({
    capabilities: new Capabilities(),
    settings,
    workspaceFolders: [directory],
    applyEdit: () => ({ applied: false }),
    isStopping: () => isStopping,
  });
  return (method, params) => answer(method, params);
}

describe('requests from a server', () => {
  const sections: readonly (readonly [section: unknown, answer: unknown])[] = [
    [{ section: 'python' }, { analysis: { mode: 'open' } }],
    [{ section: 'python.analysis' }, { mode: 'open' }],
    [{ section: 'python.analysis.mode' }, 'open'],
    [{ section: '' }, settings],
    [{}, settings],
    // Some servers throw on `null`.
    [{ section: 'nothing' }, {}],
    [{ section: 'python.nothing.below' }, {}],
    [{ section: 'plain.below' }, {}],
    [null, settings],
  ];
  for (const [item, wanted] of sections) {
    test(`configuration of ${JSON.stringify(item)}`, () => {
      expect(answers()('workspace/configuration', { items: [item] })).toEqual([wanted]);
    });
  }

  test('configuration has an answer for each item, and none for a malformed request', () => {
    const items = [{ section: 'plain' }, { section: 'nothing' }];
    expect(answers()('workspace/configuration', { items })).toEqual(['text', {}]);
    expect(answers()('workspace/configuration', { items: 'plain' })).toEqual([]);
    expect(answers()('workspace/configuration', undefined)).toEqual([]);
  });

  test('directories, registrations and progress are answered', () => {
    expect(answers()('workspace/workspaceFolders')).toEqual([directory]);
    for (const method of [
      'client/registerCapability',
      'client/unregisterCapability',
      'window/workDoneProgress/create',
    ]) {
      expect(answers()(method, {})).toBeNull();
    }
  });

  test('edits are refused', () => {
    expect(answers()('workspace/applyEdit', { edit: {} })).toMatchObject({ applied: false });
  });

  test('unknown requests are errors, except while the server is being stopped', () => {
    expect(() => answers()('stub/unknown')).toThrow(UnknownServerRequest);
    expect(answers(true)('stub/unknown')).toBeNull();
    expect(answers(true)('workspace/configuration', { items: [{}] })).toBeNull();
  });
});
