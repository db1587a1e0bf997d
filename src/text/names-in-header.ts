/** A name in the header of a type. */
export interface HeaderName {
  readonly name: string;
  readonly offset: number;
}

const token = /(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<open>[([{<])|(?<close>[)\]}>])|(?<end>[;\n])/gu;
const keywords: ReadonlySet<string> = new Set([
  ...[
    'class',
    'interface',
    'struct',
    'enum',
    'trait',
    'impl',
    'unsafe',
    'extends',
    'implements',
    'with',
    'for',
    'where',
  ],
  ...['public', 'protected', 'private', 'virtual', 'dyn', 'const', 'permits', 'sealed', 'final', 'abstract'],
]);
const maxHeaderChars = 4_000;

/**
 * Returns the names in the header of a type that begins at `start`, in its order: those between the type's name and its
 * body that are neither qualifiers nor in brackets. Classes of Python have their bases in parentheses; the arguments with
 * a name, such as `metaclass=`, are no bases.
 */
export function namesInHeader(text: string, start: number, { isPython }: { isPython: boolean }): HeaderName[] {
  const baseDepth = isPython ? 1 : 0;
  const names: HeaderName[] = [];
  let depth = 0;
  token.lastIndex = start;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { name, open, close, end } = found.groups ?? {};
    if (found.index - start > maxHeaderChars || name === 'where') break;
    if (open === '{' && depth === 0) break;
    if (end !== undefined && isEnd(text, found.index, { end, depth })) break;
    // `->` closes nothing, and a Ruby class follows `<`.
    if (open !== undefined && !(open === '<' && text[found.index + 1] === ' ')) depth++;
    if (close !== undefined && text[found.index - 1] !== '-' && text[found.index - 1] !== '=') depth--;
    if (isPython && depth <= 0 && close !== undefined) break;
    if (name === undefined || depth !== baseDepth || keywords.has(name)) continue;
    if (isBase(text, found.index, name)) names.push({ name, offset: found.index });
  }
  return names;
}

/** A statement ends a header outside brackets; a line does if its type has no body in braces. */
function isEnd(text: string, at: number, { end, depth }: { end: string; depth: number }): boolean {
  if (depth > 0) return false;
  if (end === ';') return true;
  return !/^\s*(?:[{:,&|+]|extends\b|implements\b|where\b|permits\b|for\b|\p{L}[^\n;=(]*\{)/u.test(
    text.slice(at, at + maxHeaderChars),
  );
}

function isBase(text: string, offset: number, name: string): boolean {
  const before = text.slice(Math.max(0, offset - 2), offset);
  const after = text.slice(offset + name.length, offset + name.length + 3);
  const isQualifier = /^(?:\.|::|\s?=)/.test(after);
  const isNamedArgument = /[^=<>!]=\s?$/.test(text.slice(Math.max(0, offset - 3), offset));
  return !isQualifier && !isNamedArgument && !before.endsWith("'");
}
