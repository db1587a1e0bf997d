// The oracles on small packages whose references are known: lines that end with the mark are references to the symbol.
import { expect } from 'bun:test';
import type { BenchPackage, Judged, Language, ReferencesOracle } from '../../../scripts/symbench/model.ts';
import { cppReferences } from '../../../scripts/symbench/oracles/cpp-references.ts';
import { goReferences } from '../../../scripts/symbench/oracles/go-references.ts';
import { javaReferences } from '../../../scripts/symbench/oracles/java-references.ts';
import { pythonReferences } from '../../../scripts/symbench/oracles/python-references.ts';
import { rustReferences } from '../../../scripts/symbench/oracles/rust-references.ts';
import { typescriptReferences } from '../../../scripts/symbench/oracles/typescript-references.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** The oracle of Rust is compiled first, with its dependencies. */
const timeoutMs = 300_000;

interface Known {
  readonly language: Language;
  readonly oracle: ReferencesOracle;
  readonly configurations: readonly string[];
  readonly whyNot?: string | undefined;
  /** Name path → mark of its references. */
  readonly marks: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

const goFiles = {
  'go.mod': 'module example.com/shop\n\ngo 1.21\n',
  'shop.go': `package shop

import "fmt"

func total(n int) int { return n }

type Basket struct {
	size int
	Tags []string
}

type Named struct{ Basket } // @Basket

func (b *Basket) Count() int { // @Basket
	return b.size // @size
}

func use() {
	b := Basket{size: 1} // @Basket @size
	fmt.Println(total(b.size), "total") // @total @size
	total := 2
	fmt.Println(total)
	var n Named
	fmt.Println(n.size) // @size
}

func max(a, b int) int { return a + b }

func most() int { return max(1, 2) } // @max
`,
  'shop_windows.go': 'package shop\n\nvar onWindows = total(1) // @total\n',
  'shop_test.go': `package shop

import "testing"

func TestTotal(t *testing.T) {
	if total(1) != 1 { // @total
		t.Fatal()
	}
}
`,
  'outer_test.go': `package shop_test

import "example.com/shop"

var basket = shop.Basket{} // @Basket
`,
};

const typescriptFiles = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [], "module": "esnext", "moduleResolution": "bundler", "target": "es2022" }, "include": ["src"] }',
  'src/shop.ts': `export function total(n: number): number;
export function total(n: string): number;
export function total(n: unknown): number {
  return Number(n);
}

export interface Basket {
  contents: string[];
}

export function count(basket: Basket): number { // @Basket
  const { contents } = basket; // @contents
  return contents.length + total(1); // @total
}
`,
  'src/index.ts': `export { total } from './shop'; // @total
export type { Basket as Cart } from './shop'; // @Basket
`,
  'src/user.ts': `import { total } from './index'; // @total
import { total as sum, type Basket } from './shop'; // @total @Basket

const all = { total }; // @total
export function other(total: number): number {
  return total + all.total(2) + sum('3');
}
// total in a comment
export const empty: Basket = { contents: [] }; // @Basket @contents
`,
};

const pythonFiles = {
  'shop/__init__.py': 'from .impl import total  # @total\n',
  'shop/impl.py': `def total(n):
    return n


class Basket:
    def count(self):
        return total(1)  # @total

    def total(self):
        return total(2)  # @total


def twice(total):
    return total + total


if True:
    def either():
        pass
else:
    def either():
        pass
`,
  'app.py': `import shop
import shop.impl as implementation
from shop import total as sum_of  # @total
from shop.impl import Basket  # @Basket

print(shop.total(1), "total")  # @total
print(implementation.total(2))  # @total
print(sum_of(3))


def late() -> Basket:  # @Basket
    from shop import total  # @total

    return total(4)  # @total
`,
};

