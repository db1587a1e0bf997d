// Files in encodings older than Unicode are unchanged around an edit.
import { expect, test } from 'bun:test';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Content of a file in each encoding, as bytes and as text. */
const contents = [
  ['gb18030', '61 d6d0 8139ee39 95329031 9439fc36 0a', 'a中㐀𠂇😀\n'],
  ['big5', 'a451 8862 a4a4 0a', '十Ê̄中\n'],
  ['shift_jis', '93fa fa5c b1 0a', '日纊ｱ\n'],
  ['euc-jp', 'c6fc 8fb0a1 8eb1 0a', '日丂ｱ\n'],
  ['iso-2022-jp', '61 1b2442 467c 1b2842 0a', 'a日\n'],
] as const;

test.each(contents)('%s', async (encoding, bytes, text) => {
  const project = makeWorkspace({ '.serena/project.yml': JSON.stringify({ project_name: 'p', encoding }) });
  project.write('a.txt', hex(bytes));
  await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
  expect(await client.ask('read_file', { relative_path: 'a.txt' })).toBe(text);
  await client.ask('replace_content', { relative_path: 'a.txt', needle: '\n', repl: '=\n', mode: 'literal' });
  const edited = Buffer.concat([hex(bytes).subarray(0, -1), Buffer.from('=\n')]);
  expect(await Bun.file(project.path('a.txt')).bytes()).toEqual(Uint8Array.from(edited));
  await client.ask('create_text_file', { relative_path: 'b.txt', content: text });
  expect(await Bun.file(project.path('b.txt')).bytes()).toEqual(Uint8Array.from(hex(bytes)));
});
