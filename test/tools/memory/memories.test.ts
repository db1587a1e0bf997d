import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expectClearError } from '../../support/clear.ts';
import { fingerprint } from '../../support/fingerprint.ts';
import { startWithMemories as start, toolsByName } from '../../support/memory-place.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const read = (path: string) => readFileSync(path, 'utf8');
/** Links out of a project are followed in one that the user trusts. */
const trusting = { user: { trusted_project_path_patterns: ['/**'] } };
const named = (memory_name: string) => ({ memory_name });

describe('write_memory and read_memory', () => {
  test('store a text under a normalized name', async () => {
    await using place = await start();
    const { client, own } = place;
    const written = await client.ask('write_memory', { memory_name: 'mem:auth/login.md', content: 'one\ntwo' });
    expect(written).toBe('Memory auth/login written.');
    expect(read(own('auth/login.md'))).toBe('one\ntwo');
    for (const name of ['auth/login', 'mem:auth/login', 'auth/login.md', 'auth\\login']) {
      expect(await client.ask('read_memory', named(name))).toBe('one\ntwo');
    }
  });

  test('replace a memory silently, keeping its mode and its line breaks', async () => {
    await using place = await start({ core: 'a\r\nb\r\n' });
    const { client, own } = place;
    chmodSync(own('core.md'), 0o600);
    expect(await client.ask('read_memory', named('core'))).toBe('a\nb\n');
    expect(await client.ask('write_memory', { memory_name: 'core', content: 'c\nd\n' })).toBe('Memory core written.');
    expect(read(own('core.md'))).toBe('c\r\nd\r\n');
    expect(statSync(own('core.md')).mode & 0o777).toBe(0o600);
    expect(readdirSync(own())).toEqual(['core.md']);
  });

  test('store non-ASCII text, whatever the encoding of the project', async () => {
    await using place = await start({}, { project: 'encoding: latin-1\n' });
    const content = 'größe 漢字 😀 \u2028';
    await place.client.ask('write_memory', { memory_name: 'größe', content });
    expect(read(place.own('größe.md'))).toBe(content);
    expect(await place.client.ask('read_memory', named('größe'))).toBe(content);
  });

  test('store global memories in the home directory, for all projects', async () => {
    await using place = await start();
    await place.client.ask('write_memory', { memory_name: 'global/style/code', content: 'tabs' });
    expect(read(place.shared('style/code.md'))).toBe('tabs');
    const other = makeWorkspace({ 'a.txt': '' });
    await place.client.ask('activate_project', { project: other.root });
    expect(await place.client.ask('read_memory', named('global/style/code'))).toBe('tabs');
  });

  test('reject a text longer than max_chars characters; 0 is a limit, -1 is the configured one', async () => {
    await using place = await start({}, { user: { default_max_tool_answer_chars: 10 } });
    const { client, own } = place;
    const write = (content: string, limit: Record<string, number>) =>
      client.call('write_memory', { memory_name: 'core', content, ...limit });
    for (const [content, limit, found] of [
      ['😀😀😀', { max_chars: 2 }, '3 characters; the limit is 2'],
      ['x', { max_chars: 0 }, '1 characters; the limit is 0'],
      ['x', { max_answer_chars: 0 }, '1 characters; the limit is 0'],
      ['x'.repeat(11), {}, '11 characters; the limit is 10'],
      ['x'.repeat(11), { max_chars: -1 }, '11 characters; the limit is 10'],
    ] as const) {
      expectClearError(await write(content, limit), 'write_memory: ValueError: ', found, 'hint: ');
    }
    expectClearError(await write('x', { max_chars: -2 }), 'ValueError: ', '`max_chars`');
    expect(existsSync(own())).toBe(false);
    for (const [content, limit] of [
      ['😀😀😀', { max_chars: 3 }],
      ['', { max_chars: 0 }],
      ['x'.repeat(11), { max_chars: 11, max_answer_chars: 1 }],
    ] as const) {
      expect((await write(content, limit)).text).toBe('Memory core written.');
    }
  });

  test('accept the older name of the parameter, and the limit for writing only', async () => {
    await using place = await start({ core: 'a text' });
    const older = { memory_file_name: 'core' };
    const ask = (tool: string, args: object) => place.client.ask(tool, { ...older, ...args });
    expect(await ask('read_memory', { max_answer_chars: 3 })).toBe('a text');
    expect(await ask('write_memory', { content: 'b text' })).toBe('Memory core written.');
    const edit = { needle: 'b', repl: 'c', mode: 'literal' };
    expect(await ask('edit_memory', edit)).toBe('Memory core edited successfully.');
    expect(read(place.own('core.md'))).toBe('c text');
    expect(await ask('read_memory', { memory_name: 'core', memory_file_name: 'nope' })).toBe('c text');
    expect(await ask('delete_memory', {})).toContain('deleted');
  });

  test('suggest similar names for a missing memory', async () => {
    await using place = await start({ 'auth/login': 'x' });
    for (const [tool, parameter, args] of toolsByName.filter(([name]) => /read|edit/.test(name))) {
      const answer = await place.client.call(tool, { ...args, [parameter]: 'auth/logn' });
      expectClearError(answer, `${tool}: FileNotFoundError: there is no memory \`auth/logn\``, '`auth/login`');
      expect(answer.text).toContain('list_memories');
    }
  });

  test('reject a file that is not UTF-8, and leave it unchanged', async () => {
    await using place = await start({ core: 'x' });
    const bytes = Buffer.from([0x61, 0xff, 0x62]);
    writeFileSync(place.own('latin.md'), bytes);
    for (const [tool, args] of [
      ['read_memory', {}],
      ['edit_memory', { needle: 'a', repl: 'b', mode: 'literal' }],
    ] as const) {
      const answer = await place.client.call(tool, { memory_name: 'latin', ...args });
      expectClearError(answer, 'UnicodeDecodeError: ', '`latin`', 'not UTF-8', 'hint: ');
    }
    expect(readFileSync(place.own('latin.md'))).toEqual(bytes);
  });

  test('create no directories when reading', async () => {
    await using place = await start();
    const { client, home, project } = place;
    await client.ask('list_memories');
    await client.ask('list_memories', { topic: 'auth' });
    for (const name of ['a/b/c', 'global/a/b']) await client.call('read_memory', named(name));
    await client.ask('delete_memory', named('a/b/c'));
    expect(existsSync(project.path('.serena/memories'))).toBe(false);
    expect(existsSync(join(home, 'memories'))).toBe(false);
  });
});