const rustFiles = {
  'Cargo.toml':
    '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[features]\ndefault = ["extra"]\nextra = []\n',
  'src/lib.rs': `//! total
mod basket;
#[cfg(feature = "extra")]
pub mod extra;

pub use basket::{Basket, Sized}; // @Basket

/// Call \`total\`.
pub fn total(n: usize) -> usize {
    if n > 9 { total(n - 1) } else { n } // @total
}

#[cfg(feature = "extra")]
pub fn limit() -> usize { 1 }

#[cfg(not(feature = "extra"))]
pub fn limit() -> usize { total(2) } // @total

#[cfg(windows)]
pub fn on_windows() -> usize { total(3) }
`,
  'src/basket.rs': `use std::ops::Deref;

macro_rules! count {
    ($basket:expr) => { $basket.items.len() + crate::total(1) }; // @items @total
}

pub struct Basket {
    pub items: Vec<u8>,
}

pub trait Sized {
    fn size(&self) -> usize;
}

impl Deref for Basket { // @Basket
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> { &self.items } // @items
}

impl Basket { // @Basket
    pub fn new(items: Vec<u8>) -> Self {
        Basket { items } // @Basket @items
    }

    pub fn len(&self) -> usize {
        let Basket { items } = self; // @Basket @items
        items.len() + count!(self)
    }
}

impl Sized for Basket { // @Basket
    fn size(&self) -> usize { self.len() } // @len
}
`,
  'src/extra.rs': `use crate::{total as sum, Basket}; // @total @Basket
use crate::Sized;

pub fn all(basket: &Basket) -> String { // @Basket
    let total = sum(4);
    format!("{total} {}", basket.size() + basket.items.len() + basket.len()) // @size @items @len
}
`,
  'tests/basket.rs': `use shop::{total, Basket, Sized}; // @total @Basket

#[test]
fn totals() {
    assert_eq!(total(Basket::new(vec![1]).size()), 1); // @total @Basket @size
}
`,
};

const javaFiles = {
  'src/main/java/shop/Basket.java': `package shop;

import static shop.Amounts.total; // @total

import java.util.List;
import java.util.function.IntUnaryOperator;

public class Basket<T extends Comparable<T>> implements Priced {
    int size;
    final List<T> things = List.of();

    Basket() {
        this(1); // @Basket(int)
    }

    Basket(int size) {
        this.size = size; // @size
    }

    public int price() {
        return total(size); // @total @size
    }

    IntUnaryOperator twice() {
        int total = 2;
        String other = "total";
        return Amounts::twice; // @twice
    }
}
`,
  'src/main/java/shop/Priced.java': 'package shop;\n\ninterface Priced {\n    int price();\n}\n',
  'src/main/java/shop/Amounts.java': `package shop;

final class Amounts {
    /** Sums, see {@link #twice(int)}. */
    static int total(int n) {
        return twice(n); // @twice
    }

    static int twice(int n) {
        return 2 * n;
    }

    static int twice(long n) {
        return total((int) n); // @total
    }
}
`,
  'src/main/java/shop/Kind.java': `package shop;

enum Kind {
    SMALL,
    LARGE;

    record Label(String text, Kind kind) {
        String shown() {
            return text() + kind; // @text
        }
    }

    static int weight(Kind kind, Label label) {
        switch (kind) {
            case SMALL: // @SMALL
                return label.text().length(); // @text
            default:
                return kind == Kind.SMALL ? 1 : 2; // @SMALL
        }
    }
}
`,
  'src/test/java/shop/BasketTest.java': `package shop;

import shop.Basket; // @Basket

class BasketTest {
    Basket<String> basket = new Basket<>(3); // @Basket @Basket(int)
    int price = basket.price() + basket.size; // @price @size

    void check(Priced priced) {
        priced.price();
        java.util.function.Supplier<Basket<String>> make = Basket::new; // @Basket
    }
}
`,
};

const cppFiles = {
  'compile_commands.json': JSON.stringify(
    ['shop.cpp', 'app.cpp'].map((file) => ({ directory: '.', file, arguments: ['g++', '-std=c++17', '-c', file] })),
  ),
  'shop.h': `#pragma once
#define SIZE_OF(basket) ((basket).size) // @size
#define AT_LEAST(n) ((n) > 0)
namespace shop {
int total(int n);
int total(const char *text);

class Item {
 public:
  virtual ~Item() = default;
  virtual int price() const { return 1; }
};

class Basket : public Item {
 public:
  explicit Basket(int first);
  int count() const;
  int price() const override { return AT_LEAST(count()); } // @count @AT_LEAST
  int size;
};

template <class T>
int both(const T &one, const T &other) {
  return one.count() + other.count(); // @count
}
}  // namespace shop
`,
  'shop.cpp': `#include "shop.h"
namespace shop {
int total(int n) { return n; }
int total(const char *text) { return text == nullptr ? 0 : total(2); } // @total
Basket::Basket(int first) : size(first) {} // @Basket @size
int Basket::count() const { return size; } // @Basket @size
}  // namespace shop
`,
  'app.cpp': `#include "shop.h"
using shop::total;
struct Own { int size; };
int main() {
  shop::Basket basket(total(1)); // @Basket @total
  Own own{total("total")};
  const shop::Item &item = basket;
  return both(basket, basket) + SIZE_OF(basket) + own.size + item.price(); // @both @price
}
`,
};

