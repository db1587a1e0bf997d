import { describe, expect, test } from 'bun:test';
import { type Context, loadContext } from '../../src/config/context.ts';
import { jetbrainsMode, loadMode, type Mode } from '../../src/config/mode.ts';
import { listNamedFiles } from '../../src/config/named-file.ts';
import { selectTools, type ToolSelection } from '../../src/config/tool-selection.ts';
import { loadUserConfig } from '../../src/config/user-config.ts';
import { parsedResources } from '../../src/generated/parsed-resources.ts';
import { renderManual, renderPrompt } from '../../src/prompts/prompt.ts';
import { templateValues } from '../../src/session/messages.ts';
import { activeTools, exposedTools } from '../../src/session/session-tools.ts';
import type { WorkingModes } from '../../src/session/working-modes.ts';
import { type Tool, toolsets } from '../../src/tools/tool.ts';
import { tools } from '../../src/tools/tools.ts';
import { makeTempDir } from '../support/temp.ts';

const home = makeTempDir('home');
const user = await loadUserConfig(home);
const names = tools.map(({ name }) => name);
const contexts = await Promise.all(listNamedFiles('contexts', home).map(({ name }) => loadContext(name, home)));
const listedModes = await Promise.all(listNamedFiles('modes', home).map(({ name }) => loadMode(name, home)));
const baseModes = listedModes.filter(({ name }) => user.base_modes.includes(name));

const nothing: ToolSelection = {
  excludedTools: [],
  includedOptionalTools: [],
  fixedTools: [],
  places: { excluded_tools: '', included_optional_tools: '', fixed_tools: '' },
};

/** Configurations that change the tools, by description. */
const selections: Readonly<Record<string, ToolSelection>> = {
  'the default tools': nothing,
  'with all optional tools': { ...nothing, includedOptionalTools: names },
  ...Object.fromEntries(
    toolsets.map((set) => [
      `without ${set}`,
      { ...nothing, excludedTools: tools.filter(({ toolset }) => toolset === set).map(({ name }) => name) },
    ]),
  ),
};

/**
 * Returns the tools of `active` that a text mentions: in backticks, as a call, or by a name that is not an ordinary
 * word.
 */
function namedIn(text: string): string[] {
  return names.filter((name) => {
    const bare = name.includes('_') ? `|(?<!\\w)${name}(?!\\w)` : '';
    return new RegExp(`\`${name}\`|(?<!\\w)${name}\\(${bare}`).test(text);
  });
}

function workingModes(base: readonly Mode[], dynamic: readonly Mode[] = []): WorkingModes {
  return { base, dynamic, own: { base, dynamic } };
}

async function manual(context: Context, modes: readonly Mode[], active: readonly Tool[]): Promise<string> {
  const coreTools = context.coreTools?.filter((name) => active.some((tool) => tool.name === name));
  const inputs = { values: templateValues(active), embedMemory: async () => '' };
  return await renderManual({ context, modes, globalMemories: '{"memories": ["x"]}', coreTools, home }, inputs);
}