describe('a name', () => {
  test.each([
    ['..', 'the part `..`'],
    ['../../a', 'the part `..`'],
    ['global/../../serena_config', 'the part `..`'],
    ['/etc/passwd', 'it is an absolute path'],
    ['a//b', 'a part between `/` is empty'],
    ['a/', 'a part between `/` is empty'],
    ['', 'it is empty'],
    ['global', 'the topic of all global memories'],
    ['a\0b', 'a control character'],
    ['x'.repeat(5000), 'it has 5000 characters'],
    ['x'.repeat(300), 'longer than 200 bytes'],
  ])('that cannot be one is refused by every tool: %p', async (name, problem) => {
    await using place = await start({ core: 'x' });
    for (const [tool, parameter, args] of toolsByName) {
      const answer = await place.client.call(tool, { ...args, [parameter]: name });
      expectClearError(answer, `${tool}: ValueError: `, problem, 'hint: ');
      expect(answer.text.length).toBeLessThan(400);
    }
    if (name !== '' && name !== 'global' && name !== 'a/') {
      expectClearError(await place.client.call('list_memories', { topic: name }), 'ValueError: ', problem);
    }
    expect(await place.client.ask('list_memories')).toBe('{"memories": ["core"]}');
  });

  test('works through a linked directory in a trusted project', async () => {
    await using place = await start({ core: 'see `mem:shared/a`' }, trusting);
    const elsewhere = makeTempDir('elsewhere');
    writeFileSync(join(elsewhere, 'a.md'), 'linked');
    symlinkSync(elsewhere, place.own('shared'));
    symlinkSync(place.own(), place.own('circle'));
    expect(await place.client.ask('list_memories')).toBe('{"memories": ["core", "shared/a"]}');
    expect(await place.client.ask('read_memory', named('shared/a'))).toBe('linked');
    await place.client.ask('write_memory', { memory_name: 'shared/b', content: 'new' });
    expect(read(join(elsewhere, 'b.md'))).toBe('new');
    await place.client.ask('rename_memory', { old_name: 'shared/a', new_name: 'shared/c' });
    expect(readdirSync(elsewhere).sort()).toEqual(['b.md', 'c.md']);
    expect(read(place.own('core.md'))).toBe('see `mem:shared/c`');
  });

  test('of a linked file works if it is Markdown and trusted; deleting removes the link, not the file', async () => {
    await using place = await start({ core: 'x' }, trusting);
    const elsewhere = makeTempDir('elsewhere');
    const [notes, secret] = [join(elsewhere, 'notes.md'), join(elsewhere, 'id_rsa')];
    writeFileSync(notes, 'linked');
    writeFileSync(secret, 'secret');
    symlinkSync(notes, place.own('notes.md'));
    symlinkSync(secret, place.own('secret.md'));
    expect(await place.client.ask('list_memories')).toBe('{"memories": ["core", "notes"]}');
    await place.client.ask('edit_memory', { ...named('notes'), needle: 'linked', repl: 'edited', mode: 'literal' });
    expect(read(notes)).toBe('edited');
    expect(lstatSync(place.own('notes.md')).isSymbolicLink()).toBe(true);
    await place.client.ask('delete_memory', named('notes'));
    expect(read(notes)).toBe('edited');
    expect(existsSync(place.own('notes.md'))).toBe(false);
    for (const [tool, parameter, args] of toolsByName.filter(([, , extra]) => !('old_name' in extra))) {
      const answer = await place.client.call(tool, { ...args, [parameter]: 'secret' });
      expectClearError(answer, `${tool}: ValueError: `, 'a link to a file without the extension `.md`');
    }
    expect(read(secret)).toBe('secret');
  });

  test('of a link out of an untrusted project is neither read nor written', async () => {
    await using place = await start({ core: 'x', 'deep/inner': 'x' });
    const outside = makeTempDir('outside');
    for (const name of ['file.md', 'notes.md']) writeFileSync(join(outside, name), 'secret');
    symlinkSync(join(outside, 'file.md'), place.own('link.md'));
    symlinkSync(outside, place.own('away'));
    symlinkSync(place.own('deep'), place.own('near'));
    const before = fingerprint(outside);
    const list = await place.client.call('list_memories');
    expect(list.text).toBe('{"memories": ["core", "deep/inner", "near/inner"]}');
    for (const name of ['away', 'link.md']) expect(list.blocks[1]).toContain(`\`${place.own(name)}\` leads out of`);
    for (const name of ['link', 'away/notes']) {
      for (const [tool, parameter, args] of toolsByName) {
        const answer = await place.client.call(tool, { ...args, [parameter]: name });
        expectClearError(
          answer,
          `${tool}: ValueError: `,
          'leads out of the project',
          '`trusted_project_path_patterns`',
        );
        expect(answer.text).not.toContain('secret');
      }
    }
    // There is no file to read, but a new file would be written there.
    const added = await place.client.call('write_memory', { memory_name: 'away/new', content: 'x' });
    expectClearError(added, 'a symlink leads to');
    const moved = await place.client.call('rename_memory', { old_name: 'core', new_name: 'away/core' });
    expectClearError(moved, 'a symlink leads to');
    expect(fingerprint(outside)).toBe(before);
    expect(read(place.own('core.md'))).toBe('x');
  });

  test('of a memory directory that is linked out of the project is neither read nor written', async () => {
    const outside = makeTempDir('outside');
    writeFileSync(join(outside, 'core.md'), 'secret');
    await using place = await start({}, { project: 'initial_prompt: Read {{ embed_memory("core") }} first\n' });
    symlinkSync(outside, place.own());
    const before = fingerprint(outside);
    const activated = await place.client.call('activate_project', { project: place.project.root });
    expect(activated.text).toContain('Read  first');
    for (const [tool, args] of [
      ['read_memory', named('core')],
      ['write_memory', { ...named('core'), content: 'x' }],
      ['write_memory', { ...named('deep/new'), content: 'x' }],
    ] as const) {
      expectClearError(await place.client.call(tool, args), `${tool}: ValueError: `);
    }
    await place.client.call('onboarding');
    expect(fingerprint(outside)).toBe(before);
  });
});

