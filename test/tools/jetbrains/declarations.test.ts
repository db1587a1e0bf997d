import { afterAll, afterEach, beforeAll, describe, expect } from 'bun:test';
import { IdeSession } from '../../support/ide-client.ts';
import { testUnless } from '../../support/skip.ts';
import { whyNoIde } from '../../support/test-ide.ts';

const basket = 'class Basket:\n    def total(self):\n        return 1\n\n\nprint(Basket().total())\n';
const library = '<ext:list.py|1a2b>';

const reason = await whyNoIde(1);
const testWithIde = testUnless(reason);

let session: IdeSession;

beforeAll(async () => {
  if (reason !== undefined) return;
  session = await IdeSession.start({ 'shop/basket.py': basket });
});

afterAll(async () => {
  if (reason === undefined) await session.close();
});

// Each test sees only its own requests.
afterEach(() => {
  if (reason === undefined) session.ide.forget();
});

const total = { namePath: 'Basket/total', relativePath: 'shop/basket.py', type: 'method' };

describe('jet_brains_find_declaration', () => {
  const find = (args: object) => session.answered('find_declaration', args, { symbols: [total] }, '/findDeclaration');

  testWithIde('sends the position of the group, and returns the result of the IDE', async () => {
    const args = { relative_path: 'shop/basket.py', regex: 'Basket\\(\\)\\.(total)' };
    expect(await find(args)).toBe(
      '{"symbols": [{"name_path": "Basket/total", "relative_path": "shop/basket.py", "type": "method"}]}',
    );
    const body = { relativePath: 'shop/basket.py', line: 5, col: 15, includeBody: false, includeQuickInfo: false };
    expect(session.ide.requests).toEqual([{ endpoint: '/findDeclaration', body }]);
    await find({ ...args, regex: '(?P&lt;name&gt;class)', include_body: true });
    expect(session.ide.last?.body).toEqual({ ...body, line: 0, col: 0, includeBody: true });
  });

  testWithIde('counts columns in UTF-16, and lines by any line break', async () => {
    session.workspace.write('shop/odd.py', 'a = 1\r\nb = "😀" + name\r\n');
    await find({ relative_path: 'shop/odd.py', regex: '(name)' });
    expect(session.ide.last?.body).toMatchObject({ line: 1, col: 11 });
  });

  testWithIde('reads a library file through the IDE', async () => {
    session.ide.answer('/readFile', { json: { content: 'one\r\ntwo = three\n' } });
    await find({ relative_path: library, regex: '(three)' });
    expect(session.ide.requests).toEqual([
      { endpoint: '/readFile', body: { relativePath: library } },
      { endpoint: '/findDeclaration', body: expect.objectContaining({ relativePath: library, line: 1, col: 6 }) },
    ]);
  });

  testWithIde('lets `read_file` read a library file', async () => {
    session.ide.answer('/readFile', { json: { content: 'one\r\ntwo = three\n' } });
    expect(await session.client.ask('read_file', { relative_path: library, start_line: 0 })).toBe('one\ntwo = three\n');
    expect(session.ide.requests).toEqual([{ endpoint: '/readFile', body: { relativePath: library } }]);
  });

  testWithIde('rejects a pattern that does not select one name, and a missing file', async () => {
    const relative_path = 'shop/basket.py';
    for (const [regex, problem] of [
      ['(otal)', 'ValueError: `regex` has 2 matches'],
      ['(nothing)', 'ValueError: `regex` has 0 matches'],
      ['class', 'ValueError: `regex` has 0 capturing groups'],
      ['(cl)(ass)', 'ValueError: `regex` has 2 capturing groups'],
      ['class|(zzz)', 'ValueError: `regex` has a group that did not match'],
      ['(', 'ValueError: '],
      ['((c|cl|cla|a|s)+)+$', 'ValueError: '],
    ]) {
      expect(await session.failure('find_declaration', { relative_path, regex })).toStartWith(problem ?? '');
    }
    const missing = { relative_path: 'shop/none.py', regex: '(x)' };
    expect(await session.failure('find_declaration', missing)).toStartWith('FileNotFoundError: ');
    expect(session.ide.requests).toEqual([]);
  });
});

describe('jet_brains_find_implementations', () => {
  testWithIde('returns the result of the IDE', async () => {
    const args = { relative_path: 'shop/basket.py', name_path: 'Basket/total' };
    const text = await session.answered('find_implementations', args, { symbols: [total] }, '/findImplementations');
    expect(text).toBe(
      '{"symbols": [{"name_path": "Basket/total", "relative_path": "shop/basket.py", "type": "method"}]}',
    );
    expect(session.ide.last?.body).toEqual({
      relativePath: 'shop/basket.py',
      namePath: 'Basket/total',
      includeQuickInfo: false,
    });
  });
});
