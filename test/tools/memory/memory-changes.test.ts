import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../../../src/edits/temporary.ts';
import { expectClearError } from '../../support/clear.ts';
import { startWithMemories as start, toolsByName } from '../../support/memory-place.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const named = (memory_name: string) => ({ memory_name });

describe('edit_memory', () => {
  const edit = (args: object) => ({ memory_name: 'core', allow_multiple_occurrences: false, ...args });

  test.each([
    ['(a)\n(b)', '$!2-$!1-$1-\\1', 'a\nb\nc', 'b-a-$1-\\1\nc'],
    ['(zz)?X', '[$!1]', 'X', '[]'],
    ['start(?!\nfoo).*?end', '', 'start\nfoo\nstart\nbar\nend', 'start\nfoo\n'],
  ])('replaces what a pattern matches: %j', async (needle, repl, before, after) => {
    await using place = await start({ core: before });
    const answer = await place.client.ask('edit_memory', edit({ needle, repl, mode: 'regex' }));
    expect(answer).toBe('Memory core edited successfully.');
    expect(read(place.own('core.md'))).toBe(after);
  });

  test('inserts a literal replacement unchanged', async () => {
    await using place = await start({ core: 'a.b\r\nc' });
    await place.client.ask('edit_memory', edit({ needle: 'a.b\n', repl: '$!1\\1\n', mode: 'literal' }));
    expect(read(place.own('core.md'))).toBe('$!1\\1\r\nc');
  });

  test('accepts the older parameter `regex`', async () => {
    await using place = await start({ core: 'abc' });
    await place.client.ask('edit_memory', {
      memory_name: 'core',
      regex: 'b|c',
      repl: '-',
      allow_multiple_occurrences: true,
    });
    expect(read(place.own('core.md'))).toBe('a--');
  });

  test.each([
    ['ambiguous', { needle: 'start.*?end', repl: '', mode: 'regex' }, 'ValueError: '],
    ['not there', { needle: 'zzz', repl: '', mode: 'literal' }, 'ValueError: '],
    ['there twice', { needle: 'start', repl: '', mode: 'literal' }, 'ValueError: '],
    ['a group that is not', { needle: 'foo', repl: '[$!5]', mode: 'regex' }, 'IndexError: '],
    ['no pattern', { needle: '(', repl: '', mode: 'regex' }, 'ValueError: '],
  ])('refuses a needle that is %s, and writes nothing', async (_, args, kind) => {
    const text = 'start\nfoo\nstart\nbar\nend';
    await using place = await start({ core: text });
    const answer = await place.client.call('edit_memory', edit(args));
    expectClearError(answer, `edit_memory: ${kind}`, 'hint: ');
    expect(read(place.own('core.md'))).toBe(text);
  });

  test('stops a pattern that never ends', async () => {
    await using place = await start({ core: `${'a'.repeat(60)}b` });
    const answer = await place.client.call('edit_memory', edit({ needle: '(a|aa)+$', repl: '', mode: 'regex' }));
    expectClearError(answer, 'takes too long');
  });
});