function expectConsistent(text: string, active: readonly Tool[]): void {
  expect(namedIn(text).filter((name) => !active.some((tool) => tool.name === name))).toEqual([]);
  expect(text).not.toMatch(/\{[{%#]|\n\n\n|\bundefined\b/);
}

describe('the manual names no inactive tool', () => {
  test.each(contexts.map((context) => [context.name, context] as const))('in the context %s', async (_, context) => {
    for (const extra of [...listedModes, jetbrainsMode()]) {
      const isInternal = extra.name === jetbrainsMode().name;
      const modes = workingModes(
        isInternal ? [extra, ...baseModes] : baseModes,
        isInternal || baseModes.includes(extra) ? [] : [extra],
      );
      const all = [...modes.base, ...modes.dynamic];
      for (const [what, toolSelection] of Object.entries(selections)) {
        const exposed = exposedTools({ user: { ...user, toolSelection }, context, modes, startProject: undefined });
        for (const isReadOnly of [false, true]) {
          const active = activeTools(exposed, { user, context, modes, project: undefined }).filter(
            ({ effect, editsThroughTools }) => !isReadOnly || effect !== 'edits' || editsThroughTools,
          );
          const text = await manual(context, all, active);
          expect([extra.name, what, text.includes('This is the end of the manual.')]).toEqual([extra.name, what, true]);
          expectConsistent(text, active);
        }
      }
    }
  });

  test('with any one tool alone, or all but one', async () => {
    const context = await loadContext('claude-code-deferred', home);
    for (const tool of tools) {
      const others = tools.filter((other) => other !== tool);
      for (const active of [[tool], others]) expectConsistent(await manual(context, listedModes, active), active);
    }
  });

  test('nor do the other built-in prompts', async () => {
    const prompts = Object.entries(parsedResources).flatMap(([path, text]) => {
      const content: unknown = JSON.parse(text);
      return path.startsWith('prompts/') && isPromptFile(content) ? Object.keys(content.prompts) : [];
    });
    // Exceptions: the manual; the prompt for sessions with the tools of Claude Code; prompts used only if their tool is
    // active.
    const special = ['system_prompt', 'cc_system_prompt_override', 'info_jet_brains_debug_repl', 'connection_prompt'];
    const others = prompts.filter((name) => !special.includes(name));
    expect(others.length).toBeGreaterThan(5);
    for (const name of others) {
      for (const active of [
        tools,
        [],
        ...tools.map((tool) => [tool]),
        ...tools.map((tool) => tools.filter((t) => t !== tool)),
      ]) {
        const values = { ...templateValues(active), system: 'Linux', memory_maintenance_name: 'x' };
        expectConsistent(await renderPrompt(name, values, home), active);
      }
    }
  });

  test('and the prompt that replaces the one of Claude Code names the active ones', async () => {
    const context = await loadContext('claude-code', home);
    const modes = workingModes(baseModes);
    const exposed = exposedTools({ user, context, modes, startProject: undefined });
    const text = await renderPrompt('cc_system_prompt_override', {}, home);
    expectConsistent(text, exposed);
    expect(namedIn(text).length).toBeGreaterThan(10);
    // Tools that only some versions of Claude Code have.
    expect(text).not.toMatch(/\b(?:Glob|Grep)\b/);
  });
});

describe('modes and contexts', () => {
  test('are complete', () => {
    const listed = (kind: 'contexts' | 'modes') => listNamedFiles(kind, home).map(({ name }) => name);
    expect(listed('contexts')).toEqual([
      ...[
        'agent',
        'antigravity',
        'chatgpt',
        'claude-code',
        'claude-code-deferred',
        'code-mode',
        'codebuddy',
        'codex',
        'compact',
        'copilot-cli',
      ],
      ...['deferred-loading', 'desktop-app', 'grok', 'ide', 'jb-ai-assistant', 'jb-copilot-plugin', 'junie'],
      ...['oaicompat-agent', 'vscode', 'zcode'],
    ]);
    expect(listed('modes')).toEqual([
      ...['benchmark', 'editing', 'interactive', 'no-memories', 'no-onboarding', 'onboarding', 'one-shot', 'planning'],
      'query-projects',
    ]);
  });

  test('planning and onboarding exclude all tools that edit except those for memories', () => {
    for (const name of ['planning', 'onboarding']) {
      const mode = listedModes.find((candidate) => candidate.name === name);
      const left = selectTools(new Set(names), mode ?? nothing);
      // `onboarding` writes a memory itself; `run_code` calls only active tools.
      const edits = tools.filter(
        (tool) =>
          left.has(tool.name) && tool.effect === 'edits' && !tool.editsThroughTools && tool.name !== 'onboarding',
      );
      expect(edits.map(({ toolset }) => toolset)).toEqual(edits.map(() => 'memory'));
      expect(edits.length).toBe(4);
    }
  });

  test('name no unknown tool', () => {
    const selected = [...contexts, ...listedModes, jetbrainsMode()].flatMap((one) => [
      ...one.excludedTools,
      ...one.includedOptionalTools,
      ...one.fixedTools,
    ]);
    const overridden = contexts.flatMap(({ tool_description_overrides: descriptionOverrides }) =>
      Object.keys(descriptionOverrides),
    );
    const core = contexts.flatMap(({ coreTools = [] }) => coreTools);
    expect([...selected, ...overridden, ...core].filter((name) => !names.includes(name))).toEqual([]);
  });

  test('tell a client in the internal mode to use the IDE', async () => {
    const modes = workingModes([jetbrainsMode(), ...baseModes]);
    const context = await loadContext('desktop-app', home);
    const exposed = exposedTools({ user, context, modes, startProject: undefined });
    const text = await manual(context, modes.base, exposed);
    expect(text).toContain('`jet_brains_find_symbol`');
    expect(templateValues(exposed).tool_names).toMatchObject({ find_symbol: 'jet_brains_find_symbol' });
  });
});

function isPromptFile(content: unknown): content is { readonly prompts: Readonly<Record<string, unknown>> } {
  return typeof content === 'object' && content !== null && 'prompts' in content;
}
