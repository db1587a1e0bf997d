/** The content of a plain YAML text with the 1-based line on which the value of each key begins. */
export interface PlainYaml {
  readonly data: Record<string, unknown>;
  readonly lines: ReadonlyMap<string, number>;
}

/** Words, paths and globs that YAML reads as they are. The first character must not be an indicator. */
const word = String.raw`[A-Za-z_/][\w./*@+-]*(?: [\w./*@+-]+)*`;
/** Without escapes, the text between the quotes is the value. */
const quoted = String.raw`"[ !#-[\]-~]*"`;
const number = String.raw`(?:0|-?[1-9]\d{0,14})`;
const flowList = String.raw`\[(?:${word}(?:, ${word})*)?\]`;
const pairLine = new RegExp(`^([A-Za-z]\\w*):(?: +(${word}|${quoted}|${number}|${flowList}|\\{\\}))? *$`);
const itemLine = new RegExp(`^ {2,8}- (${word}|${quoted}) *$`);
/** Words that YAML or one of its versions reads as something else than text. */
const otherWords = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/**
 * Returns the content of a YAML text of the form that this program writes: comments, and keys whose values are words,
 * quoted texts, whole numbers, `{}` or lists. Returns `undefined` for every other text, also an invalid one: that takes
 * the YAML library, which costs a fifth of the program's start.
 */
export function readPlainYaml(text: string): PlainYaml | undefined {
  const data: Record<string, unknown> = {};
  const lines = new Map<string, number>();
  // The list that the last key may still have; all its items have the same indentation.
  let open: { readonly key: string; readonly items: string[]; indent?: number } | undefined;
  const close = () => {
    if (open !== undefined) data[open.key] = open.items.length === 0 ? null : open.items;
    open = undefined;
  };
  for (const [index, line] of text.split('\n').entries()) {
    if (/^ *(?:#[^\r]*)?$/.test(line)) continue;
    const item = itemLine.exec(line);
    if (item !== null) {
      const indent = line.indexOf('-');
      const value = textOf(item[1] ?? '');
      if (open === undefined || value === undefined || (open.indent ?? indent) !== indent) return undefined;
      if (open.items.length === 0) lines.set(open.key, index + 1);
      open.indent = indent;
      open.items.push(value);
      continue;
    }
    const [, key, written] = pairLine.exec(line) ?? [];
    if (key === undefined || otherWords.test(key) || lines.has(key)) return undefined;
    close();
    lines.set(key, index + 1);
    if (written === undefined) {
      open = { key, items: [] };
      continue;
    }
    const value = contentOf(written);
    if (value === undefined) return undefined;
    data[key] = value;
  }
  close();
  return { data, lines };
}

function contentOf(written: string): unknown {
  if (written === '{}') return {};
  if (written === 'true' || written === 'false') return written === 'true';
  if (/^[-\d]/.test(written)) return Number(written);
  if (!written.startsWith('[')) return textOf(written);
  const items = written === '[]' ? [] : written.slice(1, -1).split(', ').map(textOf);
  return items.includes(undefined) ? undefined : items;
}

function textOf(written: string): string | undefined {
  if (written.startsWith('"')) return written.slice(1, -1);
  return otherWords.test(written) ? undefined : written;
}
