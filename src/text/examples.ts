import type { ExampleSyntax } from '../languages/language-profile.ts';

/** A part of a text in offsets, `end` exclusive. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Returns the examples in documentation, each as the code of its lines. */
export function examplesIn(text: string, syntax: ExampleSyntax | undefined): Part[][] {
  if (syntax === undefined) return [];
  const { begin, line: marked, end: last } = syntax;
  const examples: Part[][] = [];
  let current: Part[] | undefined;
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const begins = last === undefined || current === undefined ? begin.exec(line) : null;
    const mark = begins === null && current !== undefined && last?.test(line) !== true ? marked.exec(line) : null;
    if (begins !== null) {
      current = last === undefined ? [{ start: start + begins[0].length, end }] : [];
      examples.push(current);
    } else if (mark === null) current = undefined;
    else current?.push({ start: start + mark[0].length, end });
    start = end + 1;
  }
  return examples;
}

/** Returns a text of the same length in which only the example with an offset is left; `undefined` if none has it. */
export function exampleAlone(text: string, offset: number, syntax: ExampleSyntax | undefined): string | undefined {
  const parts = examplesIn(text, syntax).find((example) => isIn(example, offset));
  if (parts === undefined) return undefined;
  let alone = '';
  for (const { start, end } of parts) alone += blank(text.slice(alone.length, start)) + text.slice(start, end);
  return alone + blank(text.slice(alone.length));
}

export function isIn(parts: readonly Part[], offset: number): boolean {
  return parts.some(({ start, end }) => start <= offset && offset < end);
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
