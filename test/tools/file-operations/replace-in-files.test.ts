// Replacing in many files: all files change or none, and files that were not searched are reported.

import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { expectClearError } from '../../support/clear.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { fingerprint } from '../../support/fingerprint.ts';
import { makeHome, noServers } from '../../support/homes.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const home = makeHome(noServers());
const files = {
  '.gitignore': 'build/\n*.log\n',
  '.serena/project.yml': 'project_name: p\n',
  'a.py': 'one = 1\nprint(one)\n',
  'b/c.ts': 'const one = 1;\r\nexport { one };\r\n',
  'b/d.txt': 'none here\n',
  'build/gen.py': 'one = 1\n',
  'x.log': 'one\n',
};

type Args = Readonly<Record<string, unknown>>;

const literal = (needle: string, repl: string): Args => ({ needle, repl, mode: 'literal' });
const regex = (needle: string, repl: string): Args => ({ needle, repl, mode: 'regex' });
const digits = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
/** Fingerprint of the range of `matched`, its occurrence `index`, in a file with this content. */
function mark(content: string, matched: string, index: number): string {
  const text = content.replaceAll('\r\n', '\n');
  let start = text.indexOf(matched);
  for (let passed = 0; passed < index; passed++) start = text.indexOf(matched, start + 1);
  return digits(`${digits(content)}:${start}:${start + matched.length}`);
}
const idOf = (path: 'a.py' | 'b/c.ts', index: number) => `${path}:${index}@${mark(files[path], 'one', index)}`;

interface Opened extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly client: TestClient;
  /** Calls the tool, expects an error with these parts, and nothing changed. */
  refuse(args: Args, ...parts: readonly string[]): Promise<string>;
  replace(args: Args): Promise<string>;
}

