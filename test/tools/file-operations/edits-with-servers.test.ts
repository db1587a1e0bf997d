import { describe, expect, test } from 'bun:test';
import { startClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { ownHome } from '../../support/homes.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

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
  {
    language: 'go',
    whyNot: whyNoGo(),
    files: {
      'shop.go': 'package shop\n\nfunc Total(prices []int) int {\n\treturn len(prices)\n}\n',
      'sum.go': 'package shop\n\nvar Sum = Total(nil)\n',
      'go.mod': 'module example.com/shop\n\ngo 1.21\n',
    },
    edit: {
      name_path: 'Total',
      relative_path: 'shop.go',
      body: 'func Total(prices []int, tax int) int {\n\treturn len(prices) + tax\n}',
    },
    problem: /^ {2}sum\.go:2: error: not enough arguments/m,
  },
];

/** Returns the edit of `total` that leaves its callers valid. */
function harmless<T extends { body: string }>(edit: T): T {
  return { ...edit, body: edit.body.replace(/, tax(: \w+| int)?/, '').replace(' + tax', '') };
}

describe('a dry run of an edit that breaks a file that uses the symbol', () => {
  for (const { language, whyNot, files, edit, problem } of projects) {
    testUnless(whyNot)(`names the problem and writes nothing: ${language}`, async () => {
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
      expect(after.text).not.toMatch(/tax|Expected 2|not enough/);
      const clean = await client.call('replace_symbol_body', { ...harmless(edit), dry_run: true });
      expect(clean.text).not.toContain('New problems (');
    });
  }
});

describe('an edit that breaks a file that uses the symbol', () => {
  for (const { language, whyNot, files, edit, problem } of projects) {
    for (const reporting of ['auto', true]) {
      testUnless(whyNot)(
        `names the problem with \`${reporting}\`: ${language}`,
        async () => {
          const workspace = makeWorkspace({
            ...files,
            '.serena/project.yml': `project_name: p\nlanguages: [${language}]\n`,
          });
          const env = {
            ...ownHome({ report_edit_diagnostics: reporting }),
          };
          await using client = await startClient({ args: ['--project', workspace.root], env });
          const [, user = ''] = Object.keys(files);
          const text = problem.source.split('error: ')[1] ?? '';
          await client.ask('get_diagnostics_for_file', { relative_path: user });
          // Repeated, because a busy server may be late.
          const { blocks } = await eventually('the new problem', async () => {
            const answer = await client.call('replace_symbol_body', edit);
            const repaired = await client.call('replace_symbol_body', harmless(edit));
            expect(repaired.text).toBe('OK');
            return answer.blocks.join('\n').match(text) ? answer : undefined;
          });
          if (reporting === 'auto') {
            expect(blocks[0]).toBe('OK');
            expect(blocks[1]).toMatch(problem);
          } else {
            expect(Object.keys(JSON.parse(blocks[0] ?? '')['diagnostics[warning-or-higher]'])).toEqual([user]);
          }
        },
        timeoutMs,
      );
    }
  }
});

test('a list makes several symbol edits of one file, and refuses one after a text edit of it', async () => {
  const code = 'def one():\n    return 1\n\n\ndef two():\n    return 2\n';
  const workspace = makeWorkspace({ 'a.py': code, '.serena/project.yml': 'project_name: p\nlanguages: [python]\n' });
  await using client = await startClient({ args: ['--project', workspace.root] });
  const body = (name: string, value: number) => ({
    tool: 'replace_symbol_body',
    arguments: { name_path: name, relative_path: 'a.py', body: `def ${name}():\n    return ${value}` },
  });
  const needle = { relative_path: 'a.py', needle: 'return 3', repl: 'return 5', mode: 'literal' };
  const text = { tool: 'replace_content', arguments: needle };
  const refused = await client.call('apply_edits', { edits: [body('one', 3), text, body('two', 4)] });
  expect(refused.text).toContain('edit 3 (`replace_symbol_body`)');
  expect(refused.text).toContain('put symbol edits of a file before text edits of it');
  expect(workspace.read('a.py')).toBe(code);
  const answer = await client.call('apply_edits', { edits: [body('one', 3), body('two', 4), text] });
  expect(answer.text).toContain('1 file changed.');
  expect(workspace.read('a.py')).toBe('def one():\n    return 5\n\n\ndef two():\n    return 4\n');
});

test('a script edits what it has read, and its dry run names the problems of all its edits', async () => {
  const files = {
    'shop.py': 'def total(prices: list[int]) -> int:\n    return sum(prices)\n',
    'main.py': 'from shop import total\n\nprint(total([1]))\n',
    'more.py': 'from shop import total\n\nprint(total([2]))\n',
    'pyrightconfig.json': '{}\n',
  };
  const workspace = makeWorkspace({ ...files, '.serena/project.yml': 'project_name: p\nlanguages: [python]\n' });
  await using client = await startClient({ args: ['--context', 'code-mode', '--project', workspace.root] });
  const codeWith = (added: string) => `
    const total = { name_path: 'total', relative_path: 'shop.py' };
    const users = Object.keys(await serena.find_referencing_symbols(total)).sort();
    await serena.replace_symbol_body({ ...total, body: 'def total(prices: list[int], tax: int) -> int:\\n    return sum(prices) + tax' });
    for (const relative_path of users)
      await serena.replace_content({ relative_path, needle: '])', repl: ']${added})', mode: 'literal' });
    return users;`;
  const preview = await client.call('run_code', { code: codeWith(', "3"'), dry_run: true });
  expect(preview.text).toContain('The edit would change 3 files:');
  for (const file of ['main', 'more'])
    expect(preview.text).toMatch(new RegExp(`^ {2}${file}\\.py:2: error: .*int`, 'm'));
  expect(workspace.read('shop.py')).toBe(files['shop.py']);
  expect(await client.ask('run_code', { code: codeWith(', 3') })).toBe('3 files changed.\n["main.py", "more.py"]');
  expect(workspace.read('more.py')).toBe('from shop import total\n\nprint(total([2], 3))\n');
  expect(workspace.read('shop.py')).toContain('tax: int) -> int:\n    return sum(prices) + tax\n');
  await client.ask('edit_history', { action: 'undo' });
  for (const name of ['shop.py', 'main.py', 'more.py'] as const) expect(workspace.read(name)).toBe(files[name]);
});
