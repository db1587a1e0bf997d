// Edits of Python code: what is expected of each server, in this language.
import { python as pyright } from '../../../src/languages/python/servers.ts';
import { testCapturedNames } from '../../support/language-tests/captured-names.ts';
import { testCleanEdits } from '../../support/language-tests/clean-edits.ts';
import { testCodeActions } from '../../support/language-tests/code-actions.ts';
import { testInsertions } from '../../support/language-tests/insertions.ts';
import { testMovedFiles } from '../../support/language-tests/moved-files.ts';
import { testOverridingDeletions } from '../../support/language-tests/overriding-deletions.ts';
import { testedBy } from '../../support/language-tests/tested.ts';

const python = testedBy(pyright);

testCodeActions(python, {
  files: {
    'price.py': 'import sys\nimport os\n\n\ndef price(n: int) -> int:\n    return n + 1\n\n\nprint(os.sep, price(1))\n',
  },
  steps: [
    { at: { relative_path: 'price.py' }, offers: [] },
    { at: { relative_path: 'price.py', kind: 'source.organizeImports' }, offers: [] },
    { at: { relative_path: 'price.py', name_path: 'price' }, offers: [] },
  ],
  compile: ['python3', 'price.py'],
});

testMovedFiles(python, {
  files: {
    'shop/__init__.py': '',
    'shop/helper.py': 'from .units import UNIT\n\n\ndef price(n: int) -> str:\n    return f"{n} {UNIT}"\n',
    'shop/units.py': 'UNIT = "EUR"\n',
    'shop/tools/__init__.py': '',
    'main.py':
      'import shop.helper\nfrom shop import helper, units\nfrom shop.helper import price\n\nprint(shop.helper.price(1), helper.price(2), price(3), units.UNIT)\nhelper = 1  # not a module\n',
  },
  moves: [
    {
      from: 'shop/units.py',
      to: 'shop/measures.py',
      answer:
        'Moved `shop/units.py` to `shop/measures.py`: 2 files changed, 3 places; complete\nFiles:\n  main.py: 2\n  shop/helper.py: 1',
    },
    { from: 'shop/__init__.py', to: 'shop/init.py', answer: 'its name has a meaning', isRefused: true },
    {
      from: 'shop/measures.py',
      to: 'shop/tools/measures.py',
      answer:
        'Moved `shop/measures.py` to `shop/tools/measures.py`: 2 files changed, 4 places; complete\nFiles:\n  main.py: 3\n  shop/helper.py: 1',
    },
    {
      from: 'shop',
      to: 'store',
      answer:
        'Moved `shop` to `store` (4 files): 2 files changed, 6 places; complete\nFiles:\n  main.py: 5\n  store/helper.py: 1',
    },
  ],
  compile: ['python3', 'main.py'],
});

testOverridingDeletions(python, {
  file: 'log.py',
  overriding: ['Log/append', '@typing_extensions.override'],
  pointless: 'Log/missing',
  own: 'Log/own',
  files: {
    'log.py': `import typing_extensions
from typing_extensions import override


class Base:
    def append(self) -> None: ...


class Log(Base):
    @typing_extensions.override
    def append(self) -> None: ...

    @override
    def missing(self) -> None: ...

    # @override
    def own(self) -> None: ...
`,
  },
});

testInsertions(python, {
  file: 'a.py',
  name: 'A/total',
  text: 'import functools\n\n\nclass A:\n»    # Sums.\n    @functools.lru_cache(\n        maxsize=1,\n    )\n    def total(self):\n        return 1\n',
  body: '    x = 1',
});

testCapturedNames(python, {
  files: {
    'util.py': 'def helper(x):\n    return x + 1\n',
    'a.py':
      'from util import helper\n\n\ndef helper2(x):\n    return x * 2\n\n\ndef use(v):\n    return helper(v)\n\n\ndef inner(total, other):\n    return helper2(total) + other\n',
  },
  file: 'a.py',
  refused: [
    ['helper2', 'helper', 'these uses of another `helper` would mean it: `a.py` 0, 8'],
    ['helper2', 'other', 'references to it would mean another `other`: `a.py` 12'],
  ],
  done: ['use', 'v'],
});

testCleanEdits(python, {
  files: {
    'price.py': 'def price(amount: int) -> int:\n    return amount\n',
    'shop.py': 'from price import price\n\ntotal = price(1)\n',
  },
  symbol: ['price', 'price.py'],
  breaking: [
    'def price(amount: int, rate: int) -> int:\n    return amount * rate',
    'shop.py:2: error: Argument missing',
  ],
  clean: 'def price(amount: int, rate: int = 1) -> int:\n    return amount * rate',
});