describe('rename_memory', () => {
  const rename = (old_name: string, new_name: string) => ({ old_name, new_name });

  test('updates references, also in the memory itself, and no other text', async () => {
    await using place = await start({
      core: 'I am `mem:core`\r\n',
      a: '`mem:core` mem:core2 mem:core/x mem:core.\n',
      'global/g': 'mem:core',
      untouched: 'core',
    });
    expect(await place.client.ask('rename_memory', rename('core', 'mem:kernel.md'))).toBe(
      'Memory core renamed to kernel. Updated references: 4 (memories: 3).',
    );
    expect(read(place.own('kernel.md'))).toBe('I am `mem:kernel`\r\n');
    expect(read(place.own('a.md'))).toBe('`mem:kernel` mem:core2 mem:core/x mem:kernel.\n');
    expect(read(place.shared('g.md'))).toBe('mem:kernel');
    expect(existsSync(place.own('core.md'))).toBe(false);
    expect(await place.client.ask('list_memories')).toBe('{"memories": ["a", "global/g", "kernel", "untouched"]}');
  });

  test('moves between topics, and between project and home', async () => {
    await using place = await start({ core: 'x', a: 'mem:core' });
    await place.client.ask('rename_memory', rename('core', 'global/new/core'));
    expect(read(place.shared('new/core.md'))).toBe('x');
    expect(read(place.own('a.md'))).toBe('mem:global/new/core');
    expect(await place.client.ask('rename_memory', rename('global/new/core', 'sub/core'))).toContain('sub/core');
    expect(read(place.own('sub/core.md'))).toBe('x');
    expect(read(place.own('a.md'))).toBe('mem:sub/core');
  });

  test('rejects a name in use, including its own', async () => {
    await using place = await start({ core: 'x', kernel: 'y' });
    for (const target of ['kernel', 'core']) {
      const answer = await place.client.call('rename_memory', rename('core', target));
      expectClearError(answer, `FileExistsError: the memory \`${target}\` already exists`);
    }
    expectClearError(await place.client.call('rename_memory', rename('nope', 'new')), 'FileNotFoundError: ');
    expect([read(place.own('core.md')), read(place.own('kernel.md'))]).toEqual(['x', 'y']);
  });

  test('leaves read-only memories unchanged and reports that they still refer to the old name', async () => {
    const patterns = { read_only_memory_patterns: ['fixed/.*'] };
    await using place = await start({ core: 'x', 'fixed/a': 'mem:core', b: 'mem:core' }, { user: patterns });
    const answer = await place.client.call('rename_memory', rename('core', 'kernel'));
    expect(answer.blocks).toEqual([
      'Memory core renamed to kernel. Updated references: 1 (memories: 1).',
      'Note:\n- Read-only memories that still refer to `mem:core`: `fixed/a`',
    ]);
    expect([read(place.own('fixed/a.md')), read(place.own('b.md'))]).toEqual(['mem:core', 'mem:kernel']);
  });

  test('reports the memories that it could not read', async () => {
    await using place = await start({ core: 'x' });
    writeFileSync(place.own('latin.md'), Buffer.from([0xff]));
    const answer = await place.client.call('rename_memory', rename('core', 'kernel'));
    expect(answer.blocks[1]).toStartWith('Incomplete:\n- References in the memory `latin` were not changed: ');
  });

  test('changes nothing if the new file cannot be written', async () => {
    await using place = await start({ core: 'mem:core', a: 'mem:core' });
    writeFileSync(place.own('new'), 'a file');
    const answer = await place.client.call('rename_memory', rename('core', 'new/kernel'));
    expectClearError(answer, 'NotADirectoryError: ', 'new/kernel.md');
    expect([read(place.own('core.md')), read(place.own('a.md'))]).toEqual(['mem:core', 'mem:core']);
    expect(await place.client.ask('list_memories')).toBe('{"memories": ["a", "core"]}');
  });
});

test('an interrupted change of several memories is finished when a project is opened', async () => {
  await using place = await start({ core: 'x', a: 'mem:core' });
  const id = '1-aaaaaaaaaaaa';
  const own = join(place.home, 'edits/memories', id);
  mkdirSync(own, { recursive: true });
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const write = (index: number, target: string, after: string, before?: string) => {
    const staged = temporaryPath(target, { id, index, role: 'new' });
    writeFileSync(staged, after);
    return { do: 'write', target, staged, after: sha256(after), ...(before ? { before: sha256(before) } : {}) };
  };
  const steps = [
    write(0, place.own('kernel.md'), 'x'),
    { do: 'remove', target: place.own('core.md'), before: sha256('x') },
    write(2, place.own('a.md'), 'mem:kernel', 'mem:core'),
  ];
  writeFileSync(join(own, 'journal.json'), JSON.stringify(steps));
  const answer = await place.client.call('list_memories');
  expect(answer.text).toBe('{"memories": ["a", "kernel"]}');
  expect(answer.blocks[1]).toContain('An interrupted edit of 3 files has been finished');
  expect(read(place.own('a.md'))).toBe('mem:kernel');
});

