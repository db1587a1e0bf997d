import type { PythonStatement } from './statements.ts';

/** One name that an import statement binds. */
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
