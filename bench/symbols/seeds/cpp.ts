import type { Seed } from '../model.ts';
import { inGuard } from './in-guard.ts';
import { replaced } from './replaced.ts';

const syntax = { isSyntax: true };
const across = { isAcross: true };

/** Kinds of errors in C++. */
export const cppSeeds: readonly Seed[] = [
  // Names and members.
  replaced('undefined name in a return statement', /^([ \t]+return) \w+;$/m, '$1 missingZq;'),
  inGuard('undefined function', 'inline int seededZq() { return missingZq(1); }'),
  inGuard('undefined type', 'extern MissingZq seededZq;'),
  inGuard('undefined namespace', 'inline int seededZq() { return missingZq::part(); }'),
  inGuard('unknown member', 'struct SeededZq {\n  int a;\n};\ninline int readZq(SeededZq s) { return s.b; }'),
  inGuard('unknown method', 'struct SeededZq {};\ninline void callZq(SeededZq s) { s.missing(); }'),
  inGuard('unknown static member', 'struct SeededZq {};\ninline int readZq() { return SeededZq::missing; }'),
  inGuard('unknown enumerator', 'enum class SeededZq { one };\ninline SeededZq makeZq() { return SeededZq::two; }'),
  inGuard('private member', 'class SeededZq {\n  int a = 1;\n};\ninline int readZq(SeededZq s) { return s.a; }'),
  inGuard('private constructor', 'class SeededZq {\n  SeededZq() {}\n};\ninline void makeZq() { SeededZq made; }'),
  inGuard('deleted function', 'void seededZq(int) = delete;\ninline void callZq() { seededZq(1); }'),
  // Declarations that others use.
  replaced('renamed class', /^(class|struct)((?: [A-Z_]+)?) ([A-Z]\w+)(?= ?[:{\n])/m, '$1$2 $3Zq', across),
  replaced(
    'renamed method',
    /^(\s+(?:virtual |static )?(?:void|bool|int|size_t|const char\*) )([A-Z]\w+)\(/m,
    '$1$2Zq(',
    across,
  ),
  replaced(
    'further parameter',
    /^(\s+(?:virtual )?(?:void|bool|int|const char\*) [A-Z]\w+\()(?=\w)/m,
    '$1struct AddedZq& addedZq, ',
    across,
  ),
  replaced(
    'further pure virtual method',
    /^((?:class|struct)(?: [A-Z_]+)? [A-Z]\w+[^;{}]*\{)$/m,
    '$1\n  virtual void addedZq() = 0;',
    across,
  ),
  replaced('no longer public', /^( *)public:$/m, '$1private:', across),
  // Calls and types.
  inGuard(
    'too few arguments',
    'inline int seededZq(int a, int b) { return a + b; }\ninline int sumZq() { return seededZq(1); }',
  ),
  inGuard(
    'too many arguments',
    'inline int seededZq(int a) { return a; }\ninline int sumZq() { return seededZq(1, 2); }',
  ),
  inGuard(
    'wrong type of an argument',
    'inline int seededZq(int a) { return a; }\ninline int sumZq() { return seededZq("one"); }',
  ),
  inGuard('wrong type of a variable', 'static const int seededZq = "one";'),
  inGuard('wrong type of a result', 'inline int seededZq() { return "one"; }'),
  inGuard('result of a function without one', 'inline void seededZq() { return 1; }'),
  inGuard('missing operator', 'struct SeededZq {};\ninline void sumZq(SeededZq a, SeededZq b) { a + b; }'),
  inGuard('call of a value', 'inline int seededZq(int n) { return n(); }'),
  inGuard('dereferenced number', 'inline int seededZq(int n) { return *n; }'),
  inGuard('arrow after a value', 'struct SeededZq {\n  int a;\n};\ninline int readZq(SeededZq s) { return s->a; }'),
  inGuard('indexed number', 'inline int seededZq(int n) { return n[0]; }'),
  inGuard('deleted number', 'inline void seededZq(int n) { delete n; }'),
  inGuard(
    'invalid cast',
    'struct FirstZq {};\nstruct SecondZq {};\ninline SecondZq* seededZq(FirstZq* a) { return static_cast<SecondZq*>(a); }',
  ),
  inGuard('narrowing', 'static const int seededZq{1.5};'),
  inGuard('assignment to a constant', 'inline void seededZq() {\n  const int a = 1;\n  a = 2;\n}'),
  inGuard('assignment to a value', 'inline void seededZq() {\n  1 = 2;\n}'),
  inGuard('assignment in a constant method', 'struct SeededZq {\n  int a;\n  void set() const { a = 1; }\n};'),
  inGuard(
    'call of a method that changes a constant',
    'struct SeededZq {\n  void set() {}\n};\ninline void callZq(const SeededZq& s) { s.set(); }',
  ),
  inGuard(
    'method without an object',
    'struct SeededZq {\n  void part() {}\n};\ninline void callZq() { SeededZq::part(); }',
  ),
  inGuard(
    'instance of an abstract class',
    'struct SeededZq {\n  virtual void part() = 0;\n};\ninline void makeZq() { SeededZq made; }',
  ),
  inGuard('override of nothing', 'struct BaseZq {};\nstruct SeededZq : BaseZq {\n  void part() override {}\n};'),
  inGuard(
    'override of a final method',
    'struct BaseZq {\n  virtual void part() final {}\n};\nstruct SeededZq : BaseZq {\n  void part() override {}\n};',
  ),
  inGuard('base that is final', 'struct BaseZq final {};\nstruct SeededZq : BaseZq {};'),
  inGuard(
    'ambiguous call',
    'inline void seededZq(int, double) {}\ninline void seededZq(double, int) {}\ninline void callZq() { seededZq(1, 1); }',
  ),
  inGuard('missing template argument', 'template <class T>\nstruct SeededZq {};\ninline void readZq(SeededZq<> s) {}'),
  inGuard(
    'value as a template argument',
    'template <class T>\nstruct SeededZq {};\ninline void readZq(SeededZq<1> s) {}',
  ),
  inGuard(
    'template argument that is not deduced',
    'template <class T>\nT seededZq() {\n  return T();\n}\ninline void callZq() { seededZq(); }',
  ),
  inGuard('failed assertion', 'static_assert(sizeof(char) == 2, "seeded");'),
  inGuard('incomplete type', 'struct SeededZq;\ninline int readZq(SeededZq* s) { return s->a; }'),
  inGuard('recursive type', 'struct SeededZq {\n  SeededZq inner;\n};'),
  inGuard('reference without a value', 'inline void seededZq() {\n  int& a;\n}'),
  inGuard('constant without a value', 'inline void seededZq() {\n  const int a;\n}'),
  inGuard('variable without a type', 'inline void seededZq() {\n  auto a;\n}'),
  inGuard('variable of type void', 'inline void seededZq() {\n  void a;\n}'),
  inGuard('variable that a lambda does not capture', 'inline int seededZq(int n) {\n  return [] { return n; }();\n}'),
  // Statements and declarations.
  inGuard('duplicate definition', 'inline void seededZq() {}\ninline void seededZq() {}'),
  inGuard('duplicate member', 'struct SeededZq {\n  int a;\n  int a;\n};'),
  inGuard('duplicate variable', 'inline void seededZq() {\n  int a = 1;\n  long a = 2;\n}'),
  inGuard(
    'duplicate case',
    'inline void seededZq(int n) {\n  switch (n) {\n    case 1:\n    case 1:\n      break;\n  }\n}',
  ),
  inGuard('only the result differs', 'int seededZq();\nlong seededZq();'),
  inGuard('break outside a loop', 'inline void seededZq() {\n  break;\n}'),
  inGuard('case outside a switch', 'inline void seededZq() {\n  case 1:;\n}'),
  inGuard('undefined label', 'inline void seededZq() {\n  goto missingZq;\n}'),
  inGuard('this outside a method', 'inline void seededZq() {\n  this;\n}'),
  inGuard('definition of an undeclared method', 'struct SeededZq {};\ninline void SeededZq::part() {}'),
  inGuard('virtual function outside a class', 'virtual void seededZq() {}'),
  // Preprocessor.
  replaced('header that does not exist', /^#\s*include /m, '#include "missing_zq.h"\n$&'),
  inGuard('error directive', '#error seeded'),
  inGuard(
    'wrong number of macro arguments',
    '#define SEEDED_ZQ(a, b) a + b\nstatic const int seededZq = SEEDED_ZQ(1);',
  ),
  // Syntax.
  inGuard('unclosed brace', 'inline void seededZq() {\n  if (true) {\n    return;\n}', syntax),
  inGuard('unclosed parenthesis', 'static const int seededZq = (1 + 2;\nstatic const int otherZq = 1;', syntax),
  inGuard('superfluous brace', 'inline void seededZq() {\n}\n}', syntax),
  inGuard('unclosed string', 'static const char* seededZq = "one;\nstatic const int otherZq = 1;', syntax),
  inGuard('missing operand', 'static const int seededZq = 1 + ;', syntax),
  inGuard('missing semicolon', 'inline int seededZq() {\n  int n = 1\n  return n;\n}', syntax),
  inGuard('missing semicolon after a class', 'struct SeededZq {\n}\ninline void otherZq() {}', syntax),
  inGuard('misspelled keyword', 'clas SeededZq {};', syntax),
  inGuard('missing comma in a literal', 'static const int seededZq[] = {1 2};', syntax),
  inGuard('reserved word as a name', 'static const int class = 1;', syntax),
  inGuard('condition without parentheses', 'inline void seededZq(int n) {\n  if n {\n  }\n}', syntax),
  inGuard('else without if', 'inline void seededZq() {\n  else {\n  }\n}', syntax),
  inGuard('unclosed condition', '#if 1\nstatic const int seededZq = 1;', syntax),
  inGuard('character that is not allowed', 'static const int seededZq = 1 @ 2;', syntax),
];