describe('patterns of the configuration', () => {
  const memories = { core: 'x', 'fixed/a': 'x', 'secret/a': 'x', 'global/g': 'x', 'global/private': 'x' };
  const user = { read_only_memory_patterns: ['global/.*'], ignored_memory_patterns: ['(?i)SECRET/.*'] };
  const project = 'read_only_memory_patterns: [fixed/.*]\nignored_memory_patterns: ["global/p.*", "cor"]\n';

  test('hide memories and list read-only ones separately; they match whole names', async () => {
    await using place = await start(memories, { user, project });
    expect(await place.client.ask('list_memories')).toBe(
      '{"memories": ["core"], "read_only_memories": ["fixed/a", "global/g"]}',
    );
    expect(await place.client.ask('list_memories', { topic: 'fixed' })).toBe('{"read_only_memories": ["fixed/a"]}');
    expect(await place.client.ask('list_memories', { topic: 'secret' })).toBe('{}');
    expect(await place.client.ask('read_memory', named('fixed/a'))).toBe('x');
  });

  test('block every tool for hidden memories, with the path of the file', async () => {
    await using place = await start(memories, { user, project });
    for (const [tool, parameter, args] of toolsByName) {
      const answer = await place.client.call(tool, { ...args, [parameter]: 'secret/a' });
      expectClearError(answer, `${tool}: ValueError: \`ignored_memory_patterns\` hides`, '`read_file`');
    }
    expect(read(place.own('secret/a.md'))).toBe('x');
    const path = /"([^"]+secret\/a\.md)"/.exec((await place.client.call('read_memory', named('secret/a'))).text)?.[1];
    expect(await place.client.ask('read_file', { relative_path: path })).toBe('x');
  });

  test('block writing tools for read-only memories, as source and as target', async () => {
    await using place = await start(memories, { user, project });
    for (const [tool, parameter, args] of toolsByName.filter(([name]) => name !== 'read_memory')) {
      for (const name of ['fixed/a', 'global/g', 'fixed/new']) {
        const answer = await place.client.call(tool, { ...args, [parameter]: name });
        expectClearError(answer, `${tool}: PermissionError: `, '`read_only_memory_patterns`', `\`${name}\``);
      }
    }
    expect([read(place.own('fixed/a.md')), read(place.shared('g.md'))]).toEqual(['x', 'x']);
    expect(existsSync(place.own('fixed/new.md'))).toBe(false);
  });

  test('of the older key protect global memories', async () => {
    await using place = await start(memories, { user: { edit_global_memories: false } });
    expectClearError(await place.client.call('delete_memory', named('global/g')), 'PermissionError: ');
    expect(await place.client.ask('delete_memory', named('core'))).toBe('Memory core deleted.');
  });

  test.each([
    ['read_only_memory_patterns', '(', 'write_memory', { content: 'x' }],
    ['ignored_memory_patterns', 'a)|(b', 'read_memory', {}],
    ['ignored_memory_patterns', '*', 'list_memories', {}],
    ['ignored_memory_patterns', '(a|aa)+b', 'read_memory', { memory_name: 'a'.repeat(60) }],
  ])('that are invalid are reported by key and pattern: %s: %s', async (key, pattern, tool, args) => {
    await using place = await start({ core: 'x' }, { project: `${key}: ["${pattern}"]\n` });
    const answer = await place.client.call(tool, { memory_name: 'core', ...args });
    expectClearError(answer, `${tool}: ValueError: key \`${key}\`: `, `\`${pattern}\``, 'hint: ');
    expect(await place.client.ask('read_file', { relative_path: 'a.txt' })).toBe('a');
    expect(read(place.own('core.md'))).toBe('x');
  });
});
