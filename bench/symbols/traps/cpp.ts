import type { TrapWorkspace } from '../model.ts';

/** Source files, and the arguments of the compiler that only they have. */
const units: Readonly<Record<string, readonly string[]>> = {
  'overloads/use.cpp': [],
  'equal/use.cpp': [],
  'alias/use.cpp': [],
  'templates/use.cpp': [],
  'dispatch/memory.cpp': [],
  'dispatch/remote.cpp': [],
  'macros/use.cpp': [],
  'conditions/open.cpp': [],
  'conditions/tool.cpp': ['-DTOOL'],
  'programs/first.cpp': [],
  'programs/second.cpp': [],
  'generated/use.cpp': [],
  'crlf/text.cpp': [],
  'crlf/bom.cpp': [],
  'shadowed/total.cpp': [],
  'split/count.cpp': [],
  'split/use.cpp': [],
  'changed/use.cpp': [],
  'broken/use.cpp': [],
  'killed/used.cpp': [],
  'killed/other.cpp': [],
};

const database = Object.entries(units).map(([file, args]) => ({
  directory: '.',
  file,
  arguments: ['g++', '-std=c++17', ...args, '-c', file, '-o', `${file}.o`],
}));

/** Traps of C++: one directory per difficulty. */
export const cppTraps: TrapWorkspace = {
  files: {
    'compile_commands.json': `${JSON.stringify(database, undefined, 1)}\n`,

    'overloads/shapes.h': `#pragma once

inline int area(int side) { return side * side; } // !overload
inline int area(double radius) { return static_cast<int>(radius); }

struct Circle {
  int size() const { return 1; } // !method
};

struct Square {
  int size() const { return 2; }
};
`,
    'overloads/use.cpp': `#include "shapes.h"

int total(const Circle& c, const Square& s) {
  int (*chosen)(int) = area; // @overload
  return area(1) + // @overload
         area(1.5) + chosen(2) +
         c.size() + // @method
         s.size();
}
`,

    'equal/prices.h': `#pragma once

namespace first {
inline int price() { return 1; } // !equal
inline int twice() { return 2 * price(); } // @equal
}  // namespace first

namespace second {
inline int price() { return 2; }
inline int twice() { return 2 * price(); }
}  // namespace second
`,
    'equal/use.cpp': `#include "prices.h"

namespace one = first;

int all() { return one::price() + second::price(); } // @equal

int by_declaration() {
  using first::price; // @equal
  return price(); // @equal
}

int by_directive() {
  using namespace second;
  return price();
}
`,

    'alias/basket.h': `#pragma once

namespace inner {
struct Basket { int items; }; // !alias
}  // namespace inner

using Shelf = inner::Basket; // @alias
typedef inner::Basket Same; // @alias
using inner::Basket; // @alias
`,
    'alias/use.cpp': `#include "basket.h"

Shelf empty() { return Same{0}; } // ?alias

int items(const Basket& basket) { return basket.items; } // @alias
`,

    'templates/list.h': `#pragma once

template <class T>
class List {
 public:
  void push(T item); // !generic

 private:
  T last{};
};

template <class T>
void List<T>::push(T item) { last = item; } // ?generic

template <class T, class U>
U convert(T value) { return static_cast<U>(value); } // !generic-function

template <>
inline bool convert<int, bool>(int value) { return value != 0; } // ?generic-function
`,
    'templates/use.cpp': `#include "list.h"

struct Vector {
  void push(int) {}
};

template <class Items>
void fill(Items& items) { items.push(1); } // ?generic

void run() {
  List<int> numbers;
  numbers.push(1); // @generic
  List<double>* reals = new List<double>;
  reals->push(1.5); // @generic
  auto push = &List<int>::push; // @generic
  (numbers.*push)(2);
  Vector plain;
  plain.push(1);
  fill(plain);
  fill(numbers);
  convert<int, double>(1); // @generic-function
}
`,

    'dispatch/store.h': `#pragma once

class Store { // !dispatch
 public:
  virtual ~Store() = default;
  virtual bool save(int key) = 0; // !dispatch-method
};

template <class T>
class Cached : public Store { // @dispatch
 public:
  bool save(int key) override { return key > 0; } // @dispatch-method
};

class Unrelated {
 public:
  virtual bool save(int key) { return key > 1; }
};
`,
    'dispatch/memory.cpp': `#include "store.h"

namespace {

class Memory : public Store { // @dispatch
 public:
  bool save(int key) override; // ?dispatch-method
  bool save(double key) { return key > 0; }
};

bool Memory::save(int key) { return key == 1; } // @dispatch-method

struct Deep final : Memory { // @dispatch
  bool save(int key) final { return key == 2; } // @dispatch-method
};

}  // namespace

bool both(Store& store, Unrelated& other) {
  Deep deep;
  Cached<int> cached;
  return store.save(1) && other.save(1) && deep.save(1) && cached.save(1);
}
`,
    'dispatch/remote.cpp': `#include "store.h"

class Local : private virtual Store { // @dispatch
  bool save(int key) override { return key == 3; } // @dispatch-method
};
`,

    'macros/base.h': `#pragma once

inline int base() { return 1; } // !in-macro

#define TWICE() (base() + base()) // @in-macro
#define LIMIT 10
#define DECLARE(name) inline int name() { return 2; }
#define SAME(value) (value)

DECLARE(declared) // !by-macro
`,
    'macros/use.cpp': `#include "base.h"

int sum() {
  int limit = LIMIT;
  return TWICE() + limit // ?in-macro
         + SAME(base()) // @in-macro
         + declared(); // @by-macro
}
`,

    'conditions/open.h': `#pragma once

inline int open() { return 1; } // !conditions

#ifdef TOOL
inline int inTool() { return open(); } // @conditions
#endif

#ifdef _WIN32
inline int onWindows() { return open(); } // @conditions
#else
inline int elsewhere() { return open(); } // @conditions
#endif
`,
    'conditions/open.cpp': `#include "open.h"

#if defined(EXTRA)
int extra() { return open(); } // @conditions
#endif

#if 0
int never() { return open(); } // ?conditions
#endif
`,
    'conditions/tool.cpp': '#include "open.h"\n\nint run() { return inTool() + open(); } // @conditions\n',

    'programs/first.cpp': `static int helper() { return 1; } // !programs

int startOfFirst() { return helper(); } // @programs
`,
    'programs/second.cpp': `static int helper() { return 2; }

int startOfSecond() { return helper() + helper(); }
`,

    'generated/model.h': `#pragma once

struct Model { int name; }; // !generated
`,
    'generated/model.gen.inc': `// Generated for a trap. Do not edit.

int nameOf(const Model& model) { return model.name; } // @generated
`,
    'generated/use.cpp': `#include "model.h"
#include "model.gen.inc"

int title() { return nameOf(Model{1}); } // @generated
`,

    'crlf/text.h': '#pragma once\r\n\r\n/* ä 𝒳 */ inline int trim(const char* text) { return *text; } // !crlf\r\n',
    'crlf/text.cpp': '#include "text.h"\r\n\r\nint a = sizeof("𝒳") + trim("ä"); // @crlf\r\n',
    'crlf/bom.cpp': '\uFEFF#include "text.h"\n\nint b = trim("b") + trim("c"); // @crlf\n',

    'shadowed/total.cpp': `int total() { return 1; } // !shadowed

int sum(int total) { return total; }

int all() {
  int first = total(); // @shadowed
  {
    int total = 2;
    first += total + ::total(); // @shadowed
  }
  return first;
}

struct Bill {
  int total() { return 3; }
  int both() { return total() + ::total(); } // @shadowed
};
`,

    'split/count.h': '#pragma once\n\nint count(int from); // !split\n',
    'split/count.cpp':
      '#include "count.h"\n\nint count(int from) { return from; } // ?split\n\nint one = count(1); // @split\n',
    'split/use.cpp': 'int count(int from); // ?split\n\nint two = count(2); // @split\n',

    'changed/count.h': '#pragma once\n\ninline int changed() { return 1; } // !changed\n',
    'changed/use.cpp': '#include "count.h"\n\nint before = changed(); // @changed\n',

    'broken/parts.h': '#pragma once\n\ninline int part(int n) { return n; }\n',
    'broken/use.cpp': '#include "parts.h" // !broken-use\n\nint whole = part(1);\n',

    'killed/used.h': '#pragma once\n\nint used(); // !killed\n',
    'killed/used.cpp':
      '#include "used.h"\n\nint used() { return 1; } // ?killed\n\nint user() { return used(); } // @killed\n',
    'killed/other.cpp': '#include "used.h"\n\nint other = used() + used(); // @killed\n',
  },
  traps: [
    { name: 'overloads', asks: 'references', mark: 'overload', namePath: 'area' },
    { name: 'methods of one name', asks: 'references', mark: 'method', namePath: 'Circle/size' },
    { name: 'equal names in two namespaces', asks: 'references', mark: 'equal', namePath: 'first/price' },
    { name: 'aliases and using-declarations', asks: 'references', mark: 'alias', namePath: 'inner/Basket' },
    { name: 'method of a class template', asks: 'references', mark: 'generic', namePath: 'List/push' },
    { name: 'function template', asks: 'references', mark: 'generic-function', namePath: 'convert' },
    { name: 'virtual dispatch', asks: 'implementations', mark: 'dispatch', namePath: 'Store' },
    { name: 'virtual method', asks: 'implementations', mark: 'dispatch-method', namePath: 'Store/save' },
    { name: 'calls in macros', asks: 'references', mark: 'in-macro', namePath: 'base' },
    { name: 'function that a macro declares', asks: 'references', mark: 'by-macro', namePath: 'declared' },
    { name: 'conditional compilation', asks: 'references', mark: 'conditions', namePath: 'open' },
    { name: 'one name in two programs', asks: 'references', mark: 'programs', namePath: 'helper' },
    { name: 'generated file', asks: 'references', mark: 'generated', namePath: 'Model' },
    { name: 'CRLF, BOM and characters outside the BMP', asks: 'references', mark: 'crlf', namePath: 'trim' },
    { name: 'shadowed name', asks: 'references', mark: 'shadowed', namePath: 'total' },
    { name: 'declaration and definition in two files', asks: 'references', mark: 'split', namePath: 'count' },
    {
      name: 'file changed between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'changed',
      rewritten: {
        'changed/use.cpp':
          '#include "count.h"\n\n// A further line.\nint second = changed() + 1; // @changed\n\nint third = changed(); // @changed\n',
      },
    },
    {
      name: 'declaration moved between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'changed',
      rewritten: {
        'changed/count.h':
          '#pragma once\n\nconst int start = 0;\n\ninline int changed() { return start; } // !changed\n',
      },
    },
    {
      name: 'error in another file than the changed one',
      asks: 'diagnostics',
      mark: 'broken-use',
      rewritten: {
        'broken/parts.h': '#pragma once\n\ninline int part(const char* n) { return *n; }\n',
        'broken/use.cpp': '#include "parts.h" // !broken-use\n\nint whole = part(1); // @broken-use\n',
      },
    },
    { name: 'server killed during the call', asks: 'references', mark: 'killed', namePath: 'used', killsServer: true },
  ],
};
