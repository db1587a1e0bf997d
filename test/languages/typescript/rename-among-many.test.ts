// The cross-check opens each file that contains the name, and the server may then have closed that of the symbol.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openShared } from '../../support/shared-session.ts';

const timeoutMs = 5 * 60_000;

/** More than the documents that stay open. */
const count = 60;

const others = Array.from({ length: count }, (_, index): readonly [string, string] => [
  `other${index}.ts`,
  `import { Base } from './base';\n\nexport const other = { next: (base: Base) => [base, other.next] };\n`,
]);

const files: Readonly<Record<string, string>> = {
  'tsconfig.json': '{}',
  'base.ts': `export class Base {
  next(): number {
    return 1;
  }
}

export class Own extends Base {
  next(): number {
    return super.next();
  }
}
`,
  ...Object.fromEntries(others),
};

test(
  'a member is renamed whose name so many files contain that its own was closed meanwhile',
  async () => {
    const { workspace, client } = await openShared(files);
    const rename = (namePath: string, newName: string) =>
      client.ask('rename_symbol', { name_path: namePath, relative_path: 'base.ts', new_name: newName });
    await rename('Own/next', 'later');
    const text = readFileSync(workspace.path('base.ts'), 'utf8');
    expect(text).toBe(files['base.ts']?.replaceAll('next', 'later') ?? '');
    expect(others.map(([path]) => readFileSync(workspace.path(path), 'utf8'))).toEqual(others.map(([, code]) => code));
  },
  timeoutMs,
);
