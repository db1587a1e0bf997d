// Implementations that real servers find, through this program's layers: exact symbols, files and lines.
import { beforeAll, describe, expect, test } from 'bun:test';
import { bash } from '../../../src/languages/bash/servers.ts';
import { go } from '../../../src/languages/go/servers.ts';
import { python } from '../../../src/languages/python/servers.ts';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import type { KindFilter } from '../../../src/symbols/model/kinds.ts';
import type { Symbols } from '../../../src/symbols/symbols.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { placeOf } from '../../servers/render.ts';
import { rejection } from '../../support/rejection.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { copyFixture, makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

const all: KindFilter = { include: [], exclude: [] };

async function implementationsOf(symbols: Symbols, namePath: string, file: string, kinds = all): Promise<string[]> {
  const found = await symbols.implementations(await symbols.unique(namePath, file), kinds);
  return found.map(placeOf);
}

describe('typescript-language-server finds implementations of', () => {
  beforeAll(() => install(typescript), installTimeoutMs);

  test(
    'an interface, and its method',
    async () => {
      await using opened = await Opened.open(copyFixture('typescript'));
      const find = (namePath: string) =>
        opened.ask((symbols) => implementationsOf(symbols, namePath, 'src/discount.ts'));
      expect(await find('Discount')).toEqual([
        'Class HalfOff in src/discount.ts:5-9',
        'Class Flat in src/discount.ts:11-21',
      ]);
      expect(await find('Discount/apply')).toEqual([
        'Method HalfOff/apply in src/discount.ts:6-8',
        'Method Flat/apply in src/discount.ts:18-20',
      ]);
    },
    timeoutMs,
  );

  test(
    'an interface, without what holds or returns its values',
    async () => {
      const text = `export interface Shape { area(): number }
export class Square implements Shape { area() { return 4; } }
export class Scene {
  squares: Square[] = [];
  all(): Array<Square> { return [...this.squares]; }
  byName: Record<string, Shape> = {};
  wrapped: { shape: Shape } = { shape: new Square() };
  make: () => Shape = () => new Square();
  one: Shape = { area: () => 1 };
  maybe: Shape | undefined = { area() { return 2; } };
  fresh(): Shape { return { area: () => 4 }; }
  constructor(list: Shape[] = []) { this.all(); }
}
export const satisfying = { area: () => 8 } satisfies Shape;
export const tuple: [Shape, Shape] = [new Square(), { area: () => 9 }];
export const casted = [] as Shape[];
`;
      await using workspace = makeWorkspace({ 'tsconfig.json': '{}', 'src/a.ts': text });
      await using opened = await Opened.open(workspace, typescript);
      const find = (namePath: string) => opened.ask((symbols) => implementationsOf(symbols, namePath, 'src/a.ts'));
      expect(await find('Shape')).toEqual([
        'Class Square in src/a.ts:1-1',
        'Property Scene/one in src/a.ts:8-8',
        'Property Scene/maybe in src/a.ts:9-9',
        'Method Scene/fresh in src/a.ts:10-10',
        'Constant satisfying in src/a.ts:13-13',
      ]);
      expect(await find('Square')).toEqual(['Class Square in src/a.ts:1-1']);
    },
    timeoutMs,
  );

  test(
    'an interface in other files, in order of path, and as files come and go',
    async () => {
      await using opened = await Opened.open(copyFixture('typescript'));
      const { workspace } = opened;
      const find = () => opened.ask((symbols) => implementationsOf(symbols, 'Discount', 'src/discount.ts'));
      const own = ['Class HalfOff in src/discount.ts:5-9', 'Class Flat in src/discount.ts:11-21'];
      const text =
        "import type { Discount } from './discount.ts';\n\nexport class Free implements Discount {\n  apply(): number {\n    return 0;\n  }\n}\n";
      workspace.write('src/a-free.ts', text);
      workspace.write('src/z-free.ts', text);
      const there = ['Class Free in src/a-free.ts:2-6', ...own, 'Class Free in src/z-free.ts:2-6'];
      expect(await find()).toEqual(there);
      workspace.remove('src/a-free.ts');
      workspace.write('src/z-free.ts', `\n${text}`);
      expect(await find()).toEqual([...own, 'Class Free in src/z-free.ts:3-7']);
    },
    timeoutMs,
  );

  test(
    'an interface in a separate project that is not loaded yet',
    async () => {
      const config = '{ "compilerOptions": { "module": "nodenext", "types": [] } }\n';
      await using opened = await Opened.open(
        makeWorkspace({
          'a/tsconfig.json': config,
          'a/shape.ts': 'export interface Shape {\n  area(): number;\n}\n',
          'b/tsconfig.json': config,
          'b/square.ts':
            "import type { Shape } from '../a/shape';\n\nexport class Square implements Shape {\n  area(): number {\n    return 1;\n  }\n}\n",
        }),
      );
      const find = (namePath: string) => opened.ask((symbols) => implementationsOf(symbols, namePath, 'a/shape.ts'));
      expect(await find('Shape')).toEqual(['Class Square in b/square.ts:2-6']);
      expect(await find('Shape/area')).toEqual(['Method Square/area in b/square.ts:3-5']);
    },
    timeoutMs,
  );

  test(
    'a method, filtered by kind, and none for a symbol without implementations',
    async () => {
      await using opened = await Opened.open(
        makeWorkspace({
          'tsconfig.json': '{ "compilerOptions": { "types": [] } }\n',
          'a.ts':
            'interface Shape {\n  area(): number;\n}\n\nconst square: Shape = { area: () => 1 };\n\nclass Circle implements Shape {\n  area(): number {\n    return 3;\n  }\n}\n\ninterface Alone {\n  never(): void;\n}\n',
        }),
      );
      const find = (namePath: string, kinds?: KindFilter) =>
        opened.ask((symbols) => implementationsOf(symbols, namePath, 'a.ts', kinds));
      expect(await find('Shape/area')).toEqual(['Method square/area in a.ts:4-4', 'Method Circle/area in a.ts:7-9']);
      expect(await find('Shape', { include: [5], exclude: [] })).toEqual(['Class Circle in a.ts:6-10']);
      expect(await find('Shape', { include: [], exclude: [5] })).toEqual(['Constant square in a.ts:4-4']);
      expect(await find('Alone')).toEqual([]);
      expect(await find('Alone/never')).toEqual([]);
    },
    timeoutMs,
  );
});

