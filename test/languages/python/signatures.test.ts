import { beforeAll, describe, expect } from 'bun:test';
import { python } from '../../../src/languages/python/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { whyNotRun } from '../../support/compiles.ts';
import { openSignatures } from '../../support/language-tests/signatures.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 300_000;

const files = {
  'shop/__init__.py': '',
  'shop/base.py': `class Store:
    def fetch(self, key: str, limit: int = 10, *, deep: bool = False) -> list:
        if deep and limit:
            return self.fetch(key, limit=limit, deep=False)
        return [key] * limit


class Cache(Store):
    def fetch(
        self,
        key,  # what
        # how many
        limit=10,
        *,
        deep=False,  # last
    ):
        found = super().fetch(key, limit, deep=deep)
        return Store.fetch(self, key, limit) + found


class Proxy(Store):
    def fetch(self, *args, **kwargs):
        return super().fetch(*args, **kwargs)


class Shape:
    def area(self, scale: float, unit: str = "a, (b", /, *, exact: bool = False) -> str:
        return f"{scale} {unit} {exact}"

    @staticmethod
    def make(first: int, second: int) -> int:
        return first - second

    @classmethod
    def load(cls, path: str, mode: str) -> str:
        return path + mode


def plain(a, b=1, *args, c=2, **kw):
    return (a, args, c, kw)


__all__ = ["outer"]


def outer(first, second):
    return first * 10 + second


scale = 3


def uses_scale(number):
    return number * scale


def test_outer(first, second):
    assert outer(len([first]), abs(second)) == 10 + second
`,
  'shop/main.py': `from functools import partial

from shop.base import Cache, Shape, Store, outer, plain
from shop.base import outer as joined


def run(store: Store, cache: Cache, rows, unknown):
    found = [store.fetch("a, (b)", 5)]
    found.append(
        store.fetch(
            "a",  # the key
            5,  # how many
            deep=True,
        )
    )
    found.append(cache.fetch(key="x", limit=3))
    found.append(cache.fetch(*rows))
    later = store.fetch
    part = partial(cache.fetch, "x")
    found.append(unknown.fetch("k", 3))
    unknown.other()
    return found, later("z", 2), part(4)


class Other:
    def fetch(self, key, limit):
        return [key, limit]

    def other(self):
        return None


print(run(Store(), Cache(), ("r", 1), Other()))
print(outer(outer(1, 2), 3), joined(1, 2), outer(second=1, first=2), list(map(outer, [1], [2])))
print(plain(1, 2, 3, c=4, z=5), sum(plain(x for x in [1])[2] for _ in "ab"))
print(Shape().area(2, "x"), Shape.area(Shape(), 2.0, "x", exact=True), Shape().area(1))
print(Shape.make(1, second=3), Shape().make(4, 5), Shape.load("p", mode="w"), Shape().load("q", "r"))
`,
};

/** What the program prints. */
const printed = `([['a, (b)', 'a, (b)', 'a, (b)', 'a, (b)', 'a, (b)'], ['a', 'a', 'a', 'a', 'a'], ['x', 'x', 'x', 'x', 'x', 'x'], ['r', 'r'], ['k', 3]], ['z', 'z'], ['x', 'x', 'x', 'x', 'x', 'x', 'x', 'x'])
123 12 21 [12]
(1, (3,), 4, {'z': 5}) 4
2 x False 2.0 x True 1 a, (b False
-2 -1 pw qr
`;

const constructed = {
  'shop/__init__.py': '',
  'shop/point.py': `from dataclasses import dataclass


class Point:
    def __init__(self, x: int, y: int = 0) -> None:
        self.x = x
        self.y = y

    @classmethod
    def origin(cls) -> "Point":
        return cls(0, 0)


class Named(Point):
    def name(self) -> str:
        return f"{self.x}"


class Deep(Named):
    def __init__(self, z: int) -> None:
        super().__init__(1, z)
        Point.__init__(self, 2, y=z)


class Odd:
    def __new__(cls, a):
        return object.__new__(cls)

    def __init__(self, a):
        self.a = a


@dataclass
class Pair:
    a: int
    b: int
`,
  'shop/main.py': `from shop import point
from shop.point import Deep, Named, Point
from shop.point import Point as P


def use(p: Point, ps: "list[Point]") -> bool:
    return isinstance(p, (Point, Named)) and type(p) is Point


points = [Point(1, 2), point.Point(x=3, y=4), P(5, 6), Named(7, 8), Deep(9), Point(10)]
made = list(map(Point, [1, 2]))
print([(p.x, p.y) for p in points + made], use(points[0], made))
`,
};

