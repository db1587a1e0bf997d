/** Statements that need a closing `end…`. */
const blocks = ['if', 'for', 'macro', 'call', 'filter'];

/** The position of an error in a template. */
interface Breakage {
  /** 1-based. */
  readonly line: number;
  /** Set if it is more specific than the library's message. */
  readonly reason: string | undefined;
}

/**
 * Finds where `render` fails on a template: the first line with which the text up to it fails, too, or the start of an
 * unclosed tag or block. The library reports no positions.
 */
export function findBreakage(template: string, render: (text: string) => string): Breakage {
  const lines = template.split('\n');
  for (const index of lines.keys()) {
    const start = lines.slice(0, index + 1).join('\n');
    if (openTag(start) !== undefined) continue;
    try {
      render(closed(start));
    } catch {
      return { line: index + 1, reason: undefined };
    }
  }
  const lineAt = (offset: number) => template.slice(0, offset).split('\n').length;
  const tag = openTag(template);
  if (tag !== undefined) return { line: lineAt(tag), reason: `\`${template.slice(tag, tag + 2)}\` is not closed` };
  const block = openBlocks(template).at(-1);
  if (block) return { line: lineAt(block.offset), reason: `\`${block.name}\` has no \`end${block.name}\`` };
  return { line: lines.length, reason: undefined };
}

/** Returns the offset of the last `{{`, `{%` or `{#` if it is not closed. */
function openTag(text: string): number | undefined {
  const open = Math.max(...['{{', '{%', '{#'].map((tag) => text.lastIndexOf(tag)));
  const close = Math.max(...['}}', '%}', '#}'].map((tag) => text.lastIndexOf(tag)));
  return open > close ? open : undefined;
}

function closed(text: string): string {
  const ends = openBlocks(text).map(({ name }) => `{% end${name} %}`);
  return text + ends.reverse().join('');
}

function openBlocks(text: string): { name: string; offset: number }[] {
  const open: { name: string; offset: number }[] = [];
  for (const { 1: name = '', index } of text.matchAll(/\{%[-+]?\s*(\w+)/g)) {
    if (blocks.includes(name)) open.push({ name, offset: index });
    else if (name.startsWith('end')) open.pop();
  }
  return open;
}
