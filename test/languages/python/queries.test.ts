// Questions about Python code: what is expected of each server, in this language.
import { expect, test } from 'bun:test';
import { python as pyright, pythonJedi } from '../../../src/languages/python/servers.ts';
import { testCrossCheck } from '../../support/language-tests/cross-check.ts';
import { testDiagnostics } from '../../support/language-tests/diagnostics.ts';
import { type HierarchyQuestion, testHierarchies } from '../../support/language-tests/hierarchies.ts';
import { testShortAnswers } from '../../support/language-tests/short-answers.ts';
import { testedBy } from '../../support/language-tests/tested.ts';
import { testTypesOfNames } from '../../support/language-tests/types-of-names.ts';
import { testUnused } from '../../support/language-tests/unused.ts';
import { openShared } from '../../support/shared-session.ts';

const python = testedBy(pyright);

const pythonTypes: readonly HierarchyQuestion[] = [
  {
    of: ['Discount', 'shop/discount.py'],
    kind: 'subtypes',
    expected: ['shop/discount.py HalfOff 9', 'shop/discount.py Flat 14'],
    isDerived: true,
  },
  {
    of: ['Flat', 'shop/discount.py'],
    kind: 'supertypes',
    expected: ['shop/discount.py Discount 3'],
    isDerived: true,
  },
];

testHierarchies(python, 'python', [
  {
    of: ['Basket/total', 'shop/helper.py'],
    kind: 'callers',
    expected: ['shop/checkout.py checkout 5', '  shop/checkout.py sale 10', 'shop/receipt.py Receipt/render 8'],
  },
  {
    of: ['checkout', 'shop/checkout.py'],
    kind: 'callees',
    expected: [
      'shop/discount.py Discount/apply 5',
      'shop/helper.py format_amount 5',
      '  shop/helper.py format_amount/pad 8',
      'shop/helper.py Basket/total 25',
    ],
  },
  ...pythonTypes,
]);

testShortAnswers(python, {
  directory: 'shop',
  helper: 'shop/helper.py',
  user: 'shop/checkout.py',
  popular: 'format_amount',
  method: 'Basket/total',
  discount: ['shop/discount.py', 'Discount/apply'],
});

/** A package, and a script that pyright's configuration leaves out. */
const filesAndScript = {
  'pyproject.toml': '[tool.pyright]\ninclude = ["pkg"]\n',
  'pkg/__init__.py': '',
  'pkg/model.py': `class Model:
    def validate(self):
        return True

    def dates(self, kind):
        return kind

    def alone(self):
        """alone"""
        return "alone"


def build(x):
    return x


def local(total):
    validate = total
    return validate
`,
  'pkg/user.py': `from .model import Model, build as make


def run(model: Model):
    return model.validate()


def untyped(query):
    return query.dates("a")


def twice():
    return make(make(1))


class Other:
    def validate(self):
        return False
`,
  'extra/script.py': `from pkg.model import Model, build

# validate
print(f"validate {Model().validate()} validate")
build(2)
`,
};

testCrossCheck(python, {
  files: filesAndScript,
  questions: [
    // A file that `include` excludes.
    { symbol: 'Model/validate', file: 'pkg/model.py', lines: { 'extra/script.py': [3], 'pkg/user.py': [4] } },
    // A method called on an untyped value.
    { symbol: 'Model/dates', file: 'pkg/model.py', lines: {}, open: ['pkg/user.py:8'] },
    // An import under another name.
    { symbol: 'build', file: 'pkg/model.py', lines: { 'extra/script.py': [0, 4], 'pkg/user.py': [0, 12, 12] } },
    // The name occurs only in a comment and a string.
    { symbol: 'Model/alone', file: 'pkg/model.py', lines: {} },
    // A local variable has the same name as another symbol.
    { symbol: 'local/validate', file: 'pkg/model.py', lines: { 'pkg/model.py': [18] } },
  ],
});

/** A member that calls on untyped values may mean, or cannot because of their arguments. */
const calls = {
  'calls/field.py': `import functools


class Field:
    def clean(self, value, model):
        return value

    @staticmethod
    def made(value): ...

    @functools.cached_property
    def lazy(self): ...

    def many(self, first, *others, flag=False, **options): ...


class Other:
    def clean(self, value): ...


class Narrow(Field):
    def clean(self, value, model, strict=False): ...


def made_at_run_time(base):
    return type("Made", (base,), {})


Made = made_at_run_time(object)


class Form(Made):
    def clean(self): ...

    def load(self, value): ...


class Loading:
    def load(self, value, model=None, *, key): ...


class Bound(Made):
    def load(self, value, model=None, extra=None, key=None): ...
`,
  'calls/use.py': `def use(x, args, field):
    x.clean()
    x.clean(1)
    x.clean(1, 2)
    x.clean(1, model=2)
    x.clean(1, other=2)
    x.clean(*args)
    x.clean(1, 2, True)
    field.clean(x, 1, 2)
    x.clean(1, 2, strict=True)
    x.clean(1, 2, 3, 4, 5)


def more(x):
    x.made()
    x.made(1)
    x.lazy(1, 2, 3)
    x.many()
    x.many(1, 2, 3, flag=True, other=1)
    return x.clean


def load(x):
    x.load(1)
    x.load(1, 2, 3)
    x.load(key=1)
    x.load(1, 2, 3, 4, 5, 6)
`,
  // Too long to be parsed for each question.
  'calls/long.py': `def use(form):\n    form.clean()\n\n\n${`# ${'x'.repeat(98)}\n`.repeat(2_100)}`,
};

