// Examples in documentation that tools run as tests: `>>> total(1)` in Python, code blocks in comments of Rust. No language
// server resolves their names; a rename and a change of a signature leave them open, with ids.
import { describe, expect } from 'bun:test';
import { expectCompiles, whyNotRun } from '../../support/compiles.ts';
import { openSignatures } from '../../support/language-tests/signatures.ts';
import { cargoProject, rustAnalyzer } from '../../support/rust.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 240_000;
const why = '  an example in documentation, which tools run as a test, has its name:';

const python = {
  '.serena/project.yml': 'languages: [python]\n',
  'shop/__init__.py': '',
  'shop/basket.py': `"""Baskets.

>>> part([1, 2, 3], count=2)
[1, 2]
"""


def part(items, count=None, *, last=False):
    """Returns a part of it, as \`other.part(count=3)\` does not.

    >>> part([1, 2, 3],
    ...      count=1)
    [1]
    >>> part([1, 2, 3])  # count
    [1, 2, 3]
    """
    return items[-count:] if last else items[:count]


class Basket:
    """
    >>> basket = Basket()
    >>> basket.add(1)
    1
    >>> {2}.add(1)
    """

    def add(self, number):
        return number


class Other:
    """
    >>> other = Other()
    >>> other.add(3)
    3
    """

    def add(self, number):
        return number
`,
  'shop/use.py': `"""
>>> from shop.basket import part
>>> part([3, 4], count=1) + [part([5], 1)]
[3, [5]]
"""
`,
  'shop/apart.py': `"""
>>> part = sum
>>> part([1])
1
"""
`,
};

const doctest = ['python3', '-m', 'doctest', 'shop/basket.py', 'shop/use.py', 'shop/apart.py'] as const;

/** Returns the ids and places of the rows of open places. */
function rowsOf(text: string): string[] {
  return text.split('\n').flatMap((line) => /^ {4}((?:\[\d+\] )?[\w./]+:\d+(?::\d+)?)/.exec(line)?.[1] ?? []);
}

describe('Python', () => {
  testUnless(whyNotRun(doctest))(
    'documentation tests whose calls a changed signature breaks are open calls with ids',
    async () => {
      const { change, read } = await openSignatures(python);
      const request = { namePath: 'part', file: 'shop/basket.py', changes: [{ rename: 'count', to: 'limit' }] };
      const answer = await change(request);
      expect(answer.split('\n')[0]).toEndWith('; incomplete: 3 open');
      expect(answer).toContain(why);
      // A call over several lines has no id: what is before its lines does not move with its arguments.
      expect(rowsOf(answer)).toEqual(['[1] shop/basket.py:2', 'shop/basket.py:10', '[2] shop/use.py:2']);
      const chosen = await change({ ...request, also: [1, 2] });
      expect(chosen.split('\n')[0]).toContain('2 files changed, 2 places');
      expect(read('shop/basket.py')).toContain('>>> part([1, 2, 3], limit=2)');
      expect(read('shop/use.py')).toContain('>>> part([3, 4], limit=1) + [part([5], 1)]');
    },
    timeoutMs,
  );

  testUnless(whyNotRun(doctest))(
    'documentation tests that name a renamed symbol are open places with ids',
    async () => {
      const { client, workspace } = await openShared(python);
      const args = { name_path: 'part', relative_path: 'shop/basket.py', new_name: 'slice_of' };
      const { text } = await client.call('rename_symbol', args);
      expect(rowsOf(text)).toEqual([
        ...['[1] shop/basket.py:2', '[2] shop/basket.py:10', '[3] shop/basket.py:13'],
        ...['[4] shop/use.py:1', '[5] shop/use.py:2:4', '[6] shop/use.py:2:29'],
      ]);
      await client.call('rename_symbol', { ...args, name_path: 'slice_of', also: [1, 2, 3, 4, 5, 6] });
      expectCompiles(workspace, doctest);
      // Of members with one name, those in the documentation of their own type count.
      const add = { name_path: 'Other/add', relative_path: 'shop/basket.py', new_name: 'put' };
      const renamed = await client.call('rename_symbol', add);
      expect(rowsOf(renamed.text)).toEqual(['[1] shop/basket.py:34']);
    },
    timeoutMs,
  );
});

const rust = {
  ...cargoProject,
  'src/lib.rs': `/// Returns a part.
///
/// \`\`\`
/// # use one::part;
/// assert_eq!(part(4, 2), 2);
/// let half = part(6, 2);
/// \`\`\`
///
/// \`\`\`text
/// part(4, 2)
/// \`\`\`
pub fn part(whole: u32, count: u32) -> u32 {
    whole / count
}
`,
};

describe('Rust', () => {
  const { whyNot, env } = rustAnalyzer();
  testUnless(whyNot)(
    'documentation tests are open, and compile once they are changed',
    async () => {
      const { change, lines, expectCompiles } = await openSignatures(rust, { env });
      const request = { namePath: 'part', file: 'src/lib.rs', changes: [{ order: ['count', 'whole'] }] };
      const answer = await change(request);
      expect(answer).toContain(why);
      expect(rowsOf(answer)).toEqual(['[1] src/lib.rs:4', '[2] src/lib.rs:5']);
      await change({ ...request, also: [1, 2] });
      expect(lines('src/lib.rs', /part\(/)).toEqual([
        '/// assert_eq!(part(2, 4), 2);',
        '/// let half = part(2, 6);',
        '/// part(4, 2)',
        'pub fn part(count: u32, whole: u32) -> u32 {',
      ]);
      expectCompiles(['cargo', 'test', '--doc', '--quiet', '--offline']);
    },
    timeoutMs,
  );
});

const typescript = {
  '.serena/project.yml': 'languages: [typescript]\n',
  'tsconfig.json': '{ "include": ["src"] }',
  'src/part.ts': `/**
 * Returns a part of it.
 *
 * @example
 * part([1, 2], 1);
 * @returns a part
 */
export function part(items: number[], count: number): number[] {
  return items.slice(0, count);
}
`,
};

describe('TypeScript', () => {
  testUnless(undefined)(
    'examples that no tool runs are mentions',
    async () => {
      const { client } = await openShared(typescript);
      const args = { name_path: 'part', relative_path: 'src/part.ts', new_name: 'head' };
      const { text } = await client.call('rename_symbol', args);
      expect(text.split('\n')[0]).toEndWith('; complete');
      expect(text).toContain('Mentioned (0-based lines):\n  [1] src/part.ts:4: * part([1, 2], 1);');
    },
    timeoutMs,
  );
});
