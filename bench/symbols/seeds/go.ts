import type { Seed } from '../model.ts';
import { appended } from './appended.ts';
import { replaced } from './replaced.ts';

const syntax = { isSyntax: true };
const across = { isAcross: true };

/** Kinds of errors in Go. */
export const goSeeds: readonly Seed[] = [
  // Names and members.
  replaced('undefined name in a return statement', /^(\t+return) \w+$/m, '$1 missingZq'),
  appended('undefined function', 'func seededZq() int { return missingZq(1) }'),
  appended('undefined type', 'var seededZq missingZq'),
  appended('unknown field', 'type seededZq struct{ a int }\n\nfunc readZq(s seededZq) int {\n\treturn s.b\n}'),
  appended('unknown method', 'type seededZq struct{}\n\nfunc callZq(s seededZq) {\n\ts.missing()\n}'),
  appended('unknown field in a literal', 'type seededZq struct{ a int }\n\nvar filledZq = seededZq{\n\tb: 1,\n}'),
  appended('unknown label', 'func seededZq() {\n\tfor {\n\t\tbreak missingZq\n\t}\n}'),
  replaced(
    'undefined name of a package',
    /^(\t+.*\b)(strings|fmt|errors|time|os|http|sync)\.[A-Z]\w+/m,
    '$1$2.MissingZq',
  ),
  // Declarations that others use.
  replaced('renamed function', /^func ([A-Z]\w*)(\(|\[)/m, 'func $1Zq$2', across),
  replaced('renamed method', /^(func \(\w+ \*?\w+\) )([A-Z]\w*)\(/m, '$1$2Zq(', across),
  replaced('renamed type', /^type ([A-Z]\w*) (struct|interface) \{/m, 'type $1Zq $2 {', across),
  replaced('further parameter', /^func ([A-Z]\w*)\((\w+ )/m, 'func $1(addedZq bool, $2', across),
  replaced('further result', /^(func [A-Z]\w*\([^)]*\)) (\w+) \{$/m, '$1 ($2, error) {', across),
  replaced('further interface method', /^(type [A-Z]\w* interface \{)$/m, '$1\n\tMissingZq() int', across),
  replaced('other package name', /^package (\w+)$/m, 'package $1zq'),
  // Calls and types.
  appended('too few arguments', 'func seededZq(a int, b int) int { return a + b }\n\nvar sumZq = seededZq(1)'),
  appended('too many arguments', 'func seededZq(a int) int { return a }\n\nvar sumZq = seededZq(1, 2)'),
  appended('wrong type of an argument', 'func seededZq(a int) int { return a }\n\nvar sumZq = seededZq("one")'),
  appended('wrong type of an assignment', 'func seededZq() {\n\tn := 1\n\tn = "one"\n\t_ = n\n}'),
  appended('wrong type of a result', 'func seededZq() int {\n\treturn "one"\n}'),
  appended('mismatched operands', 'func seededZq(a int, b string) bool {\n\treturn a == b\n}'),
  appended('missing interface method', 'type partZq interface{ PartZq() }\n\nvar _ partZq = struct{}{}'),
  appended('call of a value', 'func seededZq(n int) int {\n\treturn n()\n}'),
  appended('constant overflow', 'const seededZq int8 = 300'),
  appended(
    'type argument that is not allowed',
    'func seededZq[T ~int](v T) T { return v }\n\nvar madeZq = seededZq("one")',
  ),
  appended('nil as a number', 'var seededZq int = nil'),
  appended('assignment to a constant', 'const fixedZq = 1\n\nfunc seededZq() {\n\tfixedZq = 2\n}'),
  // Statements and declarations.
  appended('missing return', 'func seededZq(n int) int {\n\tif n > 0 {\n\t\treturn n\n\t}\n}'),
  appended('too many results', 'func seededZq() {\n\treturn 1\n}'),
  appended('duplicate declaration', 'func seededZq() {}\n\nfunc seededZq() {}'),
  appended('duplicate case', 'func seededZq(n int) {\n\tswitch n {\n\tcase 1:\n\tcase 1:\n\t}\n}'),
  appended('duplicate field', 'type seededZq struct {\n\ta int\n\ta string\n}'),
  appended('unused variable', 'func seededZq() {\n\tunused := 1\n}'),
  appended('redeclared variable', 'func seededZq() {\n\tn := 1\n\tn := 2\n\t_ = n\n}'),
  appended('invalid receiver', 'func (n int) seededZq() {}'),
  appended('recursive type', 'type seededZq struct{ inner seededZq }'),
  appended('initialization cycle', 'var firstZq = secondZq\n\nvar secondZq = firstZq'),
  // Imports.
  replaced('unused import', /^import \(\n/m, 'import (\n\tunusedZq "container/ring"\n'),
  replaced('import that does not exist', /^import \(\n/m, 'import (\n\t_ "example.com/missing/zq"\n'),
  replaced('removed import', /^\t"(strings|fmt|errors|time|os|net\/http|sync)"\n/m, ''),
  // Syntax.
  appended('unclosed brace', 'func seededZq() {\n\tif true {\n\t\treturn\n}', syntax),
  appended('unclosed parenthesis', 'var seededZq = (1 + 2\n\nvar otherZq = 1', syntax),
  appended('superfluous brace', 'func seededZq() {\n}\n}', syntax),
  appended('unclosed string', 'var seededZq = "one\n\nvar otherZq = 1', syntax),
  appended('missing operand', 'var seededZq = 1 +\n\nvar otherZq = 1', syntax),
  appended('statement outside a function', 'seededZq := 1', syntax),
  appended('misspelled keyword', 'fun seededZq() {}', syntax),
  appended('missing comma in a literal', 'var seededZq = []int{\n\t1\n\t2,\n}', syntax),
  appended('else on its own line', 'func seededZq(n int) {\n\tif n > 0 {\n\t}\n\telse {\n\t}\n}', syntax),
  appended('character that is not allowed', 'var seededZq = 1 # 2', syntax),
];
