import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';

/** A symbol as an array, which takes half the space of an object in JSON. */
export type Packed = [
  name: string,
  kind: number,
  range: Packed4,
  selection: Packed4,
  children: Packed[],
  receiver?: string,
];
type Packed4 = [number, number, number, number];

export function pack({ name, kind, range, selectionRange, children, receiver }: PlainSymbol): Packed {
  const packed: Packed = [name, kind, packRange(range), packRange(selectionRange), children.map(pack)];
  if (receiver !== undefined) packed.push(receiver);
  return packed;
}

function packRange({ start, end }: PlainSymbol['range']): Packed4 {
  return [start.line, start.character, end.line, end.character];
}

export function unpack([name, kind, range, selectionRange, children, receiver]: Packed): PlainSymbol {
  return {
    ...(receiver === undefined ? {} : { receiver }),
    name,
    kind,
    range: unpackRange(range),
    selectionRange: unpackRange(selectionRange),
    children: children.map(unpack),
  };
}

function unpackRange([startLine, startCharacter, endLine, endCharacter]: Packed4): PlainSymbol['range'] {
  return {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
  };
}
