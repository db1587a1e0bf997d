// The oracles on small packages whose implementations are known: lines that end with the mark implement the symbol.
import { expect } from 'bun:test';
import { cpp } from '../../../../bench/symbols/languages/cpp.ts';
import { go } from '../../../../bench/symbols/languages/go.ts';
import { java } from '../../../../bench/symbols/languages/java.ts';
import { python } from '../../../../bench/symbols/languages/python.ts';
import { rust } from '../../../../bench/symbols/languages/rust.ts';
import { typescript } from '../../../../bench/symbols/languages/typescript.ts';
import type { BenchLanguage } from '../../../../bench/symbols/model.ts';
import { markedLines } from '../../../../bench/symbols/traps/marked-lines.ts';
import { testUnless, whyNoGo, whyNoProgram } from '../../../support/skip.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { knownPackage } from './known-package.ts';

const timeoutMs = 120_000;

interface Known {
  readonly language: BenchLanguage;
  readonly configurations: readonly string[];
  readonly whyNot?: string | undefined;
  readonly files: Readonly<Record<string, string>>;
}

const goFiles = {
  'go.mod': 'module example.com/shop\n\ngo 1.21\n',
  'shop.go': `package shop

type Store interface {
	Save(key string) error
}

type Memory struct{} // @Store

func (*Memory) Save(key string) error { return nil } // @Store/Save

type Embedded struct { // @Store
	*Memory
}

type Wrong struct{}

func (Wrong) Save(key int) error { return nil }

type Wide interface { // ?Store
	Store
	Close()
}

type Box[T any] struct{ value T } // ?Store

func (Box[T]) Save(key string) error { return nil } // ?Store/Save
`,
  'shop_windows.go': `package shop

type Registry struct{} // @Store

func (Registry) Save(key string) error { return nil } // @Store/Save
`,
  'shop_test.go': `package shop

type fake struct{} // @Store

func (fake) Save(key string) error { return nil } // @Store/Save
`,
};

const typescriptFiles = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [], "module": "esnext", "moduleResolution": "bundler", "target": "es2022" }, "include": ["src"] }',
  'src/store.ts': `export interface Store {
  save(key: string): void;
}

export interface Remote extends Store { // ?Store
  url: string;
}

export class Memory implements Store { // @Store
  save(): void {} // @Store/save
}

export const literal: Store = { // ?Store
  save() {}, // ?Store/save
};

export class Unrelated {
  save(key: number): void {}
}

export abstract class Shape {
  abstract area(): number;
  name(): string {
    return '';
  }
}
`,
  'src/index.ts': "export { Memory as Renamed, type Remote, Shape as Figure } from './store';\n",
  'src/http.ts': `import { Figure, type Remote, Renamed } from './index';

export class Http implements Remote { // @Store
  url = '';
  save(): void {} // @Store/save
}

export class Cached extends Renamed {} // @Store

export class Square extends Figure { // @Shape
  area(): number { // @Shape/area
    return 1;
  }
}
`,
};

const pythonFiles = {
  'shop/__init__.py': 'from .store import Store as Shelf\n',
  'shop/store.py': `from abc import ABC, abstractmethod


class Store(ABC):
    @abstractmethod
    def save(self, key): ...


class Memory(Store):  # @Store
    def save(self, key):  # @Store/save
        return key


class Unrelated:
    def save(self, key):
        return key
`,
  'app.py': `import shop.store as kept
from shop import Shelf


class Http(Shelf):  # @Store
    pass


class Cached(kept.Memory):  # @Store @Memory
    async def save(self, key):  # @Store/save @Memory/save
        return key
`,
};

const rustFiles = {
  'Cargo.toml':
    '[package]\nname = "shop"\nversion = "0.0.0"\nedition = "2021"\n\n[features]\nmore = []\n\n[workspace]\n',
  'src/lib.rs': `pub mod http;
pub mod other;

pub trait Store {
    fn save(&self, key: &str);
    fn twice(&self) {}
}

pub struct Memory;

impl Store for Memory { // @Store
    fn save(&self, key: &str) {} // @Store/save
}

impl Memory {
    pub fn save(&self) {}
}

impl<T: Store> Store for Option<T> { // @Store
    fn save(&self, key: &str) {} // @Store/save
    fn twice(&self) {} // @Store/twice
}

impl From<Box<dyn Store>> for Memory {
    fn from(_: Box<dyn Store>) -> Self {
        Memory
    }
}
`,
  'src/http.rs': `use crate::Store as Shelf;

struct Http;

impl Shelf for Http { // @Store
    fn save(&self, _: &str) {} // @Store/save
}

#[cfg(feature = "more")]
impl crate::other::inner::Store for Http {
    fn save(&self, _: &str) {}
}
`,
  'src/other.rs': 'pub mod inner {\n    pub trait Store {\n        fn save(&self, key: &str);\n    }\n}\n',
  'tests/store.rs': `struct Fake<T>(T);

impl<T> shop::Store // @Store
    for Fake<T>
where
    T: shop::Store,
{
    fn save(&self, _: &str) {} // @Store/save
}
`,
};

