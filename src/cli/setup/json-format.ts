import {
  applyEdits,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  stripComments,
  visit,
} from 'jsonc-parser';
import { brokenFile, type FileFormat, nested, parsing } from './format.ts';

/** JSON with comments and trailing commas, which most programs allow in their settings. */
export const jsonFormat: FileFormat = {
  parse: (text, file) => parsing(file, () => parseJson(text, file)),
  set: (text, path, value) => setInJson(isBlank(text) ? `${text.trimEnd()}\n{}\n`.trimStart() : text, path, value),
  remove: removeFromJson,
  print: (path, value) => `${JSON.stringify(nested(path, value), undefined, 2)}\n`,
};

function parseJson(text: string, file: string): unknown {
  if (isBlank(text)) return {};
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) throw brokenFile(file, lineAt(text, error.offset), inWords(printParseErrorCode(error.error)));
  return root === undefined ? {} : plain(getNodeValue(root));
}

/** Sets a value, also of a list, adds one at the end of a list, or removes it if it is `undefined`; comments stay. */
export function editJson(text: string, path: (string | number)[], value: unknown): string {
  const source = isBlank(text) ? `${text.trimEnd()}\n{}\n`.trimStart() : text;
  const root = parseTree(source, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  const { indent, lineBreak } = styleOf(source, root);
  const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: lineBreak };
  return applyEdits(source, modify(source, path, value, { formattingOptions }));
}

/** Restores prototypes: the library's objects have none, which deep comparison would notice. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function isBlank(text: string): boolean {
  return stripComments(text).trim() === '';
}

function setInJson(text: string, path: readonly string[], value: unknown): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  let node = root;
  for (const [depth, key] of path.entries()) {
    const found = valueUnder(node, key);
    const style = styleOf(text, root);
    if (found === undefined) {
      return insert(text, node, { key, value: nested(path.slice(depth + 1), value), depth: depth + 1, style });
    }
    if (depth === path.length - 1) {
      return text.slice(0, found.offset) + print(value, path.length, style) + text.slice(found.offset + found.length);
    }
    node = found;
  }
  return text;
}

function valueUnder(node: Node, key: string): Node | undefined {
  return node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

interface Style {
  readonly indent: string;
  readonly lineBreak: string;
}

/** Detects the line break and the indentation, that of the first key. */
function styleOf(text: string, root: Node): Style {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const first = root.children?.[0];
  const before = first === undefined ? '' : text.slice(0, first.offset);
  const indent = /(?:^|\n)([ \t]+)$/.exec(before)?.[1] ?? '  ';
  return { indent, lineBreak };
}

function print(value: unknown, depth: number, { indent, lineBreak }: Style): string {
  return JSON.stringify(value, undefined, indent).replaceAll('\n', lineBreak + indent.repeat(depth));
}

/** Adds a property at the end of an object, after trailing comments, which belong to the property before them. */
function insert(
  text: string,
  object: Node,
  { key, value, depth, style }: { key: string; value: unknown; depth: number; style: Style },
): string {
  const closing = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const lastEnd = last === undefined ? object.offset + 1 : last.offset + last.length;
  const { end, hasComma } = findInsertPosition(text, lastEnd, closing);
  const comma = last !== undefined && !hasComma ? ',' : '';
  // If the last property had a comma, the new property gets a comma too, so that it can be removed without a trace.
  const ownComma = last !== undefined && hasComma ? ',' : '';
  const property = `${JSON.stringify(key)}: ${print(value, depth, style)}${ownComma}`;
  const line = `${style.lineBreak}${style.indent.repeat(depth)}${property}`;
  const rest = text.slice(end, closing);
  const beforeClosing = rest.includes('\n') ? rest : style.lineBreak + style.indent.repeat(depth - 1);
  return text.slice(0, lastEnd) + comma + text.slice(lastEnd, end) + line + beforeClosing + text.slice(closing);
}

/** Removes a property with one comma and the white space before it; comments around it stay. */
function removeFromJson(text: string, path: readonly string[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const object = path.slice(0, -1).reduce((node, key) => node && valueUnder(node, key), root);
  const index = object?.children?.findIndex((child) => child.children?.[0]?.value === path.at(-1)) ?? -1;
  const property = object?.children?.[index];
  if (object === undefined || property === undefined) return text;
  const [start, end] = [property.offset, property.offset + property.length];
  const previous = object.children?.[index - 1];
  const isLast = index === (object.children?.length ?? 0) - 1;
  const closing = object.offset + object.length - 1;
  const next = object.children?.[index + 1];
  const ownComma = commaBetween(text, end, next?.offset ?? closing);
  if (ownComma !== undefined)
    return without(without(text, ownComma, ownComma + 1), gapBefore(text, start, ownComma + 1), end);
  const cut = without(text, gapBefore(text, start, end), end);
  const comma = previous && isLast ? commaBetween(text, previous.offset + previous.length, start) : undefined;
  return comma === undefined ? cut : without(cut, comma, comma + 1);
}

function without(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

/** Returns where the white space before `start` begins, or `start` if something follows `end` on its line. */
function gapBefore(text: string, start: number, end: number): number {
  const rest = /^[^\r\n]*/.exec(text.slice(end))?.[0] ?? '';
  return /^[ \t]*($|\/[/*]|[}\]])/.test(rest) ? text.slice(0, start).trimEnd().length : start;
}

/** Returns the offset of the comma between two offsets, not one in a comment. */
function commaBetween(text: string, from: number, to: number): number | undefined {
  let found: number | undefined;
  visit(text, {
    onSeparator: (separator, offset) => {
      if (separator === ',' && offset >= from && offset < to) found ??= offset;
    },
  });
  return found;
}

/** Returns the end of the last comma or comment between two offsets, and true if there is a comma. */
function findInsertPosition(text: string, from: number, to: number): { end: number; hasComma: boolean } {
  let end = from;
  let hasComma = false;
  const visitToken = (offset: number, length: number) => {
    const isBetween = offset >= from && offset < to;
    if (isBetween) end = Math.max(end, offset + length);
    return isBetween;
  };
  visit(text, {
    onComment: visitToken,
    onSeparator: (_separator, offset, length) => {
      if (visitToken(offset, length)) hasComma = true;
    },
  });
  return { end, hasComma };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** `CloseBraceExpected` → `close brace expected`. */
function inWords(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
