import { beforeAll, describe, expect } from 'bun:test';
import { python } from '../../../src/languages/python/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { expectClearError } from '../../support/clear.ts';
import { expectCompiles, whyNotRun } from '../../support/compiles.ts';
import { trustedWithActions } from '../../support/language-tests/code-actions.ts';
import { openShared, type SharedSession } from '../../support/shared-session.ts';

const timeoutMs = 300_000;
const place = (name_path: string, relative_path: string, new_relative_path: string) => ({
  name_path,
  relative_path,
  new_relative_path,
});

beforeAll(() => install(python), installTimeoutMs);

const files = {
  'shop/__init__.py': 'from .prices import price\n\n__all__ = ["price"]\n',
  'shop/units.py': '"""Units."""\n\nUNIT = "EUR"\n',
  'shop/prices.py': `"""Prices."""

from __future__ import annotations

import decimal as dec
import os, sys
from typing import TYPE_CHECKING

from .units import UNIT

if TYPE_CHECKING:
    from .items import Item

RATE = 2


def traced(function):
    return function


# The price of an item.
@traced
def price(item: Item | None, places: "dec.Decimal | int" = 2) -> dec.Decimal:
    """Returns a price."""
    from .units import UNIT as unit

    amounts = [value for value in range(RATE)]
    return dec.Decimal(len(amounts) + len(os.sep)) if item and unit else dec.Decimal(places)
    # Nothing follows.


def label(item: Item) -> str:
    return f"{price(item)} {UNIT}"


class Basket:
    def total(self, items: list[Item]) -> dec.Decimal:
        return sum((price(item) for item in items), dec.Decimal())
`,
  'shop/items.py': 'class Item:\n    name = "item"\n',
  'shop/deep/__init__.py': '',
  'shop/deep/tools.py':
    'from ..prices import (\n    Basket,\n    label,  # shown\n)\n\n\ndef show(item):\n    return label(item), Basket\n',
  'shop/plain.py':
    'import json\nimport shop.units\n\n\n# The name.\ndef name():\n    return json.dumps(shop.units.UNIT)\n\n\nprint(name())\n',
  'shop/program.py': 'class Program:\n    pass\n\n\nif __name__ == "__main__":\n    print(Program())\n',
  'main.py':
    'import shop.prices\nfrom shop import price, prices\nfrom shop.items import Item\nfrom shop.prices import Basket, label as text\n\nprint(price(Item()), prices.label(Item()), text(Item()), shop.prices.label(Item()), Basket().total([Item()]))\n',
};
/** Definitions that cannot be moved, for one reason each. */
const more = {
  'shop/odd.py': `from .items import *
import json
from .registry import registered

COUNT = 0
STEP = 1
STEP = 2


def count():
    global COUNT
    COUNT += 1


def counted():
    return COUNT + STEP


def module():
    return __name__


def thing():
    return Item


try:
    import tomllib as toml
except ImportError:
    import json as toml


def parse(text):
    return toml.loads(text)


def first():
    return json


def second():
    return first()


if json:

    def maybe():
        pass


def patched():
    pass


def replaced():
    pass


@registered
def route():
    pass


class Plugin(registered):
    pass
`,
  'shop/taken.py': 'import re as json\n\nfirst = json\n',
  'shop/circle.py': 'from .odd import count\n\nitems = count\n',
  'test_odd.py': 'from unittest import mock\n\nwith mock.patch("shop.odd.patched"):\n    pass\n',
  'test_more.py': 'from shop import odd\n\nsetattr(odd, "replaced", None)\n',
  'shop/patched.py':
    'import json\n\nASK = input\n\n\ndef ask():\n    return ASK("?")\n\n\ndef load():\n    return json.loads("1")\n',
  'test_patched.py':
    'from unittest import mock\n\nfrom shop import patched as tested\n\ntested.ASK = lambda text: text\nmock.patch("shop.patched.json")\n',
  'shop/registry.py': 'def registered(function):\n    return function\n',
  'loose/part.py': '',
  'shop/stub.py': 'def stubbed(): ...\n',
  'shop/stub.pyi': 'def stubbed() -> None: ...\n',
};