const cppSources = {
  'shop/store.h': `#pragma once

class Store {
 public:
  virtual ~Store() {}
  virtual bool save(int key) = 0;
};

class Far; // ?Store

template <class T>
class Cached : public Store { // @Store
 public:
  bool save(int key) override { return key > 0; } // @Store/save
};

template <class T>
class Mixed : public T {};

class Plain {};
class Derived : public Plain {};

class Unrelated {
 public:
  virtual bool save(int key) { return key > 1; }
};
`,
  'memory.cpp': `#include "shop/store.h"

using Alias = Store;

struct Memory : Alias { // @Store
  bool save(int key) override; // ?Store/save
  bool save(double key) { return key > 0; }
};

bool Memory::save(int key) { return key == 1; } // @Store/save

struct Ints : Cached<int> {}; // @Store
`,
  'test/far.cpp': `#include "../shop/store.h"

struct Between : private virtual Store {}; // @Store

class Far : Between { // @Store
  bool save(int key) final { return key == 3; } // @Store/save
};
`,
};
const cppFiles = {
  ...cppSources,
  'compile_commands.json': JSON.stringify(
    ['memory.cpp', 'test/far.cpp'].map((file) => ({
      directory: '.',
      file,
      arguments: ['g++', '-std=c++17', '-c', file, '-o', `${file}.o`],
    })),
  ),
};

const javaFiles = {
  'src/main/java/shop/Store.java': `package shop;

interface Store<T> {
  void save(T key);
}

interface Remote extends Store<String> { // ?Store
  String url();
}

class Memory implements Store<String> { // @Store
  public void save(String key) {} // @Store/save
  public void save(int key) {}
}

abstract class Shape implements Remote { // @Store @Remote
  abstract int area();
}

class Base {
  public void save(String key) {} // @Store/save
}

class Inherited extends Base implements Store<String> {} // @Store @Base

class Unrelated {
  public void save(String key) {}
}
`,
  'src/main/java/shop/Others.java': `package shop;

record Kept(String url) implements Remote { // @Store @Remote ?Remote/url
  public void save(String key) {} // @Store/save
}

class Users {
  Store<String> anonymous = new Store<>() { // @Store
    public void save(String key) {} // @Store/save
  };
  Store<String> lambda = key -> {}; // ?Store ?Store/save

  Shape local() {
    class Local extends Shape { // @Store @Remote @Shape
      int area() { return 1; } // @Shape/area
      public String url() { return ""; } // @Remote/url
      public void save(String key) {} // @Store/save
    }
    return new Local();
  }
}
`,
  'src/test/java/shop/FakeStore.java': `package shop;

class FakeStore extends Memory { // @Store @Memory
  @Override public void save(String key) {} // @Store/save
}
`,
};

const packages: readonly Known[] = [
  {
    language: rust,
    configurations: ['--all-targets --all-features', '--lib --no-default-features'],
    whyNot: whyNoProgram('cargo', '--version'),
    files: rustFiles,
  },
  {
    language: cpp,
    configurations: ['-std=c++17'],
    whyNot: whyNoProgram('python3') ?? whyNoProgram('g++'),
    files: cppFiles,
  },
  {
    language: java,
    configurations: ['src/main/java', 'src/test/java'],
    whyNot: whyNoProgram('javac'),
    files: javaFiles,
  },
  { language: go, configurations: ['linux', 'windows'], whyNot: whyNoGo(), files: goFiles },
  {
    language: typescript,
    configurations: [],
    // The positions of the compiler are compared with paths that have slashes.
    whyNot: process.platform === 'win32' ? 'paths with backslashes' : undefined,
    files: typescriptFiles,
  },
  {
    language: python,
    configurations: ['.'],
    whyNot: whyNoProgram('python3'),
    files: pythonFiles,
  },
];

const linesOf = (positions: readonly { file: string; line: number }[]) =>
  positions.map(({ file, line }) => `${file}:${line + 1}`).sort();

for (const { language, configurations, whyNot, files } of packages) {
  const pack = knownPackage(language, configurations);
  testUnless(whyNot)(
    `the oracle of ${pack.language} finds the known implementations, and nothing else`,
    async () => {
      await using workspace = makeWorkspace(files);
      const judged = (await language.implementations?.judge(pack, workspace.root)) ?? [];
      const marks = new Set(
        Object.values(files).flatMap((text) => text.match(/(?<=@)[A-Z]\w+(\/\w+)?(?= @|$)/gm) ?? []),
      );
      expect(
        judged
          .map(({ symbol }) => symbol.namePath)
          .filter((path) => marks.has(path))
          .sort(),
      ).toEqual([...marks].sort());
      for (const { symbol, must, may } of judged.filter(({ symbol: { namePath } }) => marks.has(namePath))) {
        const demanded = markedLines(files, `@${symbol.namePath}`);
        const allowed = [...demanded, ...markedLines(files, `?${symbol.namePath}`)];
        expect({ of: symbol.namePath, must: linesOf(must) }).toEqual({
          of: symbol.namePath,
          must: linesOf(demanded),
        });
        expect([...new Set(linesOf([...must, ...may]))]).toEqual(linesOf(allowed));
      }
    },
    timeoutMs,
  );
}