describe('gopls finds implementations of', () => {
  const testGo = testUnless(whyNoGo());
  beforeAll(async () => {
    if (whyNoGo() === undefined) await install(go);
  }, installTimeoutMs);

  const shape = 'package a\n\n// Shape has an area.\ntype Shape interface {\n\tArea() int\n}\n';
  const square = (name: string) =>
    `package ${name}\n\n// Square is one.\ntype Square struct{}\n\n// Area returns 1.\nfunc (Square) Area() int {\n\treturn 1\n}\n`;
  const module = (name: string) => `module example.com/${name}\n\ngo 1.21\n`;

  testGo(
    'an interface, and its method',
    async () => {
      await using opened = await Opened.open(copyFixture('go'));
      const find = (namePath: string) =>
        opened.ask((symbols) => implementationsOf(symbols, namePath, 'shop/discount.go'));
      expect(await find('Discount')).toEqual([
        'Struct HalfOff in shop/discount.go:9-9',
        'Struct Flat in shop/discount.go:17-19',
      ]);
      expect(await find('Discount/Apply')).toEqual([
        'Method HalfOff/Apply in shop/discount.go:12-14',
        'Method Flat/Apply in shop/discount.go:22-24',
      ]);
    },
    timeoutMs,
  );

  // A Go type that implements an interface does not name it: a search for the name would skip the other module.
  testGo(
    'an interface in a module that `go.work` joins with its own',
    async () => {
      await using opened = await Opened.open(
        makeWorkspace({
          'go.work': 'go 1.21\n\nuse (\n\t./a\n\t./b\n)\n',
          'a/go.mod': module('a'),
          'a/shape.go': shape,
          'b/go.mod': module('b'),
          'b/square.go': square('b'),
        }),
      );
      const found = await opened.ask((symbols) => implementationsOf(symbols, 'Shape', 'a/shape.go'));
      expect(found).toEqual(['Struct Square in b/square.go:3-3']);
    },
    timeoutMs,
  );

  testGo(
    'an interface, and names the modules that it does not cover',
    async () => {
      await using opened = await Opened.open(
        makeWorkspace({
          'a/go.mod': module('a'),
          'a/shape.go': shape,
          'a/square.go': square('a'),
          'b/go.mod': module('b'),
          'b/square.go': square('b'),
        }),
      );
      const { answer, missing } = await opened.askPartly((symbols) =>
        implementationsOf(symbols, 'Shape', 'a/shape.go'),
      );
      expect(answer).toEqual(['Struct Square in a/square.go:3-3']);
      expect(missing).toEqual([expect.stringMatching(/^Implementations in `b\/square\.go` may be missing: .*`Area`/)]);
    },
    timeoutMs,
  );

  // gopls 0.23 searches implementations in one build configuration.
  testGo(
    'an interface in files of other operating systems, and names those of other build tags',
    async () => {
      const store = 'package a\n\ntype Store interface {\n\tSave(key string) error\n}\n';
      const save = (type: string) =>
        `package a\n\ntype ${type} struct{}\n\nfunc (s *${type}) Save(key string) error {\n\treturn nil\n}\n`;
      await using opened = await Opened.open(
        makeWorkspace({
          'go.mod': module('a'),
          'store.go': store,
          'memory.go': save('Memory'),
          'file_plan9.go': save('File'),
          'other_plan9.go': save('Other').replace('key string', 'key int'),
          'registry_windows.go': save('Registry'),
          'tagged.go': `//go:build extra\n\n${save('Tagged')}`,
        }),
      );
      const find = (namePath: string) =>
        opened.askPartly((symbols) => implementationsOf(symbols, namePath, 'store.go'));
      const types = await find('Store');
      expect(types.answer).toEqual([
        'Struct File in file_plan9.go:2-2',
        'Struct Memory in memory.go:2-2',
        'Struct Registry in registry_windows.go:2-2',
      ]);
      expect(types.missing).toEqual([
        expect.stringMatching(/^Implementations may be missing: .*\nno build contains it:\n {2}tagged\.go:6: func .*$/),
      ]);
      const methods = await find('Store/Save');
      expect(methods.answer).toEqual([
        'Method File/Save in file_plan9.go:4-6',
        'Method Memory/Save in memory.go:4-6',
        'Method Registry/Save in registry_windows.go:4-6',
      ]);
    },
    timeoutMs,
  );
});

