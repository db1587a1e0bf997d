import type { Seed } from '../model.ts';
import { appended } from './appended.ts';
import { replaced } from './replaced.ts';

const syntax = { isSyntax: true };
const across = { isAcross: true };

/** Kinds of errors in Python that its compiler reports, or that its syntax tree proves. */
export const pythonSeeds: readonly Seed[] = [
  // Names.
  replaced('undefined name in a return statement', /^( {4,}return) \w+$/m, '$1 missing_zq'),
  appended('undefined function', 'seeded_zq = missing_zq(1)'),
  appended('undefined base class', 'class SeededZq(MissingZq):\n    pass'),
  appended('undefined decorator', '@missing_zq\ndef seeded_zq():\n    pass'),
  appended('undefined default value', 'def seeded_zq(a=missing_zq):\n    return a'),
  appended('undefined exception', 'try:\n    pass\nexcept MissingZq:\n    pass'),
  appended('undefined name in a comprehension', 'seeded_zq = [missing_zq for item in []]'),
  appended('undefined name in an f-string', 'seeded_zq = f"{missing_zq}"'),
  // Declarations that others use.
  replaced('renamed function', /^def ([a-z]\w*)\(/m, 'def $1_zq(', across),
  replaced('renamed class', /^class (\w+)/m, 'class $1Zq', across),
  replaced('further parameter', /^def ([a-z]\w*)\((\w+)/m, 'def $1(added_zq, $2', across),
  // Imports.
  replaced('import of a missing module', /^(?:import|from) /m, 'import missing_zq\n$&'),
  replaced('import of a missing module of the package', /^from \.\w* import /m, 'from .missing_zq import nothing\n$&'),
  replaced('import of a missing name', /^(from \.\w+ import )(\w+)$/m, '$1missing_zq, $2'),
  replaced('removed import', /^import (re|os|sys|time|types|typing|inspect|functools|itertools)\n/m, ''),
  // Calls.
  appended('too few arguments', 'def seeded_zq(a, b):\n    return a\n\n\nsum_zq = seeded_zq(1)'),
  appended('too many arguments', 'def seeded_zq(a):\n    return a\n\n\nsum_zq = seeded_zq(1, 2)'),
  appended('unknown keyword argument', 'def seeded_zq(a):\n    return a\n\n\nsum_zq = seeded_zq(a=1, b=2)'),
  appended('missing keyword argument', 'def seeded_zq(*, a):\n    return a\n\n\nsum_zq = seeded_zq()'),
  // Errors of the compiler behind the parser.
  appended('return outside a function', 'return 1'),
  appended('yield outside a function', 'yield 1'),
  appended('await outside an async function', 'def seeded_zq():\n    await seeded_zq()'),
  appended('break outside a loop', 'def seeded_zq():\n    break'),
  appended('continue outside a loop', 'if True:\n    continue'),
  appended('duplicate parameter', 'def seeded_zq(a, a):\n    return a'),
  appended('nonlocal at module level', 'nonlocal seeded_zq'),
  appended('nonlocal without a binding', 'def seeded_zq():\n    nonlocal missing_zq'),
  appended('global after use', 'seeded_zq = 1\n\n\ndef use_zq():\n    print(seeded_zq)\n    global seeded_zq'),
  appended('late future import', 'seeded_zq = 1\nfrom __future__ import annotations'),
  appended('assignment to a literal', '1 = seeded_zq', syntax),
  appended('assignment to a call', 'len("") = 1', syntax),
  appended('assignment to None', 'None = 1', syntax),
  appended('deletion of a literal', 'del 1', syntax),
  appended('repeated keyword argument', 'seeded_zq = dict(a=1, a=2)', syntax),
  appended('positional after keyword argument', 'seeded_zq = dict(a=1, 2)', syntax),
  appended('parameter without default after one with', 'def seeded_zq(a=1, b):\n    return b', syntax),
  appended('two starred targets', '*first_zq, *second_zq = [1, 2]', syntax),
  // Syntax.
  appended('missing colon', 'def seeded_zq()\n    pass', syntax),
  appended('missing block', 'def seeded_zq():\nseeded_zq()', syntax),
  appended('unexpected indentation', 'seeded_zq = 1\n    other_zq = 2', syntax),
  appended('inconsistent dedent', 'if True:\n        seeded_zq = 1\n    other_zq = 2', syntax),
  appended('unclosed parenthesis', 'seeded_zq = (1 + 2\nother_zq = 1', syntax),
  appended('unclosed bracket', 'seeded_zq = [1, 2', syntax),
  appended('superfluous parenthesis', 'seeded_zq = 1)', syntax),
  appended('mismatched brackets', 'seeded_zq = (1, 2]', syntax),
  appended('unclosed string', "seeded_zq = 'one", syntax),
  appended('unclosed triple-quoted string', "seeded_zq = '''one", syntax),
  appended('missing operand', 'seeded_zq = 1 +', syntax),
  appended('assignment in a condition', 'if seeded_zq = 1:\n    pass', syntax),
  appended('else without if', 'seeded_zq = 1\nelse:\n    pass', syntax),
  appended('try without except', 'try:\n    pass\nseeded_zq = 1', syntax),
  appended('invalid number', 'seeded_zq = 1_zq', syntax),
  appended('reserved word as a name', 'class = 1', syntax),
  appended('statement of another language', 'seeded_zq++', syntax),
  appended('f-string without an end', 'seeded_zq = f"{1"', syntax),
];