test('only regular files are memories; others do not block', async () => {
  await using place = await start({ core: 'x' });
  execFileSync('mkfifo', [place.own('pipe.md')]);
  mkdirSync(place.own('directory.md'));
  expect(await place.client.ask('list_memories')).toBe('{"memories": ["core"]}');
  for (const name of ['pipe', 'directory']) {
    for (const [tool, args] of [
      ['read_memory', {}],
      ['write_memory', { content: 'x' }],
      ['delete_memory', {}],
    ] as const) {
      const answer = await place.client.call(tool, { ...named(name), ...args });
      expectClearError(answer, 'OSError: ', `${name}.md`, name === 'pipe' ? 'not a regular file' : 'it is a directory');
    }
  }
});

describe('list_memories', () => {
  const memories = {
    core: '',
    'auth/login': '',
    'auth/oauth/flow': '',
    authors: '',
    'global/style': '',
    'global/x/y': '',
  };

  test.each([
    ['', ['auth/login', 'auth/oauth/flow', 'authors', 'core', 'global/style', 'global/x/y']],
    ['auth', ['auth/login', 'auth/oauth/flow']],
    ['auth/oauth', ['auth/oauth/flow']],
    ['auth/', ['auth/login', 'auth/oauth/flow']],
    ['global', ['global/style', 'global/x/y']],
    ['global/x', ['global/x/y']],
  ])('below the topic "%s"', async (topic, names) => {
    await using place = await start(memories);
    expect(await place.client.ask('list_memories', { topic })).toBe(
      `{"memories": [${names.map((name) => `"${name}"`).join(', ')}]}`,
    );
  });

  test('is empty if there are none, and ignores other files', async () => {
    await using place = await start();
    expect(await place.client.ask('list_memories')).toBe('{}');
    mkdirSync(place.own('global'), { recursive: true });
    writeFileSync(place.own('notes.txt'), '');
    writeFileSync(place.own('global/hidden.md'), '');
    expect(await place.client.ask('list_memories', { topic: 'nope' })).toBe('{}');
    expect(await place.client.ask('list_memories')).toBe('{}');
  });

  test('does not walk a whole linked disk, and reports it', async () => {
    await using place = await start({ core: '' }, trusting);
    const many = makeTempDir('many');
    for (let index = 0; index <= 20_000; index++) writeFileSync(join(many, `${index}.txt`), '');
    symlinkSync(many, place.own('many'));
    const answer = await place.client.call('list_memories');
    expect(answer.text).toBe('{"memories": ["core"]}');
    expect(answer.blocks[1]).toContain(
      'Incomplete:\n- Some memories may be missing: the directory has more than 20000',
    );
  });
});

describe('delete_memory', () => {
  test('deletes, and reports a missing memory without an error', async () => {
    await using place = await start({ 'auth/login': 'x' });
    expect(await place.client.ask('delete_memory', named('mem:auth/login.md'))).toBe('Memory auth/login deleted.');
    expect(existsSync(place.own('auth/login.md'))).toBe(false);
    expect(await place.client.ask('delete_memory', named('auth/login'))).toBe('Memory auth/login not found.');
  });
});
