// A pattern reads a member and declares a variable of the same name, and a shorthand reads a variable and declares a
// member: uses of the one are not references to the other.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const timeoutMs = 5 * 60_000;

const state = `export interface State {
  items: string[]
}
`;

const user = `import type { State } from './state'

export function first(state: State): string | undefined {
  const { items } = state
  if (items.length === 0) return undefined
  return state.items[0] ?? items[1]
}
`;

test(
  'a variable that a pattern declares keeps its name when the member is renamed',
  async () => {
    const { workspace, client } = await openShared({
      ...projectOf('typescript'),
      'src/state.ts': state,
      'src/user.ts': user,
    });
    const member = { name_path: 'State/items', relative_path: 'src/state.ts' };
    const references = await client.ask('find_referencing_symbols', member);
    expect([...references.matchAll(/> *(\d+):/g)].map(([, line]) => Number(line))).toEqual([3, 5]);
    await client.ask('rename_symbol', { ...member, new_name: 'entries' });
    expect(readFileSync(workspace.path('src/user.ts'), 'utf8')).toBe(
      user.replace('{ items }', '{ entries: items }').replace('state.items', 'state.entries'),
    );
  },
  timeoutMs,
);

test(
  'references at and inside namesakes of a member are listed',
  async () => {
    const table = `export interface Options {
  rows?: () => number
}

interface Table {
  rows: () => number
}

export const options: Options = {}

export function make(table: Table): number {
  table.rows = () => {
    return options.rows?.() ?? 0
  }
  const { rows } = options
  return rows?.() ?? 0
}
`;
    const { client } = await openShared({ ...projectOf('typescript'), 'src/table.ts': table });
    const member = { name_path: 'Options/rows', relative_path: 'src/table.ts' };
    const references = await client.ask('find_referencing_symbols', member);
    expect([...references.matchAll(/> *(\d+):/g)].map(([, line]) => Number(line)).sort()).toEqual([12, 14]);
  },
  timeoutMs,
);

test(
  'a property that a shorthand declares keeps its name when the variable is renamed',
  async () => {
    const functions = `const text = (value: string) => value

export const all = { text }

export const first = text('a') + all.text('b')
`;
    const { workspace, client } = await openShared({ ...projectOf('typescript'), 'src/functions.ts': functions });
    const variable = { name_path: '/text', relative_path: 'src/functions.ts' };
    await client.ask('rename_symbol', { ...variable, new_name: 'label' });
    expect(readFileSync(workspace.path('src/functions.ts'), 'utf8')).toBe(
      functions
        .replace('const text', 'const label')
        .replace('{ text }', '{ text: label }')
        .replace("text('a')", "label('a')"),
    );
  },
  timeoutMs,
);
