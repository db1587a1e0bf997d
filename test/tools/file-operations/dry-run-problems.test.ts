import { describe, expect, test } from 'bun:test';
import { startClient } from '../../support/client.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const projects = [
  {
    language: 'python',
    files: {
      'shop.py': 'def total(prices: list[int]) -> int:\n    return sum(prices)\n',
      'main.py': 'from shop import total\n\nprint(total([1]))\n',
      'pyrightconfig.json': '{}\n',
    },
    edit: {
      name_path: 'total',
      relative_path: 'shop.py',
      body: 'def total(prices: list[int], tax: int) -> int:\n    return sum(prices) + tax',
    },
    problem: /^ {2}main\.py:2: error: .*tax/m,
  },
  {
    language: 'typescript',
    files: {
      'shop.ts': 'export function total(prices: number[]): number {\n  return prices.length;\n}\n',
      'main.ts': "import { total } from './shop';\n\nexport const sum = total([1]);\n",
      'tsconfig.json': '{"compilerOptions":{"strict":true}}\n',
    },
    edit: {
      name_path: 'total',
      relative_path: 'shop.ts',
      body: 'export function total(prices: number[], tax: number): number {\n  return prices.length + tax;\n}',
    },
    problem: /^ {2}main\.ts:2: error: Expected 2 arguments/m,
  },
];

describe('a dry run of an edit that breaks a file that uses the symbol', () => {
  for (const { language, files, edit, problem } of projects) {
    test(`names the problem and writes nothing: ${language}`, async () => {
      const workspace = makeWorkspace({
        ...files,
        '.serena/project.yml': `project_name: p\nlanguages: [${language}]\n`,
      });
      await using client = await startClient({ args: ['--project', workspace.root] });
      const preview = await client.call('replace_symbol_body', { ...edit, dry_run: true });
      expect(preview.text).toMatch(problem);
      expect(preview.text).toContain(`--- a/${edit.relative_path}\n`);
      expect(workspace.read(edit.relative_path)).toBe(Object.values(files)[0] ?? '');
      // The server has the text on disk again.
      const [user = ''] = Object.keys(files).slice(1);
      const after = await client.call('get_diagnostics_for_file', { relative_path: user });
      expect(after.text).not.toMatch(/tax|Expected 2/);
      const harmless = {
        ...edit,
        body: `${edit.body.split('\n')[0]?.replace(/, tax: \w+/, '')}\n${edit.body.split('\n').slice(1).join('\n').replace(' + tax', '')}`,
      };
      const clean = await client.call('replace_symbol_body', { ...harmless, dry_run: true });
      expect(clean.text).not.toContain('New problems (');
    });
  }
});
