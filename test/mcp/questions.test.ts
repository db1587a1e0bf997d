// Edits ask the person at the client what only they can decide, if the client shows forms.
import { describe, expect, test } from 'bun:test';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { type FormHandler, startClient } from '../support/client.ts';
import { makeHome, ownHome, sharedStore } from '../support/homes.ts';
import { TestService, whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { StatelessClient } from '../support/stateless-client.ts';
import { makeWorkspace } from '../support/workspace.ts';

const timeoutMs = 240_000;

const files = {
  '.serena/project.yml': 'languages: [python]\n',
  'shop.py':
    'class Basket:\n    def total(self) -> int:\n        return 1\n\n\nclass Order:\n    def sum(self) -> int:\n        return 2\n\n    def count(self) -> int:\n        return 3\n',
  'stock.py': 'class Stock:\n    def count(self) -> int:\n        return 4\n',
  'use.py': 'def use(basket):\n    return basket.total()\n\n\ndef both(a, b):\n    return a.total() + b.total()\n',
};

const rename = { name_path: 'Basket/total', relative_path: 'shop.py', new_name: 'sum' };
const renameCount = { name_path: 'count', new_name: 'size' };

/** A person who answers every form alike, and the forms that they have seen. */
function person(answer: ElicitResult | Promise<ElicitResult>) {
  const seen: ElicitRequestFormParams[] = [];
  const onForm: FormHandler = (form) => {
    seen.push(form);
    return answer;
  };
  return { seen, onForm };
}

const included: ElicitResult = { action: 'accept', content: { place_1: true, place_2: false, place_3: true } };
const secondSymbol: ElicitResult = { action: 'accept', content: { symbol: 'stock.py#Stock/count (Method)' } };
const unanswered = () => new Promise<ElicitResult>(() => undefined);

const openForm = {
  message: 'Renamed `Basket/total` to `sum`. Include 3 open places?',
  requestedSchema: {
    properties: {
      place_1: { type: 'boolean', title: 'use.py:2: return basket.total()', default: false },
      place_2: { type: 'boolean', title: 'use.py:6:14: return a.total() + b.total()' },
      place_3: { type: 'boolean', title: 'use.py:6:26: return a.total() + b.total()' },
    },
    required: ['place_1', 'place_2', 'place_3'],
  },
};

const symbolForm = {
  message: 'rename_symbol: `count` matches 2 symbols. Which one?',
  requestedSchema: {
    properties: {
      symbol: { type: 'string', enum: ['shop.py#Order/count (Method)', 'stock.py#Stock/count (Method)'] },
    },
    required: ['symbol'],
  },
};

const chosenAfter = files['use.py'].replace('basket.total', 'basket.sum').replace('+ b.total', '+ b.sum');

const firstLine = 'Renamed `Basket/total` to `sum`: 1 file changed, 1 place in `shop.py`; incomplete: 3 open';

/** Starts the program in a new project with a person at the client. */
async function start(onForm: FormHandler | undefined, config = {}, args: readonly string[] = []) {
  const workspace = makeWorkspace(files);
  const client = await startClient({
    args: ['--project', workspace.root, ...args],
    env: ownHome(config),
    ...(onForm === undefined ? {} : { onForm }),
  });
  return { workspace, client, [Symbol.asyncDispose]: () => client.close() };
}

describe('an edit that leaves places open', () => {
  test(
    'includes those that the user chooses, in one answer',
    async () => {
      const { seen, onForm } = person(included);
      await using own = await start(onForm);
      const { text, blocks, structured } = await own.client.call('rename_symbol', rename);
      expect(seen).toMatchObject([openForm]);
      expect(text.split('\n')).toEqual([
        'Renamed `Basket/total` to `sum`: 2 files changed, 3 places; complete',
        'Files:',
        '  shop.py: 1',
        '  use.py: 2',
      ]);
      expect(blocks[1]).toContain('- The user included 2 of 3 open places');
      expect(structured).toMatchObject({ complete: true, data: { complete: true, open: [], places: { 'use.py': 2 } } });
      expect(own.workspace.read('use.py')).toBe(chosenAfter);
      // An edit of its own.
      await own.client.ask('edit_history', { action: 'undo' });
      expect(own.workspace.read('use.py')).toBe(files['use.py']);
    },
    timeoutMs,
  );

  test(
    'answers as without a question if the user declines, cancels or includes none, and asks no second one',
    async () => {
      const none: ElicitResult = { action: 'accept', content: { place_1: false, place_2: false, place_3: false } };
      const answers: ElicitResult[] = [{ action: 'decline' }, { action: 'cancel' }, none];
      for (const answer of answers) {
        const { seen, onForm } = person(answer);
        await using own = await start(onForm);
        const { text, blocks, structured } = await own.client.call('rename_symbol', rename);
        expect(text.split('\n')[0]).toBe(firstLine);
        expect(text).toContain('rename_symbol {"name_path":"Basket/sum"');
        expect(structured).toMatchObject({ complete: false });
        expect(blocks[1]).toBe(answer === none ? 'Note:\n- The user included 0 of 3 open places' : undefined);
        expect(own.workspace.read('use.py')).toBe(files['use.py']);
        expect(seen).toHaveLength(1);
      }
    },
    timeoutMs,
  );

  test(
    'waits for an answer only within the limit of the call',
    async () => {
      const { seen, onForm } = person(unanswered());
      await using own = await start(onForm, { tool_timeout: 20 });
      await own.client.call('find_symbol', { name_path_pattern: 'Basket' });
      const startedAt = performance.now();
      const { text } = await own.client.call('rename_symbol', rename);
      expect(text.split('\n')[0]).toBe(firstLine);
      expect(performance.now() - startedAt).toBeWithin(10_000, 30_000);
      expect(seen).toHaveLength(1);
      // Still at work.
      expect(await own.client.ask('find_symbol', { name_path_pattern: 'Order' })).toContain('Order');
    },
    timeoutMs,
  );

  test(
    'ends with the call that the client cancels',
    async () => {
      const cancelled = new AbortController();
      const onForm: FormHandler = () => {
        cancelled.abort();
        return unanswered();
      };
      await using own = await start(onForm);
      const call = own.client.call('rename_symbol', rename, { signal: cancelled.signal });
      expect(await call.then(String, String)).toContain('abort');
      expect(await own.client.ask('find_symbol', { name_path_pattern: 'Order' })).toContain('Order');
    },
    timeoutMs,
  );

  test(
    'asks nobody about a dry run, in the mode `one-shot`, or if the client shows no forms',
    async () => {
      const { seen, onForm } = person(included);
      await using own = await start(onForm);
      expect((await own.client.call('rename_symbol', { ...rename, dry_run: true })).text).toContain('3 open');
      await using alone = await start(onForm, {}, ['--mode', 'one-shot', '--mode', 'editing']);
      expect((await alone.client.call('rename_symbol', rename)).text.split('\n')[0]).toBe(firstLine);
      await using silent = await start(undefined);
      expect((await silent.client.call('rename_symbol', rename)).text.split('\n')[0]).toBe(firstLine);
      expect(seen).toEqual([]);
    },
    timeoutMs,
  );
});

describe('an edit of an ambiguous name', () => {
  test(
    'is made of the symbol that the user chooses',
    async () => {
      const { seen, onForm } = person(secondSymbol);
      await using own = await start(onForm);
      const replacement = { name_path: 'count', relative_path: '', body: 'def count(self) -> int:\n        return 5' };
      expect(await own.client.ask('replace_symbol_body', replacement)).toBe('OK');
      expect(own.workspace.read('stock.py')).toContain('return 5');
      expect(await own.client.ask('rename_symbol', renameCount)).toStartWith('Renamed `Stock/count` to `size`');
      expect(seen).toMatchObject([
        { message: 'replace_symbol_body: `count` matches 2 symbols. Which one?' },
        symbolForm,
      ]);
      expect(own.workspace.read('stock.py')).toContain('def size(');
      expect(own.workspace.read('shop.py')).toBe(files['shop.py']);
    },
    timeoutMs,
  );

  test(
    'fails as without a question if the user declines, or answers what was not asked; other tools do not ask',
    async () => {
      for (const answer of [{ action: 'decline' }, { action: 'accept', content: { symbol: 'x' } }] as const) {
        const { seen, onForm } = person(answer);
        await using own = await start(onForm);
        const failed = await own.client.call('rename_symbol', renameCount);
        expect(failed).toMatchObject({ isError: true });
        expect(failed.text).toContain('`count` matches 2 symbols: [');
        expect(seen).toHaveLength(1);
        const asked = await own.client.call('find_referencing_symbols', { name_path: 'count', relative_path: '' });
        expect(asked).toMatchObject({ isError: true });
        expect(seen).toHaveLength(1);
      }
    },
    timeoutMs,
  );
});

describe('other connections', () => {
  test(
    'a client of the stateless protocol gets the question as a result, and repeats the call with the answer',
    async () => {
      const { root } = makeWorkspace(files);
      for (const [answer, args, expected] of [
        [secondSymbol, renameCount, 'Renamed `Stock/count` to `size`'],
        [included, rename, 'Renamed `Basket/total` to `sum`: 2 files changed, 3 places; complete'],
      ] as const) {
        const { seen, onForm } = person(answer);
        await using client = await StatelessClient.start({ args: ['--project', root], env: ownHome(), onForm });
        const { text } = await client.call('rename_symbol', args);
        expect(text).toStartWith(expected);
        expect(seen).toHaveLength(1);
      }
    },
    timeoutMs,
  );

  testUnless(whyNoService)(
    'the background service asks the client of the call',
    async () => {
      await using service = new TestService(makeHome(), sharedStore);
      const workspace = makeWorkspace(files);
      const { seen, onForm } = person(included);
      const client = await service.start({ args: ['--project', workspace.root], onForm });
      expect(await client.ask('rename_symbol', rename)).toStartWith('Renamed `Basket/total` to `sum`: 2 files changed');
      expect(seen).toHaveLength(1);
      expect(workspace.read('use.py')).toBe(chosenAfter);
    },
    timeoutMs,
  );
});