testCrossCheck(python, {
  files: calls,
  questions: [
    // Other passes too little, a keyword that nothing takes, or too much. Nobody knows the base of `Form`, but no call fits
    // its members and those asked about.
    {
      symbol: 'Field/clean',
      file: 'calls/field.py',
      lines: {},
      open: [3, 4, 6, 7, 8, 9, 19].map((line) => `calls/use.py:${line}`),
    },
    {
      symbol: 'Other/clean',
      file: 'calls/field.py',
      lines: {},
      open: ['calls/use.py:2', 'calls/use.py:3', 'calls/use.py:6', 'calls/use.py:19'],
    },
    { symbol: 'Field/made', file: 'calls/field.py', lines: {}, open: ['calls/use.py:15'] },
    { symbol: 'Field/lazy', file: 'calls/field.py', lines: {}, open: ['calls/use.py:16'] },
    { symbol: 'Field/many', file: 'calls/field.py', lines: {}, open: ['calls/use.py:18'] },
    // `Bound` may be below `Loading`.
    { symbol: 'Loading/load', file: 'calls/field.py', lines: {}, open: ['calls/use.py:23', 'calls/use.py:24'] },
  ],
});

testDiagnostics(python, {
  files: {},
  helper: 'helper.py',
  changedHelper: 'def make() -> str:\n    return "a"\n',
  user: 'user.py',
  wrong: '\n\ndef wrong() -> int:\n    return "a"\n',
  wrongTold: '1 wrong 6: reportReturnType',
  userTold: '1 <file> 2: reportAssignmentType',
  unparsable: '\n\ndef broken(:\n    return 1\n',
  hinted: ['hinted.py', 'def f():\n    1 + 1\n', ['2 f 1: reportUnusedExpression']],
  helperText: 'def make() -> int:\n    return 1\n',
  userText: 'from helper import make\n\nvalue: int = make()\n',
});

testHierarchies(testedBy(pythonJedi), 'python', [
  {
    of: ['checkout', 'shop/checkout.py'],
    kind: 'callers',
    expected: ['shop/checkout.py sale 10'],
    isDerived: true,
  },
  {
    of: ['checkout', 'shop/checkout.py'],
    kind: 'callees',
    expected: [
      'shop/discount.py Discount/apply 5',
      'shop/helper.py format_amount 5',
      '  shop/helper.py format_amount/pad 8',
      'shop/helper.py Basket/total 25',
    ],
    isDerived: true,
  },
  ...pythonTypes,
]);

test(
  'a rename and its reversal include references that the server does not list',
  async () => {
    const { workspace, client } = await openShared(filesAndScript);
    const rename = (from: string, to: string) =>
      client.call('rename_symbol', { name_path: `Model/${from}`, relative_path: 'pkg/model.py', new_name: to });
    expect((await rename('validate', 'check')).text).toStartWith(
      'Renamed `Model/validate` to `check`: 3 files changed, ',
    );
    expect(workspace.read('extra/script.py')).toContain('print(f"validate {Model().check()} validate")');
    expect((await rename('check', 'validate')).text).toStartWith(
      'Renamed `Model/check` to `validate`: 3 files changed, ',
    );
    for (const [file, text] of Object.entries(filesAndScript)) expect(workspace.read(file)).toBe(text);
  },
  15 * 60_000,
);

testTypesOfNames(python, {
  files: {
    'basket.py': 'class Basket:\n    size: int = 0\n\n\nclass Crate:\n    pass\n',
    'use.py':
      'from basket import Basket, Crate\n\n\ndef made(either: Basket | Crate):\n    own = Basket()\n    size = own.size\n    return own, either, size\n',
  },
  file: 'use.py',
  types: {
    '(own) =': ['basket.py Basket'],
    'made\\((either)': ['basket.py Basket', 'basket.py Crate'],
    '(size) =': 'the type of the name at `use.py:5:4` is declared outside the project',
  },
});

testUnused(python, {
  files: {
    'shop.py': `import functools
import json


class Basket:
    size = 0

    def total(self):
        return 1

    def _weigh(self):
        return self._weigh()

    def tested(self):
        return 2

    def read(self):
        return ''


class Encoder(json.JSONEncoder):
    def default(self, o):
        return None


class Lonely:
    def member(self):
        return 1


def register(function):
    return function


@register
def found():
    return 1


@functools.cache
def kept():
    return 1


def by_name():
    return 1


def untyped(value):
    return value.weigh2()


class Plugin(Basket):
    pass


class Unseen(ValueError):
    pass


UNUSED = 1
WORDS = set()
started = register(untyped)
print(Basket().total(), Encoder, getattr(object(), 'by_name'), untyped)
`,
    'docs/conf.py': 'project = "shop"\n',
    'test_shop.py': 'from shop import Basket\n\n\ndef test_it():\n    Basket().tested()\n',
  },
  found: [
    'unused: Basket/_weigh',
    'unused: Lonely',
    'unused: kept',
    'unused: Unseen',
    'unused: UNUSED',
    'unused: WORDS',
    'tests: Basket/tested',
    'undecided: project: tools and frameworks read the names in such a file',
    'undecided: Basket/read: members of this name are called by whatever gets the object, if it looks for that name',
    'undecided: Encoder/default: it overrides or implements `json.JSONEncoder/default` (`json/encoder.pyi:37`), and calls of that may run it',
    'undecided: found: something may find it by `@register`',
    'undecided: by_name: a string has its name, and code may use it by that',
    'undecided: Plugin: `Basket` may know what is derived from it',
    'undecided: started: its initial value may do something besides',
  ],
});