// pyright has no request for implementations.
describe('pyright and syntax trees find implementations of', () => {
  beforeAll(() => install(python), installTimeoutMs);

  const shapes = `class Shape:
    def area(self) -> float:
        raise NotImplementedError

    def name(self) -> str:
        return type(self).__name__


class Square(Shape):
    def area(self) -> float:
        return 1


class Drawer:
    def draw(self, shape: Shape) -> None: ...
`;
  const others = `import shapes
from typing import Generic, TypeVar

import shapes as s
from shapes import Shape as Base, Square

T = TypeVar("T", bound=Base)
Alias = shapes.Shape


class Qualified(shapes.Shape): ...


class Renamed(
    # Not a base: object.
    Base,
    metaclass=type,
):
    @property
    def area(self): ...


class Aliased(Alias):
    class Inner(s.Shape):
        def area(self): ...


class Below(Square):
    def area(self): ...


class Deep(Below, Generic[T]):
    def area(self): ...


class Container(Generic[Base]): ...


def make():
    class Local(Base): ...

    return Local
`;
  const files = {
    'shapes.py': shapes,
    'others.py': others,
    'unrelated.py': 'class Shape: ...\n\n\nclass Mine(Shape): ...\n',
  };

  test(
    'a class under all its names and over several classes, and a method',
    async () => {
      await using opened = await Opened.open(makeWorkspace(files));
      const find = (namePath: string) => opened.ask((symbols) => implementationsOf(symbols, namePath, 'shapes.py'));
      expect(await find('Shape')).toEqual([
        'Class Qualified in others.py:10-10',
        'Class Renamed in others.py:13-19',
        'Class Aliased in others.py:22-24',
        'Class Aliased/Inner in others.py:23-24',
        'Class Below in others.py:27-28',
        'Class Deep in others.py:31-32',
        'Class make/Local in others.py:39-39',
        'Class Square in shapes.py:8-10',
      ]);
      expect(await find('Shape/area')).toEqual([
        'Method Renamed/area in others.py:18-19',
        'Method Aliased/Inner/area in others.py:24-24',
        'Method Below/area in others.py:28-28',
        'Method Deep/area in others.py:32-32',
        'Method Square/area in shapes.py:9-10',
      ]);
      expect(await find('Shape/name')).toEqual([]);
      expect(await find('Drawer')).toEqual([]);
    },
    timeoutMs,
  );

  test(
    'a class, and name calls that may make subclasses, and classes that match a protocol',
    async () => {
      const text = `from typing import Protocol

def mixed(*bases): ...
class Sized(Protocol):
    def size(self) -> int: ...
class Named(Sized): ...
class Called(mixed(Named, object)): ...
Made = type("Made", (Named,), {})
print(isinstance(1, (Named, Sized)))
`;
      await using opened = await Opened.open(makeWorkspace({ 'a.py': text }));
      const find = (namePath: string) => opened.askPartly((symbols) => implementationsOf(symbols, namePath, 'a.py'));
      expect(await find('Named')).toEqual({
        answer: [],
        missing: [
          'Implementations may be missing: calls may return further subclasses of `Named`: `a.py` 6, 7 (0-based lines)',
        ],
      });
      const { answer, missing } = await find('Sized');
      expect(answer).toEqual(['Class Named in a.py:5-5']);
      expect(missing[0]).toStartWith(
        'Implementations may be missing: `Sized` is a protocol, and classes that match it',
      );
      expect(missing).toHaveLength(2);
    },
    timeoutMs,
  );
});

describe('bash-language-server', () => {
  beforeAll(() => install(bash), installTimeoutMs);

  test(
    'does not find implementations, which is not reported as none',
    async () => {
      await using opened = await Opened.open(copyFixture('bash'));
      const asked = opened.ask((symbols) => implementationsOf(symbols, 'format_amount', 'helper.sh'));
      expect(await rejection(asked)).toMatch(
        /^bash-language-server \S+ does not support `textDocument\/implementation`$/,
      );
    },
    timeoutMs,
  );
});
