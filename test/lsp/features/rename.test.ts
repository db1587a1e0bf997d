import { describe, expect, test } from 'bun:test';
import { ExpectedError } from '../../../src/base/errors.ts';
import { initializeParams } from '../../../src/lsp/client/handshake.ts';
import { ProjectFiles } from '../../../src/lsp/documents/project-files.ts';
import { readWorkspaceEdit } from '../../../src/lsp/features/rename.ts';

const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };
const edit = { range, newText: 'new' };
const document = (uri: string) => ({ uri, version: null });

function read(answer: unknown) {
  return readWorkspaceEdit(answer, { name: 'stub 1', files: new ProjectFiles('/p') });
}

function refusal(answer: unknown): string {
  try {
    read(answer);
  } catch (error) {
    if (error instanceof ExpectedError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error('It was read');
}

test('the handshake declares the supported edits', () => {
  const { capabilities } = initializeParams({ root: '/p', initializationOptions: {} });
  // Edits are taken from commands only.
  expect(capabilities.workspace?.applyEdit).toBe(true);
  expect(capabilities.workspace?.workspaceEdit).toEqual({
    documentChanges: true,
    resourceOperations: ['create', 'rename', 'delete'],
    failureHandling: 'transactional',
    normalizesLineEndings: true,
  });
  expect(capabilities.textDocument?.rename).toEqual({ prepareSupport: true });
});

describe('readWorkspaceEdit()', () => {
  test('reads either form', () => {
    const steps = [{ do: 'edit', file: 'a b.ts', edits: [edit] }] as const;
    expect(read({ changes: { 'file:///p/a%20b.ts': [edit] } })).toEqual([...steps]);
    expect(read({ documentChanges: [{ textDocument: document('file:///p/a%20b.ts'), edits: [edit] }] })).toEqual([
      ...steps,
    ]);
  });

  test('names a file outside the project by its absolute path', () => {
    expect(read({ changes: { 'file:///lib/a.ts': [edit] } })).toMatchObject([{ file: '/lib/a.ts' }]);
    expect(read({ changes: { 'file:///p2/a.ts': [edit] } })).toMatchObject([{ file: '/p2/a.ts' }]);
  });

  test('reads nothing from an empty edit', () => {
    expect([read({}), read({ changes: {} }), read({ documentChanges: [] })]).toEqual([[], [], []]);
    expect(read({ changes: { 'file:///p/a.ts': [] } })).toEqual([{ do: 'edit', file: 'a.ts', edits: [] }]);
  });

  test('prefers documentChanges, even an empty list, and never adds `changes` to it', () => {
    const changes = { 'file:///p/b.ts': [edit] };
    expect(read({ changes, documentChanges: [] })).toEqual([]);
    expect(
      read({ changes, documentChanges: [{ textDocument: document('file:///p/a.ts'), edits: [edit] }] }),
    ).toMatchObject([{ file: 'a.ts' }]);
  });

  test('reads changes of files with their options, in order', () => {
    const documentChanges = [
      { kind: 'create', uri: 'file:///p/new.ts' },
      { textDocument: document('file:///p/new.ts'), edits: [edit] },
      { kind: 'create', uri: 'file:///p/c.ts', options: { overwrite: true, ignoreIfExists: true } },
      { kind: 'rename', oldUri: 'file:///p/a.ts', newUri: 'file:///p/b.ts', options: { ignoreIfExists: true } },
      { kind: 'rename', oldUri: 'file:///p/d.ts', newUri: 'file:///p/e.ts', options: { overwrite: true } },
      { kind: 'delete', uri: 'file:///p/f.ts' },
      { kind: 'delete', uri: 'file:///p/g.ts', options: { ignoreIfNotExists: true, recursive: true } },
    ];
    expect(read({ documentChanges })).toEqual([
      { do: 'create', file: 'new.ts', ifExists: 'fail' },
      { do: 'edit', file: 'new.ts', edits: [edit] },
      { do: 'create', file: 'c.ts', ifExists: 'replace' },
      { do: 'move', from: 'a.ts', file: 'b.ts', ifExists: 'skip' },
      { do: 'move', from: 'd.ts', file: 'e.ts', ifExists: 'replace' },
      { do: 'remove', file: 'f.ts', mayBeAbsent: false },
      { do: 'remove', file: 'g.ts', mayBeAbsent: true },
    ]);
  });

  test('reads annotated edits as plain ones', () => {
    const annotated = { ...edit, annotationId: 'a' };
    const documentChanges = [{ textDocument: document('file:///p/a.ts'), edits: [annotated] }];
    const changeAnnotations = { a: { label: 'Rename', needsConfirmation: true } };
    expect(read({ documentChanges, changeAnnotations })).toEqual([{ do: 'edit', file: 'a.ts', edits: [edit] }]);
  });

  test('refuses snippets, and URIs that are not files', () => {
    const snippet = { range, snippet: { kind: 'snippet', value: '$1' } };
    expect(refusal({ documentChanges: [{ textDocument: document('file:///p/a.ts'), edits: [snippet] }] })).toStartWith(
      'edit.refused: stub 1 answered with a snippet',
    );
    expect(refusal({ changes: { 'untitled:1': [edit] } })).toStartWith(
      'edit.refused: stub 1 proposes to change `untitled:1`, which is not a file',
    );
    expect(refusal({ documentChanges: [{ kind: 'delete', uri: 'jdt://contents/x.class' }] })).toContain('jdt://');
  });

  test('refuses forms that LSP does not define', () => {
    for (const answer of [
      { changes: [1] },
      { changes: 'x' },
      { changes: { 'file:///p/a.ts': edit } },
      { changes: { 'file:///p/a.ts': [{ newText: 'x' }] } },
      { changes: { 'file:///p/a.ts': [{ range }] } },
      { documentChanges: [{ edits: [edit] }] },
      { documentChanges: [{ textDocument: document('file:///p/a.ts') }] },
      { documentChanges: [{ kind: 'copy', uri: 'file:///p/a.ts' }] },
      { documentChanges: [{ kind: 'rename', oldUri: 'file:///p/a.ts' }] },
    ]) {
      expect([answer, refusal(answer)]).toEqual([answer, expect.stringContaining('server.refused: stub 1 sent edits')]);
    }
  });
});
