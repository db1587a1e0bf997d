import { firstAttachedLine } from '../../text/definition-syntax.ts';
import { lineAt, lineEnd } from '../../text/lines.ts';
import type { TextLines } from '../../text/text-lines.ts';

/** A function, a class or the module, with what it is in. */
export interface PythonScope {
  readonly kind: 'module' | 'function' | 'class';
  /** The scope around it; `undefined` for the module. */
  readonly parent: PythonScope | undefined;
  /** The statement with `def` or `class`; `undefined` for the module. */
  readonly head: PythonStatement | undefined;
}

/** A simple statement, or the head of a compound one. Offsets are in UTF-16 code units. */
export interface PythonStatement {
  readonly start: number;
  readonly end: number;
  /** Column after leading white space; a tab ends at a multiple of eight. */
  readonly indent: number;
  /** The text, with strings and comments blanked. */
  readonly code: string;
  /** The scope that contains it. That of a `def` is not the function. */
  readonly scope: PythonScope;
}

const inert =
  /#[^\n]*|"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?/g;
const compound =
  /^(?:async\s+)?(?:if|elif|else|try|except|finally|with|for|while|def|class|match|case)(?![\p{L}\p{N}_])/u;
const scopeHead = /^(?:async\s+)?(def|class)\s/;

/** Returns the statements of a module in their order. What is not Python makes statements without a meaning. */
export function pythonStatements(text: string): PythonStatement[] {
  const code = text.replace(inert, (found) => (found.startsWith('#') ? ' ' : '"').repeat(found.length));
  const scopes: { readonly scope: PythonScope; readonly indent: number }[] = [];
  const module: PythonScope = { kind: 'module', parent: undefined, head: undefined };
  return spansOf(code).map(({ start, end, indent }) => {
    while ((scopes.at(-1)?.indent ?? -1) >= indent) scopes.pop();
    const parent = scopes.at(-1)?.scope ?? module;
    const statement = { start, end, indent, code: code.slice(start, end), scope: parent };
    const keyword = scopeHead.exec(statement.code)?.[1];
    if (keyword !== undefined) {
      const kind = keyword === 'def' ? 'function' : 'class';
      scopes.push({ scope: { kind, parent, head: statement }, indent });
    }
    return statement;
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
}

/** Splits code into statements: at line breaks and semicolons outside brackets, and after the head of a block. */
function spansOf(code: string): Span[] {
  const found: Span[] = [];
  let depth = 0;
  let start = -1;
  let [lineStart, added] = [0, 0];
  const finish = (end: number) => {
    if (start !== -1) {
      const trimmed = start + code.slice(start, end).trimEnd().length;
      found.push({ start, end: trimmed, indent: widthOf(code, lineStart) + added });
    }
    start = -1;
  };
  for (let at = 0; at < code.length; at++) {
    const character = code[at] ?? '';
    const isOutside = depth === 0;
    if (character === '\n') {
      const isContinued = start !== -1 && (!isOutside || code[at - 1] === '\\');
      if (isContinued) continue;
      finish(at);
      [lineStart, added] = [at + 1, 0];
    } else if (character === ';' && isOutside) finish(at);
    else if (!/\s/.test(character)) {
      if (start === -1) start = at;
      if ('([{'.includes(character)) depth++;
      else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
      else if (character === ':' && isOutside && code[at + 1] !== '=' && compound.test(code.slice(start, at))) {
        finish(at + 1);
        added++;
      }
    }
  }
  finish(code.length);
  return found;
}

function widthOf(code: string, lineStart: number): number {
  let width = 0;
  for (let at = lineStart; code[at] === ' ' || code[at] === '\t'; at++) {
    width = code[at] === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1;
  }
  return width;
}

export interface PythonImport {
  /** The name in the importing scope; `*` for all names of the module. */
  readonly bound: string;
  /** The module with its leading dots. */
  readonly module: string;
  /** The imported name; `undefined` if the name is bound to the module. */
  readonly member: string | undefined;
  /** Where the bound name is. */
  readonly offset: number;
  /** Where the imported name is; the same as `offset` without `as`. */
  readonly memberOffset: number;
}

const fromImport = /^from\s*([.\s]*[\p{L}\p{N}_.\s]*?)\s*(?<=[.\s])import\b(?![\p{L}\p{N}_])[\s(]*/u;
const plainImport = /^import\s+/;
const item = /([\p{L}\p{N}_.]+|\*)(\s+as\s+([\p{L}\p{N}_]+))?/gu;

/** Returns the names that a statement imports; none if it is no import. */
export function pythonImports({ start, code }: PythonStatement): PythonImport[] {
  const head = fromImport.exec(code) ?? plainImport.exec(code);
  if (head === null) return [];
  const from = head[1]?.replace(/\s+/g, '');
  const at = head[0].length;
  // A line may be continued by a backslash.
  const items = code.slice(at).replaceAll('\\', ' ').matchAll(item);
  return [...items].map(({ 0: all, 1: name = '', 2: clause, 3: alias, index }) => {
    const memberOffset = start + at + index;
    const offset = alias === undefined ? memberOffset : memberOffset + all.length - alias.length;
    if (from !== undefined) return { bound: alias ?? name, module: from, member: name, offset, memberOffset };
    const first = name.split('.')[0] ?? name;
    const module = clause === undefined ? first : name;
    return { bound: alias ?? first, module, member: undefined, offset, memberOffset };
  });
}

export type PythonBinding =
  | {
      readonly by: 'import';
      /** The module with its leading dots, such as `..pkg.mod`. */
      readonly module: string;
      /** The imported name; `undefined` if the name is bound to the module. */
      readonly member: string | undefined;
      readonly offset: number;
    }
  | { readonly by: 'definition' | 'value'; readonly offset: number };

interface ScopeBindings {
  readonly bindings: readonly PythonBinding[];
  /** True if the scope declares the name `global`. */
  readonly isGlobal: boolean;
}

/** Bindings by scope and name: every reference in a file asks for those of the same few scopes. */
const known = new WeakMap<PythonScope, Map<string, ScopeBindings>>();

/**
 * Returns the statements that bind a name in a scope itself, without parameters; `*` for imports of all names. A scope
 * belongs to one list of statements, those of its module.
 */
export function bindingsIn(statements: readonly PythonStatement[], scope: PythonScope, name: string): ScopeBindings {
  const ofScope = known.get(scope) ?? new Map<string, ScopeBindings>();
  known.set(scope, ofScope);
  const found = ofScope.get(name) ?? findBindings(statements, scope, name);
  ofScope.set(name, found);
  return found;
}

function findBindings(statements: readonly PythonStatement[], scope: PythonScope, name: string): ScopeBindings {
  const own = statements.filter((one) => one.scope === scope && one.code.includes(name));
  if (name === '*') return { bindings: own.flatMap((one) => importsOf(one, name) ?? []), isGlobal: false };
  const isGlobal = own.some(({ code }) => new RegExp(`^(?:global|nonlocal)\\s.*${word(name)}`, 'su').test(code));
  return { bindings: own.flatMap((statement) => bindingsOf(statement, name)), isGlobal };
}

/** Returns the bindings of a name by an import statement; `undefined` for other statements. */
function importsOf(statement: PythonStatement, name: string): PythonBinding[] | undefined {
  const imported = pythonImports(statement);
  if (imported.length === 0) return undefined;
  return imported.flatMap(({ bound, module, member, offset }): PythonBinding[] =>
    bound === name ? [{ by: 'import', module, member, offset }] : [],
  );
}

function bindingsOf(statement: PythonStatement, name: string): PythonBinding[] {
  const { start, code } = statement;
  const imported = importsOf(statement, name);
  if (imported !== undefined) return imported;
  const definition = new RegExp(`^(?:async\\s+)?(?:def|class)\\s+(?=${word(name)})`, 'su').exec(code);
  if (definition !== null) return [{ by: 'definition', offset: start + definition[0].length }];
  const at = valueOffset(code, name);
  return at === undefined ? [] : [{ by: 'value', offset: start + at }];
}

/** A longer statement is a table of data: only what is before it can be bound. */
const maxStatementChars = 4_000;

/** Returns where an assignment, a loop, a `with` or another statement binds a name; `undefined` if it does not. */
function valueOffset(statement: string, name: string): number | undefined {
  const code = statement.slice(0, maxStatementChars);
  const own = word(name);
  const flat = withoutBrackets(code);
  // The name first: what is before it is only searched where the name is. Most statements with the name only use it, and
  // the beginning of a statement shows at once that it is none of these.
  const begins = (pattern: RegExp) => (pattern.test(code) ? code : '');
  const patterns: readonly (readonly [string, string])[] = [
    [
      flat,
      `(?=${name})(?<=^|(?<![=!<>+*/%&|^@:-])=\\s*|^(?:[^=]*,\\s*\\*?))${own}(?=\\s*(?:,[^=]*)?(?::[^=]*)?=(?!=))`,
    ],
    [flat, `^${own}(?=\\s*(?:[-+*/%@&|^]|\\*\\*|//|<<|>>)=)`],
    [flat, `^${own}(?=\\s*:)`],
    [begins(/^[([]/u), `(?=${name})(?<=^[([][^=]*)${own}(?=[^=]*[)\\]]\\s*=(?!=))`],
    [begins(/^(?:async\s+)?for\s/u), `(?=${name})(?<=^(?:async\\s+)?for\\s(?:(?!\\sin\\s).)*)${own}(?=.*\\sin\\s)`],
    [code, `(?=${name})(?<=\\bas\\s+(?:\\([^)]*)?)${own}`],
    [code, `${own}(?=\\s*:=)`],
    [begins(/^case\s/u), `(?=${name})(?<=^case\\s.*)${own}`],
    [begins(/^type\s/u), `(?=${name})(?<=^type\\s+)${own}`],
  ];
  for (const [text, pattern] of patterns) {
    const found = new RegExp(pattern, 'su').exec(text);
    if (found !== null) return found.index;
  }
  return undefined;
}

/** Blanks what is in brackets: an argument is not bound, and a default is not assigned. */
function withoutBrackets(code: string): string {
  let depth = 0;
  return [...code]
    .map((character) => {
      if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
      const kept = depth === 0 ? character : '"'.repeat(character.length);
      if ('([{'.includes(character)) depth++;
      return kept;
    })
    .join('');
}

/** Returns a pattern for a name as a whole, which no value is before. */
function word(name: string): string {
  return `(?<![\\p{L}\\p{N}_.])${name}(?![\\p{L}\\p{N}_])`;
}

/** A comprehension or lambda that a name belongs to begins and ends this near. */
const maxNearChars = 1_000;

/** Returns where a function's head has a parameter; `undefined` if it has none of this name. */
export function parameterOffset({ start, code }: PythonStatement, name: string): number | undefined {
  if (!/^(?:async\s+)?def\s/.test(code)) return undefined;
  let depth = 0;
  let [from, isDone] = [-1, false];
  for (let at = 0; at < code.length && !isDone; at++) {
    const character = code[at] ?? '';
    const isEnd = depth === 1 && from !== -1 && (character === ',' || character === ')');
    if (isEnd) {
      const found = /^[\s*]*([\p{L}\p{N}_]+)/u.exec(code.slice(from, at));
      if (found?.[1] === name) return start + from + found[0].length - name.length;
      [from, isDone] = [at + 1, character === ')'];
    }
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    if (character === '(' && depth === 1 && from === -1) from = at + 1;
  }
  return undefined;
}

/**
 * Returns `parameter` if the name at an offset is a parameter of the function that the statement begins, `other` if it
 * may be the keyword of a call or a variable of a lambda or comprehension, `no` for any other name.
 */
export function usesOwnVariable(
  statement: PythonStatement,
  { name, offset }: { name: string; offset: number },
): 'parameter' | 'other' | 'no' {
  const { start, code } = statement;
  if (parameterOffset(statement, name) === offset) return 'parameter';
  const before = code.slice(0, offset - start);
  const after = code.slice(offset - start + name.length);
  const isOpen = before.replace(/[^([{]/g, '').length > before.replace(/[^)\]}]/g, '').length;
  if (isOpen && /^\s*=(?!=)/.test(after) && /[(,]\s*$/.test(before)) return 'other';
  const own = `(?<![\\p{L}\\p{N}_.])${name}(?![\\p{L}\\p{N}_])`;
  const near = code.slice(Math.max(0, offset - start - maxNearChars), offset - start + maxNearChars);
  const loop = new RegExp(`(?<!^(?:async\\s+)?)\\bfor\\s(?:(?!\\sin\\s).)*${own}.*\\sin\\s`, 'su');
  const lambda = new RegExp(`\\blambda\\s[^:]*${own}[^:]*:`, 'u');
  return loop.test(near) || lambda.test(near) ? 'other' : 'no';
}

/** A definition at the top level of a module, with its decorators and the comments directly above it. */
export interface DefinitionSpan {
  /** The start of its first line. */
  readonly start: number;
  /** The end of its last line, without the line break. */
  readonly end: number;
}

/**
 * Returns the lines of the function with its overloads, or of the class or variable at the top level whose name is at an offset; `undefined` for a
 * definition under a condition, for one that shares its lines, and for an assignment to several targets.
 */
export function definitionSpan(
  lines: TextLines,
  statements: readonly PythonStatement[],
  nameOffset: number,
): DefinitionSpan | undefined {
  const { text, starts } = lines;
  const at = statements.findIndex(({ start, end }) => start <= nameOffset && nameOffset < end);
  const head = statements[at];
  if (head === undefined || head.indent > 0 || !isDefinition(head, nameOffset)) return undefined;
  const own = /^(?:async\s+)?def\s+([\p{L}\p{N}_]+)/u.exec(head.code)?.[1];
  let { first, last } = blockAround(statements, at);
  // Overloads are definitions of one name after another.
  for (let next = nextHead(statements, last); own !== undefined && isOf(statements[next], own); ) {
    last = blockAround(statements, next).last;
    next = nextHead(statements, last);
  }
  for (let before = headBefore(statements, first); own !== undefined && isOf(statements[before], own); ) {
    first = blockAround(statements, before).first;
    before = headBefore(statements, first);
  }
  const startLine = lineAt(starts, statements[first]?.start ?? 0);
  let endLine = lineAt(starts, (statements[last]?.end ?? 1) - 1);
  const hasBlock = /^(?:async\s|def\s|class\s)/.test(head.code);
  while (hasBlock && /^[ \t]+#/.test(text.slice(starts[endLine + 1] ?? text.length))) endLine++;
  const end = lineEnd(text, starts, endLine);
  const isApart = statements[first]?.start === starts[startLine] && (statements[last + 1]?.start ?? end) >= end;
  return isApart ? { start: starts[firstAttachedLine(lines, startLine, 'python')] ?? 0, end } : undefined;
}

/** Returns the first and the last statement of a definition with its decorators. */
function blockAround(statements: readonly PythonStatement[], head: number): { first: number; last: number } {
  let [first, last] = [head, head];
  while (statements[first - 1]?.indent === 0 && statements[first - 1]?.code.startsWith('@')) first--;
  while ((statements[last + 1]?.indent ?? 0) > 0) last++;
  return { first, last };
}

/** Returns the statement after a definition, behind decorators. */
function nextHead(statements: readonly PythonStatement[], last: number): number {
  let next = last + 1;
  while (statements[next]?.code.startsWith('@')) next++;
  return next;
}

/** Returns the statement at the top level before a definition. */
function headBefore(statements: readonly PythonStatement[], first: number): number {
  let before = first - 1;
  while ((statements[before]?.indent ?? 0) > 0) before--;
  return before;
}

function isOf(statement: PythonStatement | undefined, name: string): boolean {
  if (statement === undefined || statement.indent > 0) return false;
  return /^(?:async\s+)?def\s+([\p{L}\p{N}_]+)/u.exec(statement.code)?.[1] === name;
}

function isDefinition({ start, code }: PythonStatement, nameOffset: number): boolean {
  if (/^(?:async\s+def|def|class)\s/.test(code)) return true;
  const rest = /^[\p{L}\p{N}_]+\s*(?::[^=]*)?=(?!=)(.*)$/su.exec(code)?.[1];
  return nameOffset === start && rest !== undefined && !/^[^([{]*(?<![=!<>:])=(?!=)/.test(rest);
}
