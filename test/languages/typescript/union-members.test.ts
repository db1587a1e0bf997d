// tsserver renames one declaration of a member of a union, and the places that use it on the union.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'src/list.ts': `import type { Common } from './all'

interface Base extends Common {
  assigned: { [name: string]: boolean }
}

export interface ListState extends Base {
  type: 'list'
}

export interface TreeState extends Base {
  type: 'tree'
}
`,
  'src/map.ts': `import type { Common } from './all'

export interface MapState extends Common {
  type: 'map'
  assigned: Map<string, boolean> | undefined
}

export interface SetState extends Common {
  type: 'set'
}

export const make = (assigned: undefined): MapState => ({ type: 'map', assigned })
`,
  'src/all.ts': `import type { ListState, TreeState } from './list'
import type { MapState, SetState } from './map'

export interface Common {
  parent?: State
}

export type State = ListState | TreeState | MapState | SetState
`,
  'src/use.ts': `import type { State } from './all'
import type { SetState } from './map'

export const isUsed = (state: State): boolean => (state as Exclude<State, SetState>).assigned !== undefined
`,
  'src/other.ts': 'export interface Seat {\n  assigned: boolean\n}\n',
};

test(
  'a member of a union gets its new name in each type, and equal names of other types stay',
  async () => {
    const { workspace, client } = await openShared({ ...projectOf('typescript'), ...files });
    const target = { name_path: 'Base/assigned', relative_path: 'src/list.ts' };
    await client.ask('rename_symbol', { ...target, new_name: 'taken' });
    const read = (file: string) => readFileSync(workspace.path(file), 'utf8');
    for (const file of ['src/use.ts', 'src/list.ts'] as const) {
      expect(read(file)).toBe(files[file].replace('assigned', 'taken'));
    }
    const map = files['src/map.ts'].replace('assigned: Map', 'taken: Map');
    expect(read('src/map.ts')).toBe(map.replace("'map', assigned", "'map', taken: assigned"));
    expect(read('src/other.ts')).toBe(files['src/other.ts']);
  },
  timeoutMs,
);

test(
  'a variable with the name of a member keeps it, also where `{ name }` has no type',
  async () => {
    const table = `export interface Table {
  features: string[]
  options: { features?: string[] }
}

export function create(given: Table['options']): Table {
  const features = [...(given.features ?? [])]
  let table = { features } as unknown as Table
  const names = table.features.map((feature) => feature)
  const core: Table = { features, options: given }
  return names.length > 0 ? core : table
}
`;
    const { workspace, client } = await openShared({ ...projectOf('typescript'), 'src/table.ts': table });
    const target = { name_path: 'Table/features', relative_path: 'src/table.ts' };
    await client.ask('rename_symbol', { ...target, new_name: 'parts' });
    expect(readFileSync(workspace.path('src/table.ts'), 'utf8')).toBe(
      table
        .replace('  features: string[]\n  options', '  parts: string[]\n  options')
        .replace('table.features', 'table.parts')
        .replace('{ features, options', '{ parts: features, options'),
    );
  },
  timeoutMs,
);