import { testUnless } from '../../support/skip.ts';

const run = ['sh', '-c', 'python3 main.py && python3 -c "import shop.deep.tools"'] as const;

describe('move_symbol in Python', () => {
  testUnless(whyNotRun(['python3']))(
    'moves to new and existing files, corrects imports, and can be tried and undone',
    async () => {
      const { workspace: project, client } = await open(files);
      const labels = place('label', 'shop/prices.py', 'shop/deep/labels.py');
      const tried = await client.ask('move_symbol', { ...labels, dry_run: true });
      expect(tried).toContain(': 4 files changed, 9 places; complete\n');
      expect(project.read('shop/prices.py')).toBe(files['shop/prices.py']);
      expect(await client.ask('move_symbol', labels)).toBe(
        'Moved `label` from `shop/prices.py` to `shop/deep/labels.py`: 4 files changed, 9 places; complete\nFiles:\n  main.py: 5\n  shop/deep/labels.py: 1\n  shop/deep/tools.py: 2\n  shop/prices.py: 1',
      );
      expectCompiles(project, run);
      expect(project.read('shop/deep/labels.py')).toBe(
        'from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\nfrom ..units import UNIT\nfrom ..prices import price\n\nif TYPE_CHECKING:\n    from ..items import Item\n\n\ndef label(item: Item) -> str:\n    return f"{price(item)} {UNIT}"\n',
      );
      expect(project.read('shop/deep/tools.py')).toBe(
        'from .labels import label\nfrom ..prices import (\n    Basket,\n)\n\n\ndef show(item):\n    return label(item), Basket\n',
      );
      expect(project.read('main.py')).toBe(
        'import shop.prices\nfrom shop import price, prices\nfrom shop.items import Item\nfrom shop.deep.labels import label as text\nfrom shop.prices import Basket\nfrom shop.deep import labels\n\nprint(price(Item()), labels.label(Item()), text(Item()), labels.label(Item()), Basket().total([Item()]))\n',
      );
      await client.ask('move_symbol', place('Basket', 'shop/prices.py', 'shop/deep/labels.py'));
      expect(project.read('shop/deep/labels.py')).toContain('import decimal as dec\n');
      expect(project.read('shop/deep/tools.py')).toStartWith(
        'from .labels import label\nfrom .labels import (\n    Basket,\n)\n',
      );
      expectCompiles(project, run);
      await client.ask('move_symbol', place('name', 'shop/plain.py', 'shop/program.py'));
      expect(project.read('shop/program.py')).toBe(
        'import json\nimport shop.units\n\n\nclass Program:\n    pass\n\n\n# The name.\ndef name():\n    return json.dumps(shop.units.UNIT)\n\n\nif __name__ == "__main__":\n    print(Program())\n',
      );
      expect(project.read('shop/plain.py')).toBe(
        'import json\nimport shop.units\nfrom shop.program import name\n\n\nprint(name())\n',
      );
      await client.ask('move_symbol', place('UNIT', 'shop/units.py', 'shop/constants.py'));
      expect(project.read('shop/program.py')).toContain('return json.dumps(constants.UNIT)');
      expectCompiles(project, run);
      expectCompiles(project, ['python3', '-c', 'import shop.plain']);
      await client.ask('edit_history', { action: 'undo', count: 4 });
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );

  testUnless(whyNotRun(['python3']))(
    'keeps the name in the old file on request, and changes no user',
    async () => {
      const { workspace: project, client } = await open(files);
      const moved = await client.ask('move_symbol', {
        ...place('RATE', 'shop/prices.py', 'shop/rates.py'),
        re_export: true,
      });
      expect(moved).toBe(
        'Moved `RATE` from `shop/prices.py` to `shop/rates.py`: 2 files changed, 3 places; complete\nFiles:\n  shop/prices.py: 2\n  shop/rates.py: 1',
      );
      expect(project.read('shop/prices.py')).toContain('from .units import UNIT\nfrom .rates import RATE as RATE\n');
      expect(project.read('shop/rates.py')).toBe('from __future__ import annotations\n\n\nRATE = 2\n');
      expectCompiles(project, run);
      expectCompiles(project, ['python3', '-c', 'from shop.prices import RATE; assert RATE == 2']);
    },
    timeoutMs,
  );

  testUnless(whyNotRun(['python3']))(
    'refuses what may be wrong, and changes nothing',
    async () => {
      const { workspace: project, client } = await open({ ...files, ...more });
      const refuse = async (call: object, ...parts: string[]) => {
        expectClearError(await client.call('move_symbol', { ...call }), ...parts);
      };
      const odd = (name: string, to = 'shop/new.py') => place(name, 'shop/odd.py', to);
      await refuse(odd('count'), 'its code depends on the module that it is in: `shop/odd.py` 10');
      await refuse(odd('counted'), 'changes its value: `shop/odd.py` 4, 10');
      await refuse(odd('module'), 'its code depends on the module that it is in');
      await refuse(odd('thing'), '`Item` may come from `import *`: `shop/odd.py` 0');
      await refuse(odd('parse'), '`toml` is bound in more than one way, or under a condition: `shop/odd.py` 27, 29');
      await refuse(odd('maybe'), 'it is not a whole statement at the top level');
      await refuse(odd('patched'), 'a string names it with its module: `test_odd.py` 2', '`re_export`');
      await refuse(odd('replaced'), 'a string names it with its module: `test_more.py` 2', '`re_export`');
      await refuse(odd('route'), 'would no longer run what this may register: `shop/odd.py` 58', '`re_export`');
      await refuse(odd('Plugin'), 'would no longer run what this may register: `shop/odd.py` 63');
      const patched = (name: string) => place(name, 'shop/patched.py', 'shop/new.py');
      await refuse(
        patched('ask'),
        '`ASK`, which its code uses, is replaced in `shop/patched.py`',
        '`test_patched.py` 4',
      );
      await refuse(patched('load'), '`json`, which its code uses, is replaced in', '`test_patched.py` 5');
      await refuse(odd('STEP'), 'its name is also bound elsewhere in the file: `shop/odd.py` 6');
      await refuse(odd('first', 'shop/taken.py'), '`shop/taken.py` binds the name already: `shop/taken.py` 2');
      await refuse(odd('second', 'shop/taken.py'), '`first` means something else in `shop/taken.py`');
      await refuse(odd('first', 'shop/circle.py'), '`shop/odd.py` imports `shop/circle.py` imports `shop/odd.py`');
      await refuse(
        place('price', 'shop/prices.py', 'shop/new.py'),
        'its code needs `traced`, `RATE` of `shop/prices.py`, which uses it in turn: `shop/prices.py`',
      );
      await refuse(odd('first', 'loose/part.py'), 'are not imported from the same directory', '`__init__.py`');
      await refuse(odd('first', 'shop/stub.py'), '`shop/stub.pyi` declares the names');
      await refuse(place('Item', 'shop/items.py', 'shop/new.py'), 'it is used through `import *`: `shop/odd.py` 23');
      await refuse(place('Item/name', 'shop/items.py', 'shop/new.py'), 'only top-level declarations');
      await refuse(place('price', 'shop/prices.py', 'shop/units.py'), 'different `from __future__` imports');
      for (const [path, text] of Object.entries({ ...files, ...more })) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );
});

function open(files: Readonly<Record<string, string>>): Promise<SharedSession> {
  return openShared(files, { config: trustedWithActions });
}
