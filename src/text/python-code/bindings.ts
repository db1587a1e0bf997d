import { pythonImports } from './imports.ts';
import type { PythonScope, PythonStatement } from './statements.ts';

/** A statement that binds a name in a scope. */
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

/** The bindings of a name in one scope. */
export interface ScopeBindings {
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