const packages: readonly Known[] = [
  {
    language: 'java',
    oracle: javaReferences,
    configurations: ['src/main/java', 'src/test/java'],
    whyNot: Bun.which('javac') === null ? 'no javac' : undefined,
    marks: {
      Basket: '@Basket',
      'Basket/Basket[1]': '@Basket(int)',
      'Basket/size': '@size',
      'Basket/price': '@price',
      'Amounts/total': '@total',
      'Amounts/twice[0]': '@twice',
      'Kind/SMALL': '@SMALL',
      'Kind/Label/text': '@text',
    },
    files: javaFiles,
  },
  {
    language: 'go',
    oracle: goReferences,
    configurations: ['linux', 'windows'],
    whyNot: whyNoGo(),
    marks: { total: '@total', Basket: '@Basket', 'Basket/size': '@size', max: '@max' },
    files: goFiles,
  },
  {
    language: 'typescript',
    oracle: typescriptReferences,
    configurations: [],
    // The positions of the compiler are compared with paths that have slashes.
    whyNot: process.platform === 'win32' ? 'paths with backslashes' : undefined,
    marks: { total: '@total', Basket: '@Basket', 'Basket/contents': '@contents' },
    files: typescriptFiles,
  },
  {
    language: 'python',
    oracle: pythonReferences,
    configurations: ['.'],
    whyNot: Bun.which('python3') === null ? 'no python3' : undefined,
    marks: { total: '@total', Basket: '@Basket' },
    files: pythonFiles,
  },
  {
    language: 'rust',
    oracle: rustReferences,
    configurations: ['--all-targets --all-features', '--lib --no-default-features'],
    whyNot: Bun.which('cargo') === null ? 'no cargo' : undefined,
    marks: {
      total: '@total',
      Basket: '@Basket',
      'Basket/items': '@items',
      'impl Basket/len': '@len',
      'Sized/size': '@size',
    },
    files: rustFiles,
  },
  {
    language: 'cpp',
    oracle: cppReferences,
    configurations: ['-std=c++17'],
    whyNot: Bun.which('python3') === null || Bun.which('g++') === null ? 'no python3 or no g++' : undefined,
    marks: {
      'shop/total': '@total',
      'shop/Basket': '@Basket',
      'shop/Basket/count': '@count',
      'shop/Basket/size': '@size',
      'shop/Item/price': '@price',
      'shop/both': '@both',
      AT_LEAST: '@AT_LEAST',
    },
    files: cppFiles,
  },
];

function markedLines(files: Readonly<Record<string, string>>, mark: string): string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (line.split(' ').includes(mark) ? [`${file}:${index}`] : [])),
  );
}

function linesOf(truth: Judged | undefined): string[] {
  return [...new Set((truth?.must ?? []).map(({ file, line }) => `${file}:${line}`))];
}

for (const { language, oracle, configurations, whyNot, marks, files } of packages) {
  testUnless(whyNot)(
    `the oracle of ${language} finds the known references`,
    async () => {
      await using workspace = makeWorkspace(files);
      const pack: BenchPackage = {
        language,
        name: `known ${language} ${process.pid}`,
        serverId: language,
        languageId: language,
        extensions: ['.x'],
        program: 'none',
        configurations,
        fetch: async () => undefined,
      };
      const symbols = (await oracle.list(pack, workspace.root)).filter(({ symbol }) => symbol.namePath in marks);
      const judged = await oracle.judge(pack, workspace.root, symbols);
      for (const [namePath, mark] of Object.entries(marks)) {
        const truth = judged.find(({ symbol }) => symbol.namePath === namePath);
        expect({ namePath, lines: linesOf(truth).sort() }).toEqual({
          namePath,
          lines: markedLines(files, mark).sort(),
        });
      }
    },
    timeoutMs,
  );
}
