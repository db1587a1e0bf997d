import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { outputSchemas } from '../../src/generated/input-schemas.ts';
import { tools as registry } from '../../src/tools/tools.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { listPins, pinned } from '../support/pins.ts';

const Branch = z.strictObject({ type: z.string(), items: z.strictObject({ type: z.string() }).optional() });
const Property = z.strictObject({
  title: z.string(),
  description: z.string(),
  default: z.unknown().optional(),
  type: z.string().optional(),
  items: z.strictObject({ type: z.string() }).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.int().optional(),
  minLength: z.int().optional(),
  // Nullable, or one string or several.
  anyOf: z
    .union([z.tuple([Branch, z.strictObject({ type: z.literal('null') })]), z.tuple([Branch, Branch])])
    .optional(),
});
const Listed = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.strictObject({
    type: z.literal('object'),
    title: z.literal('applyArguments'),
    properties: z.record(z.string(), Property),
    required: z.array(z.string()).min(1).optional(),
  }),
  outputSchema: z.strictObject({
    type: z.literal('object'),
    title: z.literal('applyOutput'),
    properties: z.strictObject({
      result: z.strictObject({ title: z.literal('Result'), type: z.literal('string') }),
      notes: z.strictObject({ title: z.literal('Notes'), type: z.literal('string') }),
      complete: z.strictObject({ title: z.literal('Complete'), type: z.literal('boolean') }),
      data: z.looseObject({ type: z.literal('object') }).optional(),
    }),
    required: z.tuple([z.literal('result')]),
    $defs: z.record(z.string(), z.looseObject({ type: z.string() })).optional(),
  }),
  annotations: z.strictObject({ title: z.string(), readOnlyHint: z.boolean(), destructiveHint: z.boolean() }),
});

/**
 * Effect of every tool on the user's files; every new tool needs a row. `own` is for tools that change only the state
 * of this program and are advertised as read-only, as in the reference (see docs/compatibility.md, Tool list).
 */
const effects: Readonly<Record<string, 'reads' | 'edits' | 'runs' | 'own'>> = {
  read_file: 'reads',
  create_text_file: 'edits',
  list_dir: 'reads',
  find_file: 'reads',
  search_for_pattern: 'reads',
  replace_content: 'edits',
  replace_in_files: 'edits',
  delete_lines: 'edits',
  replace_lines: 'edits',
  insert_at_line: 'edits',
  apply_edits: 'edits',
  edit_history: 'edits',
  get_symbols_overview: 'reads',
  find_symbol: 'reads',
  find_referencing_symbols: 'reads',
  find_implementations: 'reads',
  find_declaration: 'reads',
  symbol_hierarchy: 'reads',
  find_path: 'reads',
  find_unused: 'reads',
  search_structure: 'reads',
  explore_symbol: 'reads',
  changed_symbols: 'reads',
  verify_changes: 'reads',
  get_diagnostics_for_file: 'reads',
  get_diagnostics_for_symbol: 'reads',
  replace_symbol_body: 'edits',
  insert_after_symbol: 'edits',
  insert_before_symbol: 'edits',
  rename_symbol: 'edits',
  rename_file: 'edits',
  move_symbol: 'edits',
  rewrite_structure: 'edits',
  format_code: 'edits',
  change_signature: 'edits',
  code_actions: 'reads',
  apply_code_action: 'edits',
  safe_delete_symbol: 'edits',
  write_memory: 'edits',
  read_memory: 'reads',
  list_memories: 'reads',
  delete_memory: 'edits',
  rename_memory: 'edits',
  edit_memory: 'edits',
  activate_project: 'own',
  get_current_config: 'reads',
  remove_project: 'runs',
  open_dashboard: 'own',
  list_queryable_projects: 'reads',
  query_project: 'reads',
  restart_language_server: 'own',
  run_code: 'edits',
  search_tools: 'reads',
  switch_modes: 'own',
  // It may write a memory.
  onboarding: 'edits',
  check_onboarding_performed: 'reads',
  initial_instructions: 'reads',
  serena_info: 'reads',
  think_about_collected_information: 'reads',
  think_about_task_adherence: 'reads',
  think_about_whether_you_are_done: 'reads',
  summarize_changes: 'reads',
  prepare_for_new_conversation: 'reads',
  execute_shell_command: 'edits',
  jet_brains_find_symbol: 'reads',
  jet_brains_find_referencing_symbols: 'reads',
  jet_brains_get_symbols_overview: 'reads',
  jet_brains_type_hierarchy: 'reads',
  jet_brains_find_declaration: 'reads',
  jet_brains_find_implementations: 'reads',
  jet_brains_rename: 'edits',
  jet_brains_move: 'edits',
  jet_brains_safe_delete: 'edits',
  jet_brains_inline_symbol: 'edits',
  // Evaluates expressions, also in a read-only project.
  jet_brains_debug: 'runs',
  jet_brains_run_inspections: 'reads',
  jet_brains_list_inspections: 'reads',
};

