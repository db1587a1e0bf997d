import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tools } from '../../src/tools/tools.ts';
import { expectClearError, expectClearExit } from '../support/clear.ts';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { runProgram } from '../support/program.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Tools that return a prompt and need only a project. */
const promptTools = [
  ...['think_about_collected_information', 'think_about_task_adherence', 'think_about_whether_you_are_done'],
  ...['summarize_changes', 'prepare_for_new_conversation', 'onboarding', 'initial_instructions'],
];

/** Creates a home directory with these files besides its configuration. */
function homeWith(files: Readonly<Record<string, string>>, config: object = {}): string {
  const included = 'fixed_tools' in config ? {} : { included_optional_tools: ['summarize_changes'] };
  const home = makeHome({ ...included, ...config });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

const files = { '.serena/project.yml': 'project_name: p\n', '.serena/memories/core.md': '# Core\n', 'a.txt': '' };

function start(home: string, project: Readonly<Record<string, string>> = files) {
  return startClient({ args: ['--project', makeWorkspace(project).root], env: { SERENA_HOME: home } });
}

describe('built-in prompts', () => {
  test('name no inactive tool and contain no template syntax', async () => {
    const others = tools.map(({ name }) => name).filter((name) => !promptTools.includes(name));
    await using bare = await start(homeWith({}, { fixed_tools: [...promptTools, 'write_memory'] }));
    await using full = await start(homeWith({}));
    for (const tool of promptTools) {
      const texts = [await bare.ask(tool), await full.ask(tool)];
      for (const text of texts) expect(text).not.toMatch(/\{[{%#]|undefined|null|\n\n\n|^\n|\n$/);
      for (const name of others.filter((name) => name !== 'write_memory'))
        expect(texts[0]).not.toContain(`\`${name}\``);
    }
    await using mute = await start(homeWith({}, { fixed_tools: promptTools }));
    expect(await mute.ask('prepare_for_new_conversation')).not.toContain('write_memory');
    expect(await full.ask('prepare_for_new_conversation')).toContain('`write_memory`');
    expect(await full.ask('think_about_task_adherence')).toContain('`read_memory`');
  });
});

describe('user prompts', () => {
  test('replace built-in ones by name and have access to the tools and the values of the prompt', async () => {
    const home = homeWith({
      'prompt_templates/mine.yml': [
        'prompts:',
        '  think_about_task_adherence: |',
        "    Adhere{% if 'read_memory' in available_tools %}, read{% endif %}.",
        "    {{ tool_names['replace_regex'] }} {{ 'ToolMarkerCanEdit' in available_markers }} {{ unknown }}",
        '  summarize_changes: [one, two]',
        '  onboarding_prompt: "On {{ system }}: {{ memory_maintenance_name }}"',
        '  system_prompt: "{{ context_system_prompt }}|{% for mode in mode_system_prompts %}{{ mode }}{% endfor %}|{{ global_memories_list }}"',
        '  nobody_asks_for_this: x',
      ].join('\n'),
      'prompt_templates/second.yml': 'lang: default\nprompts:\n  connection_prompt: Read the manual.\n',
      'prompt_templates/other.yml': 'lang: klingon\nprompts:\n  summarize_changes: nuqneH\n',
      'prompt_templates/notes.txt': 'no prompts',
      'prompt_templates/empty.yml': '',
      'memories/global/style.md': '',
    });
    await using client = await start(home);
    expect(client.client.getInstructions()).toBe('Read the manual.');
    expect(await client.ask('think_about_task_adherence')).toBe('Adhere, read.\nreplace_content true');
    expect(await client.ask('summarize_changes')).toBe('one\ntwo');
    expect(await client.ask('onboarding')).toBe(
      `On ${process.platform === 'linux' ? 'Linux' : 'Darwin'}: memory_maintenance`,
    );
    const manual = await client.ask('initial_instructions');
    expect(manual).toMatch(
      /^<serena>\n<context>\n[^|]*\|<mode name="editing">[^|]*<mode name="interactive">[^|]*\|\{"memories": \["global\/style"\]\}\n<\/serena>/,
    );
    expect(await client.ask('think_about_whether_you_are_done')).toContain('Before you report that you are done');
  });

  test('that are broken are reported with their file; calls that do not need them work', async () => {
    const path = 'prompt_templates/mine.yml';
    for (const [text, ...parts] of [
      ['prompts:\n  summarize_changes: "{% if x %}"\n', 'mine.yml:2: ', 'is broken: `if` has no `endif`'],
      ['prompts:\n  summarize_changes: |\n    a\n    {{ nope() }}\n', 'mine.yml:4: ', 'is broken'],
    ] as const) {
      const home = homeWith({ [path]: text });
      await using client = await start(home);
      expectClearError(await client.call('summarize_changes'), 'ValueError: ', join(home, path), 'hint: ', ...parts);
      expect(await client.ask('think_about_whether_you_are_done')).toContain('done');
    }
  });

  test.each([
    ['prompts: [\n', ':2: '],
    ['prompts:\n  one: {a: 1}\n', ':2: key `prompts.one`'],
    ['- a\n', 'the top level'],
  ])('in a file that cannot be read end the start: %j', async (text, part) => {
    const home = homeWith({ 'prompt_templates/mine.yml': text });
    const ended = await runProgram(['start-mcp-server'], { env: { SERENA_HOME: home } });
    expectClearExit(ended, 78, `${join(home, 'prompt_templates/mine.yml')}`, part);
  });

  test('of the same name in two files stop the start with both paths', async () => {
    const home = homeWith({
      'prompt_templates/a.yml': 'prompts:\n  summarize_changes: a\n',
      'prompt_templates/b.yml': 'prompts:\n  summarize_changes: b\n',
    });
    const ended = await runProgram(['start-mcp-server'], { env: { SERENA_HOME: home } });
    expectClearExit(ended, 78, '`summarize_changes` is defined twice', 'a.yml', 'b.yml', 'hint: ');
  });
});

describe('templates of modes, contexts and projects', () => {
  test('may embed memories; unreadable ones are left out', async () => {
    const home = homeWith(
      {
        'modes/mine.yml':
          "prompt: \"<{{ embed_memory('core') }}{{ embed_memory('nope') }}{{ embed_memory('..') }}>\"\n",
      },
      { base_modes: ['mine'], ignored_memory_patterns: ['hid.*'] },
    );
    const project = {
      ...files,
      '.serena/project.yml': `project_name: p\ninitial_prompt: |\n  {{ embed_memory('mem:core') }}{{ embed_memory('hidden') }}\n  {{ 'a' if 'find_file' in available_tools else 'b' }}\n`,
      '.serena/memories/hidden.md': 'hidden',
    };
    await using client = await start(home, project);
    const manual = await client.ask('initial_instructions');
    const core = '<memory name="core">\n# Core\n</memory>';
    expect(manual).toContain(`<mode name="mine">\n<${core}>\n</mode>`);
    expect(manual).toContain(`<project-instructions>\n${core}\na\n</project-instructions>`);
    expect(client.stderr).toContain('cannot embed the memory `nope`: there is no memory `nope`');
  });

  test('of a project that are broken are reported with their file at activation', async () => {
    const project = makeWorkspace({ ...files, '.serena/project.yml': 'initial_prompt: "{% if %}"\n' });
    await using client = await startClient({ env: { SERENA_HOME: homeWith({}) } });
    const answer = await client.call('activate_project', { project: project.root });
    expectClearError(answer, 'ValueError: ', project.path('.serena/project.yml'), 'is broken');
  });
});