const base = 'shop/base.py';
const main = 'shop/main.py';

beforeAll(() => install(python), installTimeoutMs);

describe('change_signature in Python', () => {
  const test = testUnless(whyNotRun(['python3']));

  test(
    'renames a parameter with its uses, in overrides and keywords',
    async () => {
      const project = await openSignatures(files);
      const answer = await project.change(of('Store/fetch', { rename: 'limit', to: 'count' }));
      expect(answer).toStartWith(
        'Changed the signature of `Store/fetch`: 2 files changed, 4 places; incomplete: 5 open',
      );
      expect(answer).toContain('override or implement the same `fetch`:\n    shop/base.py:8: Cache/fetch\n');
      expect(project.lines(base, /count|limit/)).toEqual([
        'def fetch(self, key: str, count: int = 10, *, deep: bool = False) -> list:',
        'if deep and count:',
        'return self.fetch(key, count=count, deep=False)',
        'return [key] * count',
        'count=10,',
        'found = super().fetch(key, count, deep=deep)',
        'return Store.fetch(self, key, count) + found',
      ]);
      expect(project.lines(main, /count=/)).toEqual(['found.append(cache.fetch(key="x", count=3))']);
      expect(answer).toContain('shop/main.py:17: later = store.fetch');
      expect(answer).toContain('shop/main.py:18: part = partial(cache.fetch, "x")');
      expect(answer).toContain('shop/main.py:16: found.append(cache.fetch(*rows))');
      project.expectCompiles(same);
    },
    timeoutMs,
  );

  test(
    'adds a parameter with a default without a change of calls',
    async () => {
      const project = await openSignatures(files);
      const answer = await project.change(of('Store/fetch', { add: 'timeout: float = max(1, 2)' }));
      expect(answer).toStartWith(
        'Changed the signature of `Store/fetch`: 1 file changed, 2 places in `shop/base.py`; incomplete: 1 open',
      );
      expect(answer).toContain('it takes any arguments, and may pass them on');
      expect(project.lines(base, /timeout/)).toEqual([
        'def fetch(self, key: str, limit: int = 10, *, deep: bool = False, timeout: float = max(1, 2)) -> list:',
        'timeout: float = max(1, 2),',
      ]);
      expect(project.read(base)).toContain('deep=False,  # last\n        timeout: float = max(1, 2),\n    ):');
      project.expectCompiles(same);
    },
    timeoutMs,
  );

  test(
    'adds an argument to every call, and names what is no plain call',
    async () => {
      const project = await openSignatures(files);
      const wait = { add: 'wait: float', value: 'max(1, len("a)"))', before: 'limit' };
      const answer = await project.change(of('Store/fetch', wait));
      expect(project.lines(main, /fetch\(|max\(/)).toEqual([
        'found = [store.fetch("a, (b)", max(1, len("a)")), 5)]',
        'store.fetch(',
        'max(1, len("a)")),',
        'found.append(cache.fetch(key="x", limit=3, wait=max(1, len("a)"))))',
        'found.append(cache.fetch(*rows))',
        'found.append(unknown.fetch("k", 3))',
        'def fetch(self, key, limit):',
      ]);
      expect(project.read(main)).toContain(
        '"a",  # the key\n            max(1, len("a)")),\n            5,  # how many\n            deep=True,\n        )',
      );
      expect(project.read(base)).toContain(
        'key,  # what\n        wait: float,\n        # how many\n        limit=10,\n        *,\n        deep=False,  # last\n    ):',
      );
      expect(project.lines(base, /Store\.fetch|super\(\)/)).toEqual([
        'found = super().fetch(key, wait, limit, deep=deep)',
        'return Store.fetch(self, key, wait, limit) + found',
        'return super().fetch(*args, **kwargs)',
      ]);
      // Lines of the changed file, and as they are there.
      for (const line of ['17: found.append(cache.fetch(*rows))', '18: later = store.fetch', '19: part = partial('])
        expect(answer).toContain(`shop/main.py:${line}`);
      project.expectCompiles(compile);
      await project.client.ask('edit_history', { action: 'undo' });
      project.expectUnchanged();
    },
    timeoutMs,
  );

  test(
    'reorders arguments in nested calls, and follows other names of imports',
    async () => {
      const project = await openSignatures(files);
      const answer = await project.change(of('outer', { order: ['second', 'first'] }));
      expect(answer).toContain('it is used without a call:\n    shop/main.py:33:');
      expect(answer).toContain('incomplete: 1 open');
      expect(project.read(base)).toContain('def outer(second, first):');
      expect(project.lines(main, /^print\(outer/)).toEqual([
        'print(outer(3, outer(2, 1)), joined(2, 1), outer(second=1, first=2), list(map(outer, [1], [2])))',
      ]);
    },
    timeoutMs,
  );

  test(
    'changes methods without a receiver, and what is passed by name only',
    async () => {
      const project = await openSignatures(files);
      await project.change(of('Shape/make', { order: ['second', 'first'] }));
      await project.change(of('Shape/load', { order: ['mode', 'path'] }));
      await project.change({
        ...of('Shape/area', { rename: 'exact', to: 'precise' }, { remove: 'unit' }),
        force: true,
      });
      expect(project.lines(main, /^print\(Shape/)).toEqual([
        'print(Shape().area(2), Shape.area(Shape(), 2.0, precise=True), Shape().area(1))',
        'print(Shape.make(first=1, second=3), Shape().make(5, 4), Shape.load(path="p", mode="w"), Shape().load("r", "q"))',
      ]);
      expect(project.lines(base, /def area/)).toEqual([
        'def area(self, scale: float, /, *, precise: bool = False) -> str:',
      ]);
      await project.change(of('Shape/area', { positional: 'precise' }));
      await project.change(of('Shape/make', { keyword: 'first' }));
      expect(project.lines(base, /def (?:area|make)/)).toEqual([
        'def area(self, scale: float, /, precise: bool = False) -> str:',
        'def make(second: int, *, first: int) -> int:',
      ]);
      expect(project.lines(main, /make/)).toEqual([
        'print(Shape.make(first=1, second=3), Shape().make(5, first=4), Shape.load(path="p", mode="w"), Shape().load("r", "q"))',
      ]);
    },
    timeoutMs,
  );

  test(
    'removes a parameter and its arguments',
    async () => {
      const project = await openSignatures(files);
      await project.change(of('plain', { remove: 'b' }));
      expect(project.read(base)).toContain('def plain(a, *args, c=2, **kw):');
      expect(project.lines(main, /plain\(1/)).toEqual([
        'print(plain(1, 3, c=4, z=5), sum(plain(x for x in [1])[2] for _ in "ab"))',
      ]);
    },
    timeoutMs,
  );

  test(
    'changes the open calls that are chosen by their ids, now or later',
    async () => {
      const project = await openSignatures(files);
      const wait = of('Store/fetch', { add: 'wait: float', value: '1.5', before: 'limit' });
      const answer = await project.change(wait);
      const call =
        'change_signature {"name_path":"Store/fetch","relative_path":"shop/base.py","changes":[{"add":"wait: float","value":"1.5","before":"limit"}],"also":[1]}';
      expect(answer).toContain('    [1] shop/main.py:20: found.append(unknown.fetch("k", 3))\n');
      expect(answer).toContain(`  To change these too, keep the ids of those that mean it: ${call}`);
      // A use without a call cannot be changed by its id.
      expect(answer).toContain('  it is used without a call:\n    shop/main.py:18: later = store.fetch\n');
      await project.refuse({ ...wait, also: [2] }, 'no such change of this symbol returned the id 2');
      const later = await project.change({ ...wait, also: [1] });
      expect(later).toStartWith(
        'Changed calls of `Store/fetch` where chosen: 1 file changed, 1 place in `shop/main.py`; complete',
      );
      expect(project.lines(main, /unknown\.fetch/)).toEqual(['found.append(unknown.fetch("k", 1.5, 3))']);
      await project.client.ask('edit_history', { action: 'undo', count: 2 });
      project.expectUnchanged();
      const planned = await project.change({ ...wait, dryRun: true });
      expect(planned).toStartWith('Nothing was changed. Would have changed the signature of `Store/fetch`: 2 files');
      expect(planned).toContain('+        found = super().fetch(key, wait, limit, deep=deep)\n');
      project.expectUnchanged();
      const together = await project.change({ ...wait, also: [1] });
      expect(together).toContain('incomplete: 5 open');
      expect(project.lines(main, /unknown\.fetch/)).toEqual(['found.append(unknown.fetch("k", 1.5, 3))']);
      await project.client.ask('edit_history', { action: 'undo' });
      project.expectUnchanged();
    },
    timeoutMs,
  );

  test(
    'names arguments that change places with effects, and functions that test runners call',
    async () => {
      const project = await openSignatures(files);
      const answer = await project.change(of('outer', { order: ['second', 'first'] }));
      expect(answer).toContain(
        'computed in another order, which matters if they have effects: `shop/base.py` 57 (0-based',
      );
      const renamed = await project.change(of('test_outer', { rename: 'first', to: 'one' }));
      expect(renamed).toContain('a test runner or the system may call it:\n    shop/base.py:56: def test_outer(');
    },
    timeoutMs,
  );

  test(
    'changes constructors, and what constructs an object by the name of a type',
    async () => {
      const project = await openSignatures(constructed);
      const file = 'shop/point.py';
      const change = (...changes: Change[]) => ({ namePath: 'Point/__init__', file, changes });
      const answer = await project.change(change({ order: ['y', 'x'] }, { keyword: 'x' }));
      expect(answer).toContain('it may construct the type without naming it:\n    shop/point.py:10: return cls(0, 0)');
      expect(answer).toContain('it is used without a call:\n    shop/main.py:10: made = list(map(Point, [1, 2]))');
      expect(answer).toContain('incomplete: 2 open');
      expect(project.lines(file, /__init__/)).toContain('def __init__(self, y: int = 0, *, x: int) -> None:');
      expect(project.lines(file, /super|Point\.__/)).toEqual([
        'super().__init__(z, x=1)',
        'Point.__init__(self, x=2, y=z)',
      ]);
      expect(project.lines('shop/main.py', /^points/)).toEqual([
        'points = [Point(2, x=1), point.Point(x=3, y=4), P(6, x=5), Named(8, x=7), Deep(9), Point(x=10)]',
      ]);
      await project.client.ask('edit_history', { action: 'undo' });
      project.expectUnchanged();
      await project.change(change({ add: 'z: int = 0' }));
      expect(project.lines('shop/main.py', /^points/)).toEqual([
        'points = [Point(1, 2), point.Point(x=3, y=4), P(5, 6), Named(7, 8), Deep(9), Point(10)]',
      ]);
      await project.refuse({ namePath: 'Odd/__init__', file, changes: [{ add: 'b=1' }] }, '`__new__` of `Odd`');
      await project.refuse({ namePath: 'Pair', file, changes: [{ add: 'c: int = 1' }] }, 'declares no constructor');
      await project.refuse({ namePath: 'Point', file, changes: [{ add: 'c: int = 1' }] }, '`Point/__init__`');
    },
    timeoutMs,
  );

  test(
    'refuses what may be wrong, and changes nothing',
    async () => {
      const project = await openSignatures(files);
      await project.refuse(of('Store/fetch', { remove: 'deep' }), '`shop/base.py:1`', 'uses `deep` (0-based lines: 2)');
      await project.refuse(of('Store/fetch', { remove: 'nothing' }), '`nothing`', '`key`, `limit`, `deep`');
      await project.refuse(of('Store/fetch', { rename: 'limit', to: 'deep' }), 'there is a parameter `deep` already');
      await project.refuse(of('outer', { add: 'x, y' }), '`x, y` is not one parameter');
      await project.refuse(of('outer', { add: 'x)-> None:\n  pass\ndef g(y' }), 'is not one parameter');
      await project.refuse(of('outer', { add: 'x', value: '1, 2' }), '`1, 2` is not one argument');
      await project.refuse(of('outer', { add: 'x' }), '`value`', '`outer` is called');
      await project.refuse(of('outer', { order: ['first'] }), '`first`, `second`');
      await project.refuse(of('uses_scale', { rename: 'number', to: 'scale' }), 'already uses the name `scale`');
      await project.refuse(of('uses_scale', { add: 'scale=1' }), 'already uses the name `scale`');
      await project.refuse(of('Shape/area', { order: ['unit', 'scale', 'exact'] }), 'would cause', 'Non-default');
      await project.refuse(of('Shape', { remove: 'x' }), 'declares no constructor');
      await project.refuse(of('outer', {}), 'is not a change of a signature', '"rename"');
      project.expectUnchanged();
    },
    timeoutMs,
  );
});

type Change = Readonly<Record<string, string | readonly string[]>>;

const of = (namePath: string, ...changes: Change[]) => ({ namePath, file: base, changes });

const compile = ['python3', '-m', 'compileall', '-q', 'shop'] as const;
/** Runs the program, which has to print what it printed before. */
const same = ['sh', '-c', `python3 -m shop.main | cmp - <<'END'\n${printed}END`] as const;
