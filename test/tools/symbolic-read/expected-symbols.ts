/** A symbol as tools report it. */
export interface ExpectedSymbol {
  /** Name path. */
  readonly path: string;
  /** Name of the kind, as in answers. */
  readonly kind: string;
  /** Number of symbols that contain it. */
  readonly depth: number;
  /** Text of the whole definition. */
  readonly body: string;
}

const line = /^(?<indent> *)(?<name>.+) (?<kind>\w+) (?<range>\d+:\d+-\d+:\d+) @\d+:\d+$/;

/** Kinds whose names in the answers of `test/syntax/render.ts` are not those of tools in lower case. */
const kindNames: ReadonlyMap<string, string> = new Map([
  ['member', 'EnumMember'],
  ['parameter', 'TypeParameter'],
]);

/** Returns the symbols in a committed answer of a syntax table about a file with `text`. @throws {Error} for another text. */
export function expectedSymbols(answer: string, text: string): ExpectedSymbol[] {
  const starts = [0, ...text.matchAll(/\n/g).map(({ index }) => index + 1)];
  const offset = (position: string | undefined) => {
    const [row = 0, column = 0] = (position ?? '').split(':').map(Number);
    return (starts[row - 1] ?? 0) + column;
  };
  const outer: string[] = [];
  return answer
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => {
      const { indent, name, kind, range } = line.exec(row)?.groups ?? {};
      if (indent === undefined || name === undefined || kind === undefined) throw new Error(`cannot read ${row}`);
      const depth = indent.length / 2;
      outer.splice(depth, outer.length, name);
      const [start, end] = (range ?? '').split('-').map(offset);
      const kindName = kindNames.get(kind) ?? `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
      return { path: outer.join('/'), kind: kindName, depth, body: text.slice(start, end) };
    });
}
