// `serena-agent` rejects contexts and modes with unknown keys or tools, and users share copies of the built-in ones.

import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { tools } from '../../src/tools/tools.ts';

const resources = join(import.meta.dirname, '../../resources');

/** Keys documented by `serena-agent`. */
const sharedKeys = ['name', 'description', 'prompt', 'excluded_tools', 'included_optional_tools', 'fixed_tools'];
const keysOf = {
  modes: sharedKeys,
  contexts: [...sharedKeys, 'tool_description_overrides', 'single_project', 'structured_tool_output'],
};

/** Tools of this program that it does not have, or no longer has. */
const ownTools = [
  ...[
    'apply_code_action',
    'apply_edits',
    'change_signature',
    'changed_symbols',
    'code_actions',
    'edit_history',
    'explore_symbol',
    'find_path',
    'find_unused',
    'format_code',
    'move_symbol',
    'rename_file',
    'rewrite_structure',
    'run_code',
    'search_structure',
    'symbol_hierarchy',
    'verify_changes',
  ],
  ...[
    'check_onboarding_performed',
    'prepare_for_new_conversation',
    'search_tools',
    'summarize_changes',
    'switch_modes',
  ],
  ...['think_about_collected_information', 'think_about_task_adherence', 'think_about_whether_you_are_done'],
];
const sharedTools = tools.map(({ name }) => name).filter((name) => !ownTools.includes(name));

const File = z.looseObject({
  excluded_tools: z.array(z.string()).default([]),
  included_optional_tools: z.array(z.string()).default([]),
  fixed_tools: z.array(z.string()).default([]),
  tool_description_overrides: z.record(z.string(), z.string()).default({}),
});

const read = (...path: string[]): unknown => parse(readFileSync(join(resources, ...path), 'utf8'));

describe.each(['contexts', 'modes'] as const)('of the %s', (kind) => {
  const files = readdirSync(join(resources, kind)).map((name) => join(kind, name));
  const template = `templates/${kind.slice(0, -1)}.yml`;

  test.each([...files, template])('%s has no key and no tool that serena-agent rejects', (path) => {
    const content = File.parse(read(path));
    const keys = Object.keys(z.record(z.string(), z.unknown()).parse(read(path)));
    expect(keys.filter((key) => !keysOf[kind].includes(key))).toEqual([]);
    const named = [
      ...[content.excluded_tools, content.included_optional_tools, content.fixed_tools].flat(),
      ...Object.keys(content.tool_description_overrides),
    ];
    expect(named.filter((name) => !sharedTools.includes(name))).toEqual([]);
  });

  test('each extension belongs to a file', () => {
    const extensions = z.record(z.string(), z.record(z.string(), z.unknown())).parse(read('internal/extensions.yml'));
    const names = Object.keys(extensions[kind] ?? {}).map((name) => join(kind, `${name}.yml`));
    expect(names.filter((path) => !files.includes(path))).toEqual([]);
  });
});

test('lists only existing tools as its own', () => {
  const names = tools.map(({ name }) => name);
  expect(ownTools.filter((name) => !names.includes(name))).toEqual([]);
});
