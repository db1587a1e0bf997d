// A pattern reads a member and declares a variable of the same name: uses of the variable are not references to the member.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { startClient } from '../../support/client.ts';
import { makeWorkspace } from '../../support/workspace.ts';

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
    const options = '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }';
    await using workspace = makeWorkspace({ 'tsconfig.json': options, 'src/state.ts': state, 'src/user.ts': user });
    await using client = await startClient({ args: ['--project', workspace.root] });
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