const hints = {
  reads: { readOnlyHint: true, destructiveHint: false },
  own: { readOnlyHint: true, destructiveHint: false },
  edits: { readOnlyHint: false, destructiveHint: true },
  runs: { readOnlyHint: false, destructiveHint: false },
} as const;

const titleOf = (name: string) =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

let client: TestClient;
let raw: readonly { readonly name: string }[];
let listed: z.infer<typeof Listed>[];

beforeAll(async () => {
  // The base mode `editing` excludes tools.
  const everything = { base_modes: [], included_optional_tools: registry.map((tool) => tool.name) };
  const home = makeHome(everything);
  mkdirSync(join(home, 'contexts'));
  writeFileSync(join(home, 'contexts/full.yml'), 'compact_tool_list: false\n');
  client = await startClient({ args: ['--context', 'full'], env: { SERENA_HOME: home } });
  raw = await client.tools();
  listed = z.array(Listed).parse(raw);
});

afterAll(() => client.close());

describe('tools/list', () => {
  test('lists the registry in order', () => {
    expect(listed.map(({ name }) => name)).toEqual(registry.map(({ name }) => name));
  });

  test('matches the pins, tool by tool', () => {
    for (const tool of raw) {
      const found = `${JSON.stringify(tool, undefined, 2)}\n`;
      expect(found).toBe(pinned(`tools/${tool.name}.json`, found));
    }
    expect(listPins('tools')).toEqual(raw.map(({ name }) => `${name}.json`).sort());
  });

  test('describes the data of answers for programs', () => {
    const typed = listed.filter(({ outputSchema }) => outputSchema.properties.data !== undefined);
    expect(typed.map(({ name }) => name)).toEqual(Object.keys(outputSchemas));
  });

  test('derives the title of every tool and parameter from its name', () => {
    for (const { name, title, annotations, inputSchema } of listed) {
      expect([title, annotations.title]).toEqual([titleOf(name), titleOf(name)]);
      for (const [key, property] of Object.entries(inputSchema.properties)) expect(property.title).toBe(titleOf(key));
    }
  });

  test('gives every parameter a type, and a default unless it is required', () => {
    const otherThanNull: string[] = [];
    for (const { name, inputSchema } of listed) {
      for (const [key, { type, items, anyOf, ...property }] of Object.entries(inputSchema.properties)) {
        const own = anyOf?.[0] ?? { type, items };
        expect(['string', 'boolean', 'integer', 'array']).toContain(own.type ?? 'none');
        expect(own.items !== undefined).toBe(own.type === 'array');
        expect('default' in property).toBe(!(inputSchema.required ?? []).includes(key));
        if (anyOf?.[1].type === 'null' && property.default !== null) otherThanNull.push(`${name}.${key}`);
      }
    }
    // Here null has its own meaning: no limit.
    expect(otherThanNull).toEqual(['jet_brains_type_hierarchy.depth']);
  });

  test('ends every description with one full stop', () => {
    const descriptions = listed.flatMap(({ description, inputSchema }) => [
      description,
      ...Object.values(inputSchema.properties).map((property) => property.description),
    ]);
    for (const description of descriptions) expect(description).toMatch(/^[A-Z0-9].*[^.\s]\.$/s);
  });

  test('marks each tool as read-only or destructive for clients', () => {
    const actual = listed.map(({ name, annotations: { title: _, ...hint } }) => [name, hint] as const);
    const expected = Object.entries(effects).map(([name, effect]) => [name, hints[effect]] as const);
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
  });

  test('omits aliases', () => {
    const aliases = registry.flatMap((tool) => Object.keys(tool.aliases).map((alias) => [tool.name, alias] as const));
    expect(aliases.length).toBeGreaterThan(0);
    for (const [name, alias] of aliases) {
      expect(Object.keys(listed.find((tool) => tool.name === name)?.inputSchema.properties ?? {})).not.toContain(alias);
    }
    expect(listed.some(({ name }) => name.startsWith('mcp__'))).toBe(false);
  });
});
