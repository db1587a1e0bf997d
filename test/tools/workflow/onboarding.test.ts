import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { startWithMemories as start } from '../../support/memory-place.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const pending = 'This project was not onboarded yet: ask the user whether to call `onboarding`.';
const activate = { project: 'p' };

describe('onboarding', () => {
  test('names the system and the memories to write, and writes the one about memories', async () => {
    await using place = await start();
    const text = await place.client.ask('onboarding');
    expect(text).toContain(`The operating system is ${type()}.`);
    expect(text).toContain('`mem:memory_maintenance`');
    for (const name of [
      'core',
      'tech_stack',
      'suggested_commands',
      'conventions',
      'task_completion',
      '<module>/core',
    ]) {
      expect(text).toContain(`\`${name}\``);
    }
    expect(text).toContain('`write_memory`');
    const seeded = readFileSync(place.own('memory_maintenance.md'), 'utf8');
    expect(seeded).toBe(
      readFileSync(join(import.meta.dir, '../../../resources/templates/memory_maintenance.md'), 'utf8'),
    );
    expect(await place.client.ask('read_memory', { memory_name: 'mem:memory_maintenance' })).toBe(seeded);
  });

  test('leaves a memory about memories as it is, the global one first', async () => {
    await using own = await start({ memory_maintenance: 'mine' });
    expect(await own.client.ask('onboarding')).toContain('`mem:memory_maintenance`');
    expect(readFileSync(own.own('memory_maintenance.md'), 'utf8')).toBe('mine');
    await using shared = await start({ 'global/memory_maintenance': 'for all' });
    expect(await shared.client.ask('onboarding')).toContain('`mem:global/memory_maintenance`');
    expect(existsSync(shared.own())).toBe(false);
    expect(readFileSync(shared.shared('memory_maintenance.md'), 'utf8')).toBe('for all');
  });

  test.each(['read_only_memory_patterns', 'ignored_memory_patterns'])(
    'goes without it where %s forbids it',
    async (key) => {
      await using place = await start({}, { user: { [key]: ['.*maintenance'] } });
      const text = await place.client.ask('onboarding');
      expect(text).toContain('`tech_stack`');
      expect(text).not.toContain('maintenance');
      expect(existsSync(place.own())).toBe(false);
    },
  );

  test('is skipped where memories cannot be written', async () => {
    await using place = await start({}, { user: { excluded_tools: ['write_memory'] } });
    expect(await place.client.ask('onboarding')).toContain('Onboarding is skipped');
    expect(existsSync(place.own())).toBe(false);
  });
});

describe('whether a project was studied', () => {
  test('is told by check_onboarding_performed and when it is activated', async () => {
    await using place = await start({ 'global/style': 'x' });
    const { client, own } = place;
    const check = () => client.ask('check_onboarding_performed');
    expect(await check()).toBe(
      'Onboarding was not performed: the project has no memories. Ask the user whether to perform it by calling `onboarding`.',
    );
    expect(await client.ask('activate_project', activate)).toContain(`File encoding: utf-8.\n${pending}`);
    await client.ask('onboarding');
    // What we wrote ourselves is no study.
    expect(await check()).toStartWith('Onboarding was not performed');
    expect(await client.ask('activate_project', activate)).toContain(
      `Memories of the project: {"memories": ["memory_maintenance"]}\n${pending}`,
    );
    await client.ask('write_memory', { memory_name: 'größe', content: 'x' });
    expect(await check()).toBe(
      'Onboarding was performed. Memories of the project: {"memories": ["größe", "memory_maintenance"]}. Read the memories relevant to your task with `read_memory`.',
    );
    expect(await client.ask('activate_project', activate)).toContain(
      'Memories of the project: {"memories": ["gr\\u00f6\\u00dfe", "memory_maintenance"]}\nRead the memories relevant to your task with `read_memory`.',
    );
    expect(readdirSync(own()).sort()).toEqual(['größe.md', 'memory_maintenance.md']);
  });

  test('is told in the manual as well, with the memories for every project', async () => {
    const user = { read_only_memory_patterns: ['.*/fixed'], ignored_memory_patterns: ['.*hidden'] };
    const memories = {
      core: '',
      hidden: '',
      'x/fixed': '',
      'global/style': '',
      'global/hidden': '',
      'global/fixed': '',
    };
    await using place = await start(memories, { user });
    const manual = await place.client.ask('initial_instructions');
    expect(manual).toContain(
      'These apply to all projects: {"memories": ["global/style"], "read_only_memories": ["global/fixed"]}',
    );
    expect(manual).toContain('Memories of the project: {"memories": ["core"], "read_only_memories": ["x/fixed"]}');
    expect(manual).not.toContain('hidden');
  });

  test('is not told where memories cannot be read, nor is onboarding where it is excluded', async () => {
    await using blind = await start({ core: '', 'global/style': '' }, { user: { excluded_tools: ['read_memory'] } });
    const manual = await blind.client.ask('initial_instructions');
    expect(manual).not.toMatch(/[Mm]emor(y|ies)/);
    expect(await blind.client.ask('activate_project', activate)).not.toMatch(/[Mm]emor(y|ies)/);
    expect(await blind.client.ask('check_onboarding_performed')).not.toContain('`');
    await using quiet = await start({}, { project: 'excluded_tools: [onboarding]\n' });
    for (const tool of ['check_onboarding_performed', 'initial_instructions']) {
      expect(await quiet.client.ask(tool)).not.toContain('`onboarding`');
    }
    expect(await quiet.client.ask('activate_project', activate)).not.toContain('onboarding');
  });

  test('of another project is told by its own configuration and memories', async () => {
    const first = makeWorkspace({
      '.serena/project.yml': 'project_name: first\nexcluded_tools: [read_memory]\n',
      'a.txt': '',
    });
    const second = makeWorkspace({ '.serena/project.yml': 'project_name: second\n', '.serena/memories/only.md': '' });
    const options: ClientOptions = {
      args: ['--project', first.root],
      env: { SERENA_HOME: makeHome({ projects: [first.root, second.root] }) },
    };
    await using client = await startClient(options);
    await client.ask('read_file', { relative_path: 'a.txt' });
    expect(await client.ask('activate_project', { project: 'second' })).toContain('{"memories": ["only"]}');
    expect(await client.ask('activate_project', { project: 'first' })).not.toContain('emor');
  });

  test('cannot be told with a bad pattern, which is said; the project works', async () => {
    await using place = await start({ core: '', 'global/style': '' }, { project: 'ignored_memory_patterns: ["("]\n' });
    const problem = 'cannot be listed: key `ignored_memory_patterns`: cannot use the regular expression `(`';
    const message = await place.client.ask('activate_project', activate);
    expect(message).toContain(`The memories of the project ${problem}`);
    const manual = await place.client.ask('initial_instructions');
    expect(manual).toContain(`These apply to all projects: ${problem}`);
  });

  test('without a project, the manual tells the memories for every project all the same', async () => {
    const home = makeHome({ ignored_memory_patterns: ['global/h.*'] });
    mkdirSync(join(home, 'memories/global'), { recursive: true });
    for (const name of ['style', 'hidden']) writeFileSync(join(home, `memories/global/${name}.md`), '');
    await using client = await startClient({ env: { SERENA_HOME: home } });
    expect(await client.ask('initial_instructions')).toContain('all projects: {"memories": ["global/style"]}');
  });
});
