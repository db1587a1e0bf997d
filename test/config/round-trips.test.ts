// A project can be shared with users of the Python product `serena-agent`: its real loaders read the files that this
// program writes, and this program reads what they write.
import { describe, expect } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { listNamedFiles } from '../../src/config/named-file.ts';
import { startClient } from '../support/client.ts';
import { runProgram } from '../support/program.ts';
import { installReference, type Reference, referenceVersions, whyNoReference } from '../support/reference.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const test = testUnless(whyNoReference());
// The first test installs a release of the reference.
const testMs = 300_000;
const source = { 'a.sh': 'true\n', 'b.py': 'def one():\n    pass\n', 'c.py': 'x = 1\n' };

async function ours(home: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram(args, { env: { SERENA_HOME: home, EDITOR: 'true' } });
  if (code !== 0) throw new Error(`serena ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** This program's answers to the calls that {@link Reference.ask} makes. */
async function ask(home: string, args: readonly string[], calls: Parameters<Reference['ask']>[2]): Promise<string[]> {
  await using client = await startClient({ args, env: { SERENA_HOME: home } });
  const texts: string[] = [];
  for (const call of calls) texts.push(await client.ask(call.name, call.args));
  return texts;
}

const userConfig = (home: string) => readFileSync(join(home, 'serena_config.yml'), 'utf8');
const projectsIn = (home: string): unknown => parse(userConfig(home)).projects;

describe.each(referenceVersions)('files of this program, read by serena-agent %s', (version) => {
  test(
    'a project from `project create`, and one from an activation',
    async () => {
      const reference = await installReference(version);
      for (const isActivated of [false, true]) {
        const home = makeTempDir('trip-home');
        await using project = makeWorkspace(source);
        if (isActivated) await ask(home, ['--project', project.root], [{ name: 'get_current_config' }]);
        else await ours(home, 'project', 'create', project.root);
        const name = basename(project.root);
        const [manual] = await reference.run(home, [['print-system-prompt', project.root, '--only-instructions']]);
        expect(manual).toMatchObject({ code: 0, error: null });
        // An activation leaves no file in the project, so that serena-agent writes its own.
        const begin = isActivated
          ? `Created and activated a new project with name '${name}' at ${project.root}.`
          : `The project with name '${name}' at ${project.root} is activated`;
        expect(manual?.output).toContain(begin);
        expect(manual?.output).toContain('Active language servers: python.');
        // serena-agent writes both files again. Nothing is lost, and they are read as before.
        expect(projectsIn(home)).toEqual([project.root]);
        expect(parse(project.read('.serena/project.yml'))).toMatchObject({
          project_name: name,
          language_servers: ['python'],
          ...(isActivated ? {} : { other_language_servers: true }),
        });
        const [state = ''] = await ask(
          home,
          ['--project', name],
          [{ name: 'activate_project', args: { project: name } }],
        );
        expect(state).toContain(isActivated ? 'python (2 files)' : 'python (2 files), bash (1 file)');
      }
    },
    testMs,
  );

  test(
    'copies of each context and mode, and new ones',
    async () => {
      const reference = await installReference(version);
      const home = makeTempDir('trip-home');
      await using project = makeWorkspace(source);
      await ours(home, 'project', 'create', project.root);
      const prompts: Record<string, string> = {};
      for (const kind of ['context', 'mode'] as const) {
        for (const { name } of listNamedFiles(`${kind}s`, home))
          await ours(home, kind, 'create', '--from-internal', name);
        await ours(home, kind, 'create', '--name', 'mine');
        for (const { name, path = '' } of listNamedFiles(`${kind}s`, home)) {
          const { prompt } = parse(readFileSync(path, 'utf8'));
          prompts[`${kind} ${name}`] =
            String(prompt ?? '')
              .split(/[{\n]/)[0]
              ?.trim() ?? '';
        }
      }
      const modes = listNamedFiles('modes', home).flatMap(({ name }) => ['--mode', name]);
      const contexts = listNamedFiles('contexts', home).map(({ name }) => name);
      const calls = [...contexts.map((name) => ['--context', name]), modes];
      const start = ['print-system-prompt', project.root, '--only-instructions'];
      const ends = await reference.run(
        home,
        calls.map((call) => [...start, ...call]),
      );
      for (const [index, end] of ends.entries()) {
        const name = contexts[index];
        expect([name, end.code, end.error]).toEqual([name, 0, null]);
        const expected = name === undefined ? Object.entries(prompts).filter(([key]) => key.startsWith('mode ')) : [];
        const texts = name === undefined ? expected.map(([, text]) => text) : [prompts[`context ${name}`] ?? ''];
        for (const text of texts) expect(end.output).toContain(text);
      }
      expect(ends).toHaveLength(contexts.length + 1);
    },
    testMs,
  );

  test(
    'memories',
    async () => {
      const reference = await installReference(version);
      const home = makeTempDir('trip-home');
      await using project = makeWorkspace(source);
      const write = (name: string) => ({
        name: 'write_memory',
        args: { memory_name: name, content: `About ${name}\n` },
      });
      const read = (name: string) => ({ name: 'read_memory', args: { memory_name: name } });
      const names = ['deep/topic', 'global/style'];
      await ask(home, ['--project', project.root], names.map(write));
      const theirs = await reference.ask(home, ['--project', project.root], [...names.map(read), write('theirs')]);
      expect(theirs.slice(0, 2)).toEqual(names.map((name) => `About ${name}\n`));
      expect(await ask(home, ['--project', project.root], [read('theirs')])).toEqual(['About theirs\n']);
    },
    testMs,
  );
});

/** A key that serena-agent does not have. */
const customServer = 'custom_language_servers: {mine: {command: mine, files: {.mine: mine}}}\n';

describe.each(referenceVersions)('files of serena-agent %s, read by this program', (version) => {
  test(
    'its configuration, in which this program changes only the line of one project',
    async () => {
      const reference = await installReference(version);
      const home = makeTempDir('trip-home');
      await using project = makeWorkspace(source);
      await using other = makeWorkspace(source);
      const [created] = await reference.run(home, [['project', 'create', project.root, '--ls', 'python']]);
      expect(created).toMatchObject({ code: 0, error: null });
      const file = join(home, 'serena_config.yml');
      writeFileSync(file, `${userConfig(home)}\nof_the_future:   {a: 1}  # kept\n${customServer}`);
      const shared = `${project.read('.serena/project.yml')}\nof_the_future: [ 1,2 ]\n`;
      project.write('.serena/project.yml', shared);
      const before = userConfig(home);

      await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
      expect(await client.ask('get_current_config')).toContain(`(${project.root})`);
      const odd = client.stderr.split('\n').filter((line) => /^(WARNING|ERROR)/.test(line));
      expect(odd.map((line) => line.replace(/^.* - /, ''))).toEqual([
        expect.stringContaining('`of_the_future`'),
        expect.stringContaining('`of_the_future`'),
      ]);
      await ours(home, 'project', 'create', other.root);
      const [added, removed] = differences(before, userConfig(home));
      expect([added, removed]).toEqual([[`- ${other.root}`], []]);
      await ours(home, 'project', 'remove', other.root);
      expect(userConfig(home)).toBe(before);
      expect(project.read('.serena/project.yml')).toBe(shared);
    },
    testMs,
  );

  test(
    'its contexts and modes',
    async () => {
      const reference = await installReference(version);
      const home = makeTempDir('trip-home');
      const kinds = ['context', 'mode'];
      const lists = await reference.run(
        home,
        kinds.map((kind) => [kind, 'list']),
      );
      const internal = kinds.map((kind, index) => {
        const lines = (lists[index]?.output ?? '').matchAll(/^([\w.-]+) +\(internal\)$/gm);
        return { kind, names: [...lines].map(([, name = '']) => name) };
      });
      await reference.run(
        home,
        internal.flatMap(({ kind, names }) => names.map((name) => [kind, 'create', '--from-internal', name])),
      );
      for (const { kind, names } of internal) {
        expect(names.length).toBeGreaterThan(5);
        expect(readdirSync(join(home, `${kind}s`))).toHaveLength(names.length);
        const calls =
          kind === 'mode'
            ? [['print-system-prompt', ...names.flatMap((name) => ['--mode', name])]]
            : names.map((name) => ['tools', 'description', 'find_symbol', '--context', name]);
        for (const call of calls) {
          const { code, stderr } = await runProgram(call, { env: { SERENA_HOME: home } });
          expect([call, code, stderr]).toEqual([call, 0, '']);
        }
      }
    },
    testMs,
  );

  test(
    'overrides of prompts, with the same rendered text',
    async () => {
      const reference = await installReference(version);
      const home = makeTempDir('trip-home');
      await using project = makeWorkspace({ ...source, '.serena/memories/core.md': 'The core.\n' });
      await ours(home, 'project', 'create', project.root);
      for (const [path, text] of Object.entries(overrides)) {
        mkdirSync(join(home, path, '..'), { recursive: true });
        writeFileSync(join(home, path), text);
      }
      const args = ['--project', project.root, '--context', 'mine', '--mode', 'mine'];
      const calls = [{ name: 'initial_instructions' }, { name: 'onboarding' }];
      const [theirs, own] = [await reference.ask(home, args, calls), await ask(home, args, calls)];
      const manual = (text = '') => text.slice(text.indexOf('BEGIN'), text.indexOf('\nEND') + 4);
      expect(manual(own[0])).toContain('YES');
      expect(manual(own[0])).toBe(manual(theirs[0]));
      expect(own[1]).toContain('`mem:memory_maintenance`');
      expect(own[1]).toBe(theirs[1] ?? '');
    },
    testMs,
  );
});

