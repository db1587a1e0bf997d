import { describe, expect } from 'bun:test';
import { whyNoClangd } from '../../support/clangd.ts';
import { openSignatures } from '../../support/language-tests/signatures.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 300_000;
const compile = ['g++', '-std=c++17', '-fsyntax-only', 'main.cpp', 'store.cpp'] as const;

const header = 'store.h';
const source = 'store.cpp';
const main = 'main.cpp';

const files = {
  [header]: `#pragma once
#include <string>
#include <vector>

struct Store {
  virtual ~Store() = default;
  /// Gets something.
  virtual std::vector<std::string> get(const std::string& key, int depth = 1) const = 0;
};

struct Memory : Store {
  explicit Memory(int size) : size_(size) {}
  std::vector<std::string> get(const std::string& key, int depth = 1) const override;
  int size_;
};

namespace math {
int sum(int first, int);
template <typename T>
T scale(T value, T factor) {
  return value * factor;
}
int area(int width);
int area(int width, int height);
}  // namespace math
`,
  [source]: `#include "store.h"

std::vector<std::string> Memory::get(const std::string& key, int depth) const {
  if (depth > 1) return get(key, depth - 1);
  return {key};
}

int math::sum(int first, int second) { return first - second; }

namespace math {
int area(int width) { return width; }
int area(int width, int height) { return width * height; }
}  // namespace math
`,
  [main]: `#include "store.h"

#define TWICE(x) (math::sum(x, 1) * 2)
#define CHECK(x) ((void)(x))

struct Lazy : Memory {
  Lazy() : Memory(1) {}
  std::vector<std::string> get(const std::string& k, int d = 1) const override { return Memory::get(k, d); }
};

template <typename S>
int count(const S& store) {
  return static_cast<int>(store.get("x", 2).size());
}

int main() {
  Lazy lazy;
  const Store& store = lazy;
  store.get("a, (b", 5);
  store.get(
      "a",  // the key
      5 /* how many */);
  lazy.get("b");
  CHECK(math::sum(math::sum(1, 2), 3));
  auto function = &math::sum;
  using math::scale;
  return function(1, 2) + TWICE(2) + scale<int>(1, 2) + math::scale(2, 3) + count(lazy) + math::area(1) +
         math::area(1, 2);
}
`,
};

type Change = Readonly<Record<string, string | readonly string[]>>;

const of = (file: string, namePath: string, ...changes: Change[]) => ({ namePath, file, changes });

describe('change_signature in C++', () => {
  const test = testUnless(whyNoClangd());
  const open = async () => {
    const project = await openSignatures(files);
    const commands = [main, source].map((file) => {
      return { directory: project.root, file, arguments: ['c++', '-std=c++17', '-c', file] };
    });
    project.write('compile_commands.json', JSON.stringify(commands));
    return project;
  };

  test(
    'changes a virtual method in header and source, with defaults in the declaration alone',
    async () => {
      const project = await open();
      const answer = await project.change(
        of(header, 'Store/get', { add: 'bool wait = false', value: '1 > 2', before: 'depth' }),
      );
      expect(answer).toStartWith('Changed the signature of `Store/get`: 3 files changed');
      expect(project.lines(header, /get\(/)).toEqual([
        'virtual std::vector<std::string> get(const std::string& key, bool wait = false, int depth = 1) const = 0;',
        'std::vector<std::string> get(const std::string& key, bool wait = false, int depth = 1) const override;',
      ]);
      expect(project.lines(source, /get\(/)).toEqual([
        'std::vector<std::string> Memory::get(const std::string& key, bool wait, int depth) const {',
        'if (depth > 1) return get(key, wait, depth - 1);',
      ]);
      expect(project.lines(main, /get\(/)).toEqual([
        'std::vector<std::string> get(const std::string& k, bool wait = false, int d = 1) const override { return Memory::get(k, wait, d); }',
        'return static_cast<int>(store.get("x", 2).size());',
        'store.get("a, (b", 1 > 2, 5);',
        'store.get(',
        'lazy.get("b", 1 > 2);',
      ]);
      expect(project.read(main)).toContain('"a",  // the key\n      1 > 2,\n      5 /* how many */);');
      expect(answer).toContain('[1] main.cpp:12: return static_cast<int>(store.get("x", 2).size());');
      project.expectCompiles(compile);
    },
    timeoutMs,
  );

  test(
    'changes functions of namespaces and templates, and names macros and addresses',
    async () => {
      const project = await open();
      const answer = await project.change(of(header, 'math/sum', { add: 'int third', value: '0', before: 'first' }));
      expect(answer).toContain('incomplete: 3 open');
      expect(answer).toContain('a macro uses it here:\n    main.cpp:26: ');
      expect(answer).toContain(':\n    main.cpp:2: #define TWICE(x) (math::sum(x, 1) * 2)\n');
      expect(answer).toContain('it is used without a call:\n    main.cpp:24: auto function = &math::sum;');
      expect(project.lines(header, /sum/)).toEqual(['int sum(int third, int first, int);']);
      expect(project.lines(source, /sum/)).toEqual([
        'int math::sum(int third, int first, int second) { return first - second; }',
      ]);
      await project.change(of(header, 'math/scale', { order: ['factor', 'value'] }));
      expect(project.lines(main, /CHECK\(math|scale</)).toEqual([
        'CHECK(math::sum(0, math::sum(0, 1, 2), 3));',
        'return function(1, 2) + TWICE(2) + scale<int>(2, 1) + math::scale(3, 2) + count(lazy) + math::area(1) +',
      ]);
      expect(project.lines(header, /scale/)).toEqual(['T scale(T factor, T value) {']);
    },
    timeoutMs,
  );

  test(
    'refuses what may be wrong, and changes nothing',
    async () => {
      const project = await open();
      await project.refuse(of(header, 'math/area[0]', { add: 'int height', value: '2' }), 'another `area`');
      await project.refuse(of(header, 'Memory/get', { remove: 'depth' }), 'uses `depth` (0-based lines: 3)');
      await project.refuse(of(header, 'Memory/Memory', { add: 'int b', value: '2' }), 'constructor');
      project.expectUnchanged();
    },
    timeoutMs,
  );
});
