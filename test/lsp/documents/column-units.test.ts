import { describe, expect, test } from 'bun:test';
import { toUri } from '../../../src/base/paths.ts';
import { ColumnUnits } from '../../../src/lsp/documents/column-units.ts';
import { ProjectFiles } from '../../../src/lsp/documents/project-files.ts';

const texts: Readonly<Record<string, string>> = { 'a.py': 'x = 1\n"🧾ü" + name\n', 'b.py': 'ü🧾🧾 = name\n' };
const [a, b] = [toUri('/a.py'), toUri('/b.py')];
/** In a.py and b.py, `name` begins at these columns. */
const columns = { 'utf-8': [11, 13], 'utf-16': [8, 8], 'utf-32': [7, 6] } as const;

function units(positionEncoding: string): ColumnUnits {
  const made = new ColumnUnits(new ProjectFiles('/'), (file) => texts[file]);
  expect(made.initialize({ positionEncoding })).toBeUndefined();
  return made;
}

const inA = (character: number) => ({ start: { line: 1, character: 0 }, end: { line: 1, character } });
const inB = (character: number) => ({ start: { line: 0, character: 0 }, end: { line: 0, character } });

describe.each(['utf-8', 'utf-32'] as const)('a server that counts in %s', (encoding) => {
  const [theirA, theirB] = columns[encoding];
  const [ourA, ourB] = columns['utf-16'];
  const request = { textDocument: { uri: a }, position: { line: 1, character: ourA } };
  const told = (message: unknown) => units(encoding).fromServer(message, request);

  test('receives requests in its columns', () => {
    const params = { ...request, context: { includeDeclaration: false } };
    expect(units(encoding).toServer(params)).toEqual({ ...params, position: { line: 1, character: theirA } });
  });

  test('has its positions in the requested document converted, at any depth', () => {
    const symbols = (character: number) => [
      { name: 's', range: inA(character), children: [{ range: inA(character) }] },
    ];
    expect(told(symbols(theirA))).toEqual(symbols(ourA));
  });

  test('has its positions in other documents converted', () => {
    const answer = (atA: number, atB: number) => [
      { uri: a, range: inA(atA) },
      { uri: b, range: inB(atB) },
      { originSelectionRange: inA(atA), targetUri: b, targetRange: inB(atB), targetSelectionRange: inB(atB) },
    ];
    expect(told(answer(theirA, theirB))).toEqual(answer(ourA, ourB));
  });

  test('has the positions of workspace edits converted, in both forms', () => {
    const answer = (atA: number, atB: number) => ({
      changes: { [a]: [{ range: inA(atA), newText: 'n' }], [b]: [{ range: inB(atB), newText: 'n' }] },
      documentChanges: [
        { textDocument: { uri: b, version: 1 }, edits: [{ range: inB(atB), newText: 'n' }] },
        { kind: 'delete', uri: a },
      ],
    });
    expect(told(answer(theirA, theirB))).toEqual(answer(ourA, ourB));
  });

  test('has published positions converted, also those beside a document', () => {
    const published = (atA: number, atB: number) => ({
      uri: b,
      diagnostics: [{ range: inB(atB), relatedInformation: [{ location: { uri: a, range: inA(atA) } }] }],
    });
    expect(units(encoding).fromServer(published(theirA, theirB))).toEqual(published(ourA, ourB));
  });

  test('has its columns kept if a document or a line does not exist', () => {
    const unknown = { uri: toUri('/gone.py'), range: inA(9) };
    const behind = { uri: b, range: { start: { line: 7, character: 3 }, end: { line: 7, character: 4 } } };
    expect(told([unknown, behind])).toEqual([unknown, behind]);
  });
});

describe('a server without a position encoding', () => {
  test('counts in UTF-16, the default of LSP', () => {
    const silent = new ColumnUnits(new ProjectFiles('/'), (file) => texts[file]);
    expect(silent.initialize({})).toBeUndefined();
    const location = { uri: a, range: inA(8) };
    expect(silent.fromServer(location)).toBe(location);
    expect(silent.toServer(location)).toBe(location);
  });

  test('counts in the only encoding that was offered to it', () => {
    const silent = new ColumnUnits(new ProjectFiles('/'), (file) => texts[file]);
    silent.initialize({}, ['utf-32']);
    const announced = units('utf-32');
    const location = { uri: a, range: inA(8) };
    expect(silent.fromServer(location)).toEqual(announced.fromServer(location));
    expect(silent.fromServer(location)).not.toEqual(location);
  });

  test('or with one that LSP does not define, counts in UTF-16 as well', () => {
    const odd = new ColumnUnits(new ProjectFiles('/'), (file) => texts[file]);
    expect(odd.initialize({ positionEncoding: 'utf-7' })).toBe('utf-7');
    const location = { uri: a, range: inA(8) };
    expect(odd.fromServer(location)).toBe(location);
  });
});
