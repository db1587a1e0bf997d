import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FileDraft, type LineEndingRule } from '../../src/edits/file-draft.ts';
import { applyEdits, type TextEdit } from '../../src/text/apply-edits.ts';
import { decode } from '../../src/text/decode.ts';
import { getCodec } from '../../src/text/encodings.ts';
import { dominantEnding, normalizeNewlines, rawOffsets, withEnding } from '../../src/text/lines.ts';

const runs = { numRuns: 2_000 };

/** A text as a list of pieces that an edit cannot split: characters and whole line breaks. */
const pieces = piecesOf('a', 'b', 'é', '\t', '\n', '\r\n', '\r', '\r\n');
const astral = piecesOf('a', 'é', '😀', '漢', '\n', '\r\n', '\r');
const newText = fc.string({ unit: fc.constantFrom('x', 'ü', '\n', '\r\n', '\r'), maxLength: 4 });

function piecesOf(...choice: string[]): fc.Arbitrary<string[]> {
  // `\r` directly before `\n` would be a single line break.
  return fc.array(fc.constantFrom(...choice), { maxLength: 20 }).map((all) => all.join('').match(/\r\n|./gsu) ?? []);
}

/** Edits that do not overlap, in any order. `start` and `end` (exclusive) are numbers of pieces. */
const edits = fc
  .array(fc.record({ gap: fc.nat(4), length: fc.nat(3), text: newText, order: fc.nat() }), { maxLength: 4 })
  .map((planned) => {
    let at = 0;
    const located = planned.map(({ gap, length, text, order }) => {
      const start = at + gap;
      at = start + length;
      return { start, end: at, text, order };
    });
    return located.sort((a, b) => a.order - b.order);
  });

/** Limits the number of a piece to a text of `count` pieces. */
const within = (at: number, count: number) => Math.min(at, count);

/** Applies edits piece by piece: first the insertions at a position, in the given order, then the replacement there. */
function naiveEdit(from: readonly string[], planned: readonly { start: number; end: number; text: string }[]): string {
  let result = '';
  for (let at = 0; at <= from.length; at++) {
    for (const { start, end, text } of planned) if (start === at && end === at) result += text;
    const replacing = planned.find(({ start, end }) => start === at && end > at);
    result += replacing?.text ?? '';
    const isReplaced = planned.some(({ start, end }) => start <= at && at < end);
    if (!isReplaced) result += from[at] ?? '';
  }
  return result;
}

const isBreak = (piece: string) => piece === '\n' || piece === '\r\n' || piece === '\r';

/** Returns the most frequent line break; among equally frequent ones, the first. */
function naiveDominant(from: readonly string[]): string {
  const breaks = from.filter(isBreak);
  const [best = '\n'] = breaks.toSorted(
    (a, b) => breaks.filter((each) => each === b).length - breaks.filter((each) => each === a).length,
  );
  return best;
}

/** Returns the start offset of each piece in the text with `\n` line breaks, and the end of the last one. */
function offsetsOf(from: readonly string[]): number[] {
  const offsets = [0];
  for (const piece of from) offsets.push((offsets.at(-1) ?? 0) + (isBreak(piece) ? 1 : piece.length));
  return offsets;
}

test('edits have the same result as when applied one by one', () => {
  fc.assert(
    fc.property(astral, edits, (from, planned) => {
      const located = planned.map(({ start, end, text }) => ({
        ...{ start: within(start, from.length), end: within(end, from.length), text },
      }));
      const text = from.join('');
      const ends = [0];
      for (const piece of from) ends.push((ends.at(-1) ?? 0) + piece.length);
      const inUnits = located.map(
        (edit): TextEdit => ({
          ...edit,
          start: ends[edit.start] ?? 0,
          end: ends[edit.end] ?? 0,
        }),
      );
      expect(applyEdits(text, inUnits, 'a.txt')).toBe(naiveEdit(from, located));
    }),
    runs,
  );
});

test("a draft changes only the edited bytes, in its file's encoding and line breaks", () => {
  const file = fc.oneof(
    fc.record({ encoding: fc.constant('utf-8'), mark: fc.constantFrom('', '\ufeff'), from: astral }),
    fc.record({ encoding: fc.constant('utf-16-le'), mark: fc.constant('\ufeff'), from: astral }),
    fc.record({ encoding: fc.constant('latin-1'), mark: fc.constant(''), from: pieces }),
  );
  fc.assert(
    fc.property(
      file,
      edits,
      fc.constantFrom<LineEndingRule>('keep', 'lf', 'crlf'),
      ({ encoding, mark, from }, planned, rule) => {
        const own = getCodec(encoding);
        const bytes = own.tryEncode(mark + from.join('')) ?? new Uint8Array();
        const read = decode(bytes, getCodec(encoding === 'latin-1' ? 'latin-1' : 'utf-8'));
        if (read.kind !== 'text') throw new Error(`The file is ${read.kind}`);
        const draft = new FileDraft('a.txt', { bytes, raw: read.text, codec: read.codec }, rule);
        const offsets = offsetsOf(from);
        const located = planned.map(({ start, end, text }) => ({
          ...{ start: within(start, from.length), end: within(end, from.length), text },
        }));
        const offsetOf = (piece: number) => mark.length + (offsets[piece] ?? 0);
        for (const { start, end, text } of located) draft.replace(offsetOf(start), offsetOf(end), text);
        const asOne = (ending: string) => ({
          pieces: from.map((piece) => (isBreak(piece) ? ending : piece)),
          edits: located.map((edit) => ({ ...edit, text: normalizeNewlines(edit.text).replaceAll('\n', ending) })),
        });
        expect(draft.edited()).toBe(mark + naiveEdit(asOne('\n').pieces, asOne('\n').edits));
        if (located.length === 0) return expect(draft.encode()).toBe(bytes);
        const ending = rule === 'keep' ? naiveDominant(from) : rule === 'lf' ? '\n' : '\r\n';
        const inFile = rule === 'keep' ? from : asOne(ending).pieces;
        const edited = naiveEdit(inFile, asOne(ending).edits);
        expect(Buffer.from(draft.encode())).toEqual(Buffer.from(own.tryEncode(mark + edited) ?? []));
      },
    ),
    runs,
  );
});

test('offsets in the text with `\\n` line breaks are mapped to offsets in the file', () => {
  fc.assert(
    fc.property(pieces, (from) => {
      const raw = from.join('');
      const ends = [0];
      for (const piece of from) ends.push((ends.at(-1) ?? 0) + piece.length);
      expect(rawOffsets(raw, offsetsOf(from))).toEqual(ends);
      expect<string>(dominantEnding(raw) ?? '\n').toBe(naiveDominant(from));
      expect(withEnding(raw, '\r\n')).toBe(from.map((piece) => (isBreak(piece) ? '\r\n' : piece)).join(''));
    }),
    runs,
  );
});
