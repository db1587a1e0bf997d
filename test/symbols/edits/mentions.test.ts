// What an edit says about text outside code that names its symbol: strings by which code may use it are open, and of
// documents counts what is written as code.
import { expect, test } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';

const timeoutMs = 240_000;

const files = {
  '.serena/project.yml': 'languages: [python]\n',
  'shop/__init__.py': '',
  'shop/basket.py': `class Basket:
    """Totals are what \`clean()\` and \`\`self.clean\`\` leave."""

    def clean(self) -> int:
        return 1

    def get_total(self) -> int:
        return 2

    def show_total(self) -> int:
        return 3
`,
  'shop/use.py': `from unittest.mock import patch

kinds = ["clean", "get_total"]


def use(basket):
    hasattr(basket, "clean")
    return [getattr(basket, kind)() for kind in kinds]


@patch("shop.basket.Basket.clean")
def test_clean(clean):
    raise ValueError("get_total failed")
`,
  'page.html': '<p>{{ basket.show_total }}, {{#if .clean}}!{{/if}}</p>\n',
  'README.rst': `Clean code
==========

.. note::
   A clean basket.

.. code-block:: python

   basket.clean()

A clean text, and \`a clean basket\`. Call :meth:\`clean\`, or \`basket.clean(1, 2)\`.

Example of clean::

   basket.clean()
   git clean -x
`,
};

const why = '  a string has its name, and code may use it by that:';

test(
  'strings by which code may use a symbol are open places of its rename',
  async () => {
    const { client } = await openShared(files);
    const rename = async (name: string) => {
      const args = { name_path: `Basket/${name}`, relative_path: 'shop/basket.py', new_name: 'other', dry_run: true };
      const { text, structured } = await client.call('rename_symbol', args);
      return { lines: text.split('\n'), structured };
    };
    const total = await rename('get_total');
    expect(total.structured).toMatchObject({ complete: false });
    expect(total.lines[0]).toEndWith('; incomplete: 1 open');
    expect(total.lines).toContain(why);
    expect(total.lines).toContain('    [1] shop/use.py:2: kinds = ["clean", "get_total"]');
    expect(total.lines).toContain('  [2] shop/use.py:12: raise ValueError("get_total failed")');
    const shown = await rename('show_total');
    expect(shown.lines).toContain('    [1] page.html:0: <p>{{ basket.show_total }}, {{#if .clean}}!{{/if}}</p>');
    // A usual word may be anything, unless its class or module, or a call like `getattr`, is before it.
    const clean = await rename('clean');
    expect(clean.lines[0]).toEndWith('; incomplete: 3 open');
    expect(clean.lines).toContain('    [2] shop/use.py:6: hasattr(basket, "clean")');
    expect(clean.lines).toContain('    [3] shop/use.py:10: @patch("shop.basket.Basket.clean")');
    const mentioned = clean.lines.slice(
      clean.lines.indexOf('Mentioned (0-based lines):') + 1,
      clean.lines.findIndex((line) => line.startsWith('---')),
    );
    expect(mentioned.map((line) => line.replace(/^.*?\] /, '').replace(/: .*/, ''))).toEqual([
      'README.rst:8',
      'README.rst:10:48',
      'README.rst:10:67',
      'README.rst:14',
      'shop/basket.py:1:24',
      'shop/basket.py:1:44',
    ]);
  },
  timeoutMs,
);

test(
  'strings by which code may use a symbol are named in the answer about its references',
  async () => {
    const { client } = await openShared({
      ...files,
      'shop/all.py': 'from shop.basket import Basket\n\n__all__ = ["Basket"]\nBasket().get_total()\n',
    });
    const references = async (namePath: string) => {
      const args = { name_path: namePath, relative_path: 'shop/basket.py' };
      const { blocks, text } = await client.call('find_referencing_symbols', args);
      return { text, missing: blocks.slice(1).join('\n') };
    };
    const total = await references('Basket/get_total');
    expect(total.text).toContain('shop/all.py');
    expect(total.missing.split('\n')).toEqual([
      'Incomplete:',
      '- Uses by name may be missing: 1 string names it. Check each of these lines (0-based):',
      why,
      '    shop/use.py:2: kinds = ["clean", "get_total"]',
    ]);
    expect((await references('Basket/show_total')).missing).toContain('    page.html:0: <p>{{ basket.show_total }}');
    const clean = await references('Basket/clean');
    expect(clean.missing).toContain('3 strings name it');
    expect(clean.missing).toContain('    shop/use.py:6: hasattr(basket, "clean")');
    // A string that the language server lists as a reference is no open place.
    expect((await references('Basket')).missing).toBe('');
  },
  timeoutMs,
);

test(
  'a symbol that strings name is not deleted, unless the caller wants it',
  async () => {
    const { client, workspace } = await openShared(files);
    const args = { name_path_pattern: 'Basket/get_total', relative_path: 'shop/basket.py' };
    const refused = await client.call('safe_delete_symbol', args);
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('`shop/use.py` 2') });
    expect(workspace.read('shop/basket.py')).toBe(files['shop/basket.py']);
    const forced = await client.call('safe_delete_symbol', { ...args, ignore_unresolved: true });
    expect(forced.text).toContain('shop/use.py:2: kinds = ["clean", "get_total"]');
    expect(workspace.read('shop/basket.py')).not.toContain('get_total');
  },
  timeoutMs,
);

test(
  'a string that is the name of a type is an open place of its rename, also if it is a usual word',
  async () => {
    const { client } = await openShared({
      '.serena/project.yml': 'languages: [python]\n',
      'shelf.py':
        'import typing as t\n\n\nclass Shelf:\n    pass\n\n\ndef last(values):\n    """The Shelf."""\n    return t.cast("Shelf", values[-1])\n',
      'test_shelf.py': 'from shelf import Shelf\n\nassert Shelf.__name__ == "Shelf"\n',
    });
    const args = { name_path: 'Shelf', relative_path: 'shelf.py', new_name: 'Rack', dry_run: true };
    const { text } = await client.call('rename_symbol', args);
    const lines = text.split('\n');
    expect(lines[0]).toContain('; incomplete: 2 open');
    expect(lines).toContain('    [1] shelf.py:9: return t.cast("Shelf", values[-1])');
    expect(lines).toContain('    [2] test_shelf.py:2: assert Rack.__name__ == "Shelf"');
  },
  timeoutMs,
);