async function open(more: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const workspace = makeWorkspace({ ...files, ...more });
  const client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
  const everything = () => fingerprint(workspace.root, (path) => path === '.serena/cache');
  await client.ask('list_dir', { relative_path: '.', recursive: false });
  return {
    workspace,
    client,
    async refuse(args, ...parts) {
      const before = everything();
      const answer = await client.call('replace_in_files', args);
      expectClearError(answer, ...parts);
      expect(everything()).toBe(before);
      return answer.text;
    },
    replace: (args) => client.ask('replace_in_files', args),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

describe('replace_in_files', () => {
  test('replaces in all files that are not ignored, and reports the counts', async () => {
    await using project = await open();
    expect(await project.replace(literal('one', '1ne'))).toBe(
      ['Replaced 5 occurrences in 3 files:', '  a.py: 2', '  b/c.ts: 2', '  b/d.txt: 1'].join('\n'),
    );
    const { workspace } = project;
    expect(workspace.read('a.py')).toBe('1ne = 1\nprint(1ne)\n');
    expect(workspace.read('b/c.ts')).toBe('const 1ne = 1;\r\nexport { 1ne };\r\n');
    expect(workspace.read('b/d.txt')).toBe('n1ne here\n');
    expect([workspace.read('build/gen.py'), workspace.read('x.log')]).toEqual(['one = 1\n', 'one\n']);
  });

  test('expands groups in a pattern, and nothing in a literal text', async () => {
    await using project = await open();
    await project.replace(regex('\\b(o)ne\\b', '$!1$!0\\1'));
    expect(project.workspace.read('a.py')).toBe('oone\\1 = 1\nprint(oone\\1)\n');
    await project.replace(literal('oone\\1', '$!1\\n'));
    expect(project.workspace.read('a.py')).toBe('$!1\\n = 1\nprint($!1\\n)\n');
  });

  test('respects the path and the globs', async () => {
    await using project = await open();
    const changed = async (scope: Args) =>
      (await project.replace({ ...regex('one', 'one'), ...scope }))
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    expect(await changed({ relative_path: ' b ' })).toEqual(['b/c.ts: 2', 'b/d.txt: 1']);
    expect(await changed({ relative_path: 'b/c.ts' })).toEqual(['b/c.ts: 2']);
    expect(await changed({ paths_include_glob: '**/*.{py,ts}' })).toEqual(['a.py: 2', 'b/c.ts: 2']);
    expect(await changed({ paths_include_glob: '*.ts' })).toEqual(['b/c.ts: 2']);
    expect(await changed({ paths_include_glob: 'b/**', paths_exclude_glob: '*.txt' })).toEqual(['b/c.ts: 2']);
  });

  test('is rejected for ignored paths', async () => {
    await using project = await open();
    for (const relative_path of ['build', 'build/gen.py', 'x.log', '.git']) {
      project.workspace.write('.git/config', 'one');
      await project.refuse({ ...literal('one', ''), relative_path }, 'ValueError: ', 'ignore rules', relative_path);
    }
  });

  test('is rejected if nothing matches', async () => {
    await using project = await open();
    await project.refuse(literal('two', ''), 'ValueError: ', 'no match for `two`');
    await project.refuse({ ...literal('one', ''), paths_include_glob: '*.md' }, 'no match for `one`');
    await project.refuse({ ...literal('one', ''), relative_path: 'nope' }, 'FileNotFoundError: ', 'nope');
    await project.refuse(literal('', 'x'), '`needle`');
    await project.refuse(regex('(', ''), 'ValueError: ', 'position 0');
    await project.refuse(regex('one', '$!1'), 'IndexError: ', '`1`');
    await project.refuse({ ...literal('one', ''), paths_include_glob: '{' }, 'ValueError: ', 'glob');
  });

  test('checks the limit of its answer before it changes anything', async () => {
    await using project = await open();
    await project.refuse({ ...literal('one', 'x'), max_answer_chars: 0 }, 'ValueError: ', 'max_answer_chars');
  });
});

describe('a dry run', () => {
  const listing = [
    '',
    'a.py (2 occurrence(s)):',
    `  [${idOf('a.py', 0)}] line 0`,
    '    - one = 1',
    '    + two = 1',
    `  [${idOf('a.py', 1)}] line 1`,
    '    - print(one)',
    '    + print(two)',
    '',
    'b/c.ts (2 occurrence(s)):',
    `  [${idOf('b/c.ts', 0)}] line 0`,
    '    - const one = 1;',
    '    + const two = 1;',
    `  [${idOf('b/c.ts', 1)}] line 1`,
    '    - export { one };',
    '    + export { two };',
  ];

  test('lists every occurrence with its lines, and changes nothing', async () => {
    await using project = await open();
    const before = fingerprint(project.workspace.root, (path) => path === '.serena/cache');
    const [header = '', ...lines] = (await project.replace({ ...regex('\\bone\\b', 'two'), dry_run: true })).split(
      '\n',
    );
    expect(header).toStartWith('4 occurrences in 2 files; nothing was changed.');
    expect(header).toContain('occurrence_ids');
    expect(lines).toEqual(listing);
    expect(fingerprint(project.workspace.root, (path) => path === '.serena/cache')).toBe(before);
  });

  test('without a match is not an error', async () => {
    await using project = await open();
    expect(await project.replace({ ...literal('two', ''), dry_run: true })).toBe(
      '0 occurrences in 0 files; nothing was changed.',
    );
  });

  test('is shortened step by step', async () => {
    await using project = await open({ 'e.txt': 'one\n'.repeat(20) });
    const rule = { ...regex('\\bone\\b', 'two'), dry_run: true };
    const full = await project.replace(rule);
    const places = full.split('\n').filter((line) => line.startsWith('  ['));
    expect(places).toHaveLength(24);
    const [header = ''] = full.split('\n');
    const counts = 'Number of occurrences by file:\n{"a.py": 2, "b/c.ts": 2, "e.txt": 20}';
    const shorter = [[header, ...places].join('\n'), `${header}\n${counts}`, header];
    for (const [index, expected] of shorter.entries()) {
      const room = `The answer has ${full.length} characters, over the limit; narrow the query or raise max_answer_chars.\n`;
      const max_answer_chars = room.length + expected.length;
      const text = await project.replace({ ...rule, max_answer_chars });
      expect([index, text]).toEqual([index, room + expected]);
    }
    expect(await project.replace({ ...rule, max_answer_chars: full.length })).toBe(full);
    expect(await project.replace({ ...rule, max_answer_chars: 10 })).not.toContain('\n');
  });

  test('of millions of occurrences returns their number', async () => {
    await using project = await open({ 'large.txt': 'word '.repeat(400_000) });
    const text = await project.replace({ ...regex('\\w', 'x'), dry_run: true, relative_path: 'large.txt' });
    expect(text).toContain('far more than 150000');
    expect(text).toContain('1600000 occurrences in 1 file;');
    expect(text.length).toBeLessThan(1_000);
  });
});

describe('with expected_count', () => {
  test('a different number is rejected, with the list', async () => {
    await using project = await open();
    const text = await project.refuse(
      { ...regex('\\bone\\b', 'two'), expected_count: 3 },
      ...['ValueError: ', 'expected 3 occurrences, found 4', 'nothing was changed', '    + print(two)'],
    );
    expect(text).toContain(`  [${idOf('b/c.ts', 1)}] line 1`);
    const short = await project.refuse({ ...regex('\\bone\\b', 'two'), expected_count: 0, max_answer_chars: 200 });
    expect(short).toContain('4 occurrences in 2 files');
    expect(short).not.toContain('print(two)');
  });

  test('the right number is replaced', async () => {
    await using project = await open();
    const text = await project.replace({ ...regex('\\bone\\b', 'two'), expected_count: 4 });
    expect(text).toStartWith('Replaced 4 occurrences in 2 files:');
  });
});

describe('an ambiguous match', () => {
  const more = { 'm.txt': 'start\nfoo\nstart\nbar\nend\nstart\nend\n' };
  const rule = regex('start.*?end', '-');

  test('is rejected with the list, in which it is marked', async () => {
    await using project = await open(more);
    const text = await project.refuse(rule, 'ValueError: ', 'nothing was changed', 'm.txt (2 occurrence(s)):');
    expect(text).toMatch(/^ {2}\[m\.txt:0@[0-9a-f]{16}\] lines 0-4 \(ambiguous/m);
    expect(text).toMatch(/^ {2}\[m\.txt:1@[0-9a-f]{16}\] lines 5-6$/m);
  });

  test('is replaced if its id is given', async () => {
    await using project = await open(more);
    const id = `m.txt:0@${mark(more['m.txt'], 'start\nfoo\nstart\nbar\nend', 0)}`;
    expect(await project.replace({ ...rule, occurrence_ids: [id] })).toContain('  m.txt: 1');
    expect(project.workspace.read('m.txt')).toBe('-\nstart\nend\n');
  });
});

describe('occurrence_ids', () => {
  const rule = regex('\\bone\\b', 'two');
  const one = mark('', 'one', 0);

  test('replace these and no others, whatever expected_count says', async () => {
    await using project = await open();
    const ids = [idOf('b/c.ts', 1), idOf('a.py', 0), idOf('b/c.ts', 1)];
    const text = await project.replace({ ...rule, occurrence_ids: ids, expected_count: 99 });
    expect(text.split('\n')[0]).toBe('Replaced 2 occurrences in 2 files:');
    expect(project.workspace.read('a.py')).toBe('two = 1\nprint(one)\n');
    expect(project.workspace.read('b/c.ts')).toBe('const one = 1;\r\nexport { two };\r\n');
  });

  test('may be sent as text', async () => {
    await using project = await open();
    await project.replace({ ...rule, occurrence_ids: `["${idOf('a.py', 1)}"]` });
    expect(project.workspace.read('a.py')).toBe('one = 1\nprint(two)\n');
  });

  test('that are wrong are rejected, each with its reason', async () => {
    await using project = await open();
    const wrong = {
      'no-id': 'not an id of an occurrence',
      [`b/d.txt:0@${one}`]: 'no longer has matches',
      [`build/gen.py:0@${one}`]: 'no longer has matches',
      [`a.py:2@${one}`]: 'the file has 2 matches now',
      [`a.py:1@${one}`]: 'changed since the dry run',
      'a.py:1@abcdef': 'not an id of an occurrence',
    };
    const ids = [idOf('a.py', 0), ...Object.keys(wrong)];
    const text = await project.refuse({ ...rule, occurrence_ids: ids }, 'ValueError: ', 'nothing was changed');
    for (const id of Object.keys(wrong)) expect(text).toContain(`\`${id}\`: `);
    for (const reason of Object.values(wrong)) expect(text).toContain(reason);
    expect(text).not.toContain(idOf('a.py', 0));
    await project.refuse({ ...rule, occurrence_ids: [] }, 'ValueError: ', '`occurrence_ids` is empty');
  });

  test('are those of the current files', async () => {
    await using project = await open();
    project.workspace.write('a.py', 'print(one)\n');
    await project.refuse({ ...rule, occurrence_ids: [idOf('a.py', 1)] }, 'the file has 1 match now');
  });

  test('are invalid for any other content of the file, even if the match is the same', async () => {
    await using project = await open();
    project.workspace.write('a.py', 'one = 0\none = 1\nprint(one)\n');
    await project.refuse({ ...rule, occurrence_ids: [idOf('a.py', 0)] }, 'the file has changed since the dry run');
    project.workspace.write('a.py', 'one = 1\nprint(one)\n# end\n');
    await project.refuse({ ...rule, occurrence_ids: [idOf('a.py', 0)] }, 'the file has changed since the dry run');
  });
});

describe('all files change or none', () => {
  test('if one of them cannot be written back faithfully', async () => {
    await using project = await open({ '.serena/project.yml': 'encoding: shift_jis\n' });
    // Two spellings of one character: written again, the first would become the second.
    project.workspace.write('odd.txt', Buffer.from([0x6f, 0x6e, 0x65, 0x87, 0x90]));
    const text = await project.refuse(literal('one', 'two'), 'UnicodeEncodeError: ', '`odd.txt`');
    expect(text).not.toContain('a.py');
    await project.replace({ ...literal('one', 'two'), paths_exclude_glob: 'odd.txt' });
    expect(project.workspace.read('a.py')).toStartWith('two');
  });

  test('in a few hundred files', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`many/${index % 20}/f${index}.txt`, `one ${index}\n`.repeat(3)]),
    );
    await using project = await open(many);
    const text = await project.replace({ ...literal('one', 'three'), relative_path: 'many' });
    expect(text).toStartWith('Replaced 900 occurrences in 300 files:\n  many/0/f0.txt: 3\n');
    for (const [path, before] of Object.entries(many)) {
      expect(project.workspace.read(path)).toBe(before.replaceAll('one', 'three'));
    }
  });
});

describe('files that were not searched', () => {
  test('are named beside the answer', async () => {
    await using project = await open();
    project.workspace.write('latin.txt', Buffer.from('one é', 'latin1'));
    const answer = await project.client.call('replace_in_files', literal('one', 'two'));
    expect(answer.text).toStartWith('Replaced 5 occurrences in 3 files:');
    expect(answer.blocks[1]).toStartWith('Incomplete:\n- `latin.txt` was not searched: ');
  });

  test('are named if nothing was found', async () => {
    await using project = await open();
    project.workspace.write('latin.txt', Buffer.from('only there é', 'latin1'));
    await project.refuse(literal('only there', ''), 'no match', '`latin.txt` was not searched', 'encoding');
  });
});
