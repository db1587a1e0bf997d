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
