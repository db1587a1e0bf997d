import { describe, expect, test } from 'bun:test';
import { isExpected } from '../../../src/base/errors.ts';
import { type PlainSymbol, requestDocumentSymbols } from '../../../src/lsp/features/document-symbols.ts';
import { requestHover } from '../../../src/lsp/features/hover.ts';
import { requestReferences } from '../../../src/lsp/features/locations.ts';
import { rejection } from '../../support/rejection.ts';
import { startStub } from '../stub.ts';

const timeoutMs = 120_000;
const range = { start: { line: 5, character: 0 }, end: { line: 6, character: 18 } };
const name = { start: { line: 5, character: 4 }, end: { line: 5, character: 10 } };

async function symbolsFor(answer: unknown): Promise<PlainSymbol[]> {
  await using stub = await startStub('answers-oddly', { args: { answer: JSON.stringify(answer) } });
  return await requestDocumentSymbols(stub.server, stub.project.path('a.py'), {});
}

describe('requestDocumentSymbols()', () => {
  const rows: readonly { what: string; answer: unknown; symbols: PlainSymbol[] }[] = [
    { what: 'nothing', answer: null, symbols: [] },
    { what: 'an empty list', answer: [], symbols: [] },
    {
      what: 'the flat form, where the whole range is all there is',
      answer: [{ name: 'helper', kind: 12, location: { uri: 'file:///a.py', range }, containerName: 'a' }],
      symbols: [{ name: 'helper', kind: 12, range, selectionRange: range, children: [] }],
    },
    {
      what: 'a nested form with fields that we do not use',
      answer: [{ name: 'K', kind: 5, range, selectionRange: name, detail: 'x', tags: [1], children: null }],
      symbols: [{ name: 'K', kind: 5, range, selectionRange: name, children: [] }],
    },
    {
      what: 'a symbol without a name among others',
      answer: [
        {
          ...{ name: 'K', kind: 5, range, selectionRange: name },
          children: [
            { kind: 6, range },
            { name: 'm', kind: 6, range, selectionRange: name },
          ],
        },
      ],
      symbols: [
        {
          ...{ name: 'K', kind: 5, range, selectionRange: name },
          children: [{ name: 'm', kind: 6, range, selectionRange: name, children: [] }],
        },
      ],
    },
  ];
  for (const { what, answer, symbols } of rows) {
    test(`reads ${what}`, async () => expect(await symbolsFor(answer)).toEqual(symbols), timeoutMs);
  }

  for (const answer of [{ symbols: [] }, 'none', 5, [{ name: 'K' }], [null]]) {
    test(
      `refuses ${JSON.stringify(answer)} instead of reading it as no symbols`,
      async () => {
        const error = await symbolsFor(answer).catch((reason: unknown) => reason);
        expect(isExpected(error, 'server.refused')).toBe(true);
      },
      timeoutMs,
    );
  }

  test(
    'retries a limited number of times when the server reports that the document has changed meanwhile',
    async () => {
      await using twice = await startStub('answers-stale', { args: { times: '2' } });
      expect(await requestDocumentSymbols(twice.server, twice.project.path('a.py'), {})).toHaveLength(2);
      await using often = await startStub('answers-stale', { args: { times: '100' } });
      const asked = requestDocumentSymbols(often.server, often.project.path('a.py'), {});
      expect(await rejection(asked)).toContain('content modified');
    },
    timeoutMs,
  );
});

describe('requestReferences()', () => {
  const place = { file: '/a.py', range };
  const rows: readonly { what: string; answer: unknown; files: string[] }[] = [
    { what: 'nothing', answer: null, files: [] },
    {
      what: 'a file with an escaped name',
      answer: [{ uri: 'file:///gr%C3%B6%20%C3%9Fe.py', range }],
      files: ['/grö ße.py'],
    },
    { what: 'a link', answer: [{ targetUri: 'file:///b.py', targetSelectionRange: name }], files: ['/b.py'] },
    {
      what: 'places that are no files',
      answer: [
        { uri: 'untitled:a', range },
        { uri: 'file:///%ff', range },
        { uri: 'file:///c.py', range },
      ],
      files: ['/c.py'],
    },
  ];
  for (const { what, answer, files } of rows) {
    test(
      `reads ${what}`,
      async () => {
        const args = { method: 'textDocument/references', answer: JSON.stringify(answer) };
        await using stub = await startStub('answers-oddly', { args });
        const found = await requestReferences(stub.server, place, {});
        expect(found.map(({ file }) => file)).toEqual(files);
      },
      timeoutMs,
    );
  }
});

describe('requestHover()', () => {
  const rows: readonly (readonly [contents: unknown, text: string | undefined])[] = [
    ['a text', 'a text'],
    [{ kind: 'markdown', value: ' trimmed \n' }, 'trimmed'],
    [['one', { language: 'python', value: 'two' }, '', { value: ' ' }], 'one\ntwo'],
    ['', undefined],
    [[], undefined],
    [null, undefined],
  ];
  for (const [contents, text] of rows) {
    test(
      `reads ${JSON.stringify(contents)}`,
      async () => {
        const args = { method: 'textDocument/hover', answer: JSON.stringify({ contents }) };
        await using stub = await startStub('answers-oddly', { args });
        const place = { file: 'a.py', range };
        expect(await requestHover(stub.server, place, {})).toBe(text);
      },
      timeoutMs,
    );
  }
});