/** Uses everything that templates can use, except the tools themselves. */
const overrides: Readonly<Record<string, string>> = {
  'memories/global/style.md': 'Short.\n',
  'contexts/mine.yml': [
    'description: mine',
    'prompt: |',
    "  In a client.{% if 'find_symbol' in available_tools %} It finds.{% endif %}",
    '',
    "  {{ embed_memory('core') }}",
    'excluded_tools: [execute_shell_command]',
  ].join('\n'),
  'modes/mine.yml': [
    'description: mine',
    'prompt: |',
    "  {% for tool in ['find_symbol', 'nothing'] %}",
    "  {{ tool }}: {{ 'there' if tool in available_tools else 'missing' }}",
    '  {% endfor %}',
  ].join('\n'),
  'prompt_templates/system_prompt.yml': [
    'prompts:',
    '  system_prompt: |',
    '    BEGIN',
    "    {{ tool_names['find_symbol'] }} {{ tool_names['replace_content'] }}",
    "    {% if 'ToolMarkerSymbolicRead' in available_markers %}",
    '    reads symbols',
    '    {% endif %}',
    "    {% if 'execute_shell_command' in available_tools %}",
    '    runs commands',
    '    {% endif %}',
    '',
    '',
    '    [{{ context_system_prompt }}]',
    '    {% for prompt in mode_system_prompts -%}',
    '    {% if \'name="mine"\' in prompt %}[{{ prompt }}]{% endif %}',
    '    {%- endfor %}',
    '    {% if global_memories_list %}global{% endif %} [{{ nothing }}]',
    "    {%- if 'find_symbol' in available_tools %} YES{% else %} NO{% endif -%}",
    '    !',
    '    END',
  ].join('\n'),
  'prompt_templates/simple_tool_outputs.yml': [
    'prompts:',
    '  onboarding_prompt: |',
    '    On {{ system }}, read `mem:{{ memory_maintenance_name }}`.',
  ].join('\n'),
};

/** Returns the lines that are only in `after` and those that are only in `before`, with repetitions. */
function differences(before: string, after: string): [added: string[], removed: string[]] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const without = (all: readonly string[], others: readonly string[]) => {
    const rest = [...others];
    return all.filter((line) => {
      const index = rest.indexOf(line);
      if (index !== -1) rest.splice(index, 1);
      return index === -1;
    });
  };
  return [without(now, old), without(old, now)];
}
