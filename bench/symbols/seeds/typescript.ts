import type { Seed } from '../model.ts';
import { appended } from './appended.ts';
import { replaced } from './replaced.ts';

const syntax = { isSyntax: true };
const across = { isAcross: true };

/** Kinds of errors in TypeScript. */
export const typescriptSeeds: readonly Seed[] = [
  // Names and members.
  replaced('undefined name in a return statement', /^([ \t]+return) \w+;?$/m, '$1 missingZq'),
  appended('undefined function', 'export const seededZq = missingZq(1);'),
  appended('undefined type', 'export let seededZq: MissingZq | undefined;'),
  appended('unknown property', 'const seededZq = { a: 1 };\nexport const readZq = seededZq.b;'),
  appended('unknown method', 'class SeededZq {}\nexport const calledZq = new SeededZq().missing();'),
  appended('unknown property in a literal', 'export const seededZq: { a: number } = {\n  a: 1,\n  b: 2,\n};'),
  appended('private member', 'class SeededZq {\n  private a = 1;\n}\nexport const readZq = new SeededZq().a;'),
  appended('possibly undefined', 'export function seededZq(a?: string): number {\n  return a.length;\n}'),
  // Declarations that others use.
  replaced('renamed function', /^export function ([a-z]\w*)/m, 'export function $1Zq', across),
  replaced('renamed class', /^export (abstract )?class (\w+)/m, 'export $1class $2Zq', across),
  replaced('renamed interface', /^export interface (\w+)/m, 'export interface $1Zq', across),
  replaced('no longer exported', /^export (function|class|const|interface|type) /m, '$1 ', across),
  replaced(
    'further parameter',
    /^export function (\w+)(<[^>()]*>)?\((\w+)(\??:)/m,
    'export function $1$2(addedZq: symbol, $3$4',
    across,
  ),
  replaced(
    'further property',
    /^export interface (\w+)([^{}]*) \{$/m,
    'export interface $1$2 {\n  addedZq: symbol;',
    across,
  ),
  replaced(
    'further abstract method',
    /^export abstract class ([^{}]*) \{$/m,
    'export abstract class $1 {\n  abstract addedZq(): symbol;',
    across,
  ),
  replaced(
    'renamed method',
    /^((?: {2}|\t)(?:public |protected )?)(?!constructor|if|for|while|switch)([a-z]\w*)(\([^)]*\)[^{;]*\{)$/m,
    '$1$2Zq$3',
    across,
  ),
  // Calls and types.
  appended(
    'too few arguments',
    'function seededZq(a: number, b: number) {\n  return a + b;\n}\nexport const sumZq = seededZq(1);',
  ),
  appended(
    'too many arguments',
    'function seededZq(a: number) {\n  return a;\n}\nexport const sumZq = seededZq(1, 2);',
  ),
  appended(
    'wrong type of an argument',
    'function seededZq(a: number) {\n  return a;\n}\nexport const sumZq = seededZq("one");',
  ),
  appended('wrong type of a variable', 'export const seededZq: number = "one";'),
  appended('wrong type of a result', 'export function seededZq(): number {\n  return "one";\n}'),
  appended('operands without arithmetic', 'export const seededZq = ({} as object) * 2;'),
  appended('comparison without overlap', 'export const seededZq = (a: 1 | 2) => a === 3;'),
  appended(
    'missing interface method',
    'interface PartZq {\n  part(): void;\n}\nexport class SeededZq implements PartZq {}',
  ),
  appended('missing property', 'export const seededZq: { a: number; b: number } = { a: 1 };'),
  appended('call of a value', 'const seededZq = 1;\nexport const calledZq = seededZq();'),
  appended(
    'wrong type argument',
    'function seededZq<T extends number>(a: T) {\n  return a;\n}\nexport const madeZq = seededZq<string>("one");',
  ),
  appended('instance of an abstract class', 'abstract class SeededZq {}\nexport const madeZq = new SeededZq();'),
  appended('assignment to a constant', 'const fixedZq = 1;\nfixedZq = 2;'),
  appended('assignment to a readonly property', 'const fixedZq: { readonly a: number } = { a: 1 };\nfixedZq.a = 2;'),
  appended(
    'missing case',
    'export function seededZq(a: "x" | "y"): number {\n  switch (a) {\n    case "x":\n      return 1;\n  }\n}',
  ),
  appended('implicit any', 'export function seededZq(a) {\n  return a;\n}'),
  appended('use before assignment', 'export function seededZq(): number {\n  let a: number;\n  return a;\n}'),
  appended('missing return', 'export function seededZq(a: number): number {\n  if (a > 0) return a;\n}'),
  appended('await outside an async function', 'export function seededZq() {\n  await Promise.resolve();\n}'),
  appended('duplicate declaration', 'export const seededZq = 1;\nexport const seededZq = 2;'),
  appended('duplicate property', 'export const seededZq = { a: 1, a: 2 };'),
  appended('break outside a loop', 'export function seededZq() {\n  break;\n}'),
  appended('recursive type alias', 'export type SeededZq = SeededZq;'),
  // Imports.
  replaced(
    'module that does not exist',
    /^import [^'"]* from ['"]\.[^'"]*['"];?$/m,
    "import * as missingZq from './missing-zq';\n$&",
  ),
  replaced('name that a module does not export', /^import (type )?\{\s*(?=\w)/m, 'import $1{ missingZq, '),
  replaced('removed import', /^import (type )?\{[^}]*\} from ['"][^'"]*['"];?\n/m, ''),
  // Syntax.
  appended('unclosed brace', 'export function seededZq() {\n  if (true) {\n    return;\n}', syntax),
  appended('unclosed parenthesis', 'export const seededZq = (1 + 2;\nexport const otherZq = 1;', syntax),
  appended('superfluous brace', 'export function seededZq() {\n}\n}', syntax),
  appended('unclosed string', "export const seededZq = 'one;\nexport const otherZq = 1;", syntax),
  appended('unclosed template', 'export const seededZq = `one;\n', syntax),
  appended('missing operand', 'export const seededZq = 1 + ;', syntax),
  appended('misspelled keyword', 'export functoin seededZq() {}', syntax),
  appended('missing comma in a literal', 'export const seededZq = [1 2];', syntax),
  appended('reserved word as a name', 'export const class = 1;', syntax),
  appended('unclosed comment', '/* seededZq', syntax),
  appended('unclosed regular expression', 'export const seededZq = /one;', syntax),
];
