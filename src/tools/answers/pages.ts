import { createHash } from 'node:crypto';
import { ExpectedError } from '../../base/errors.ts';
import { countCharacters } from '../../text/characters.ts';
import { splitLines } from '../../text/lines.ts';
import { countEntries, sliceEntries } from './entries.ts';
import { Rendered, textOf } from './rendered.ts';

/** A page of an answer. `next` is the number of the first entry after it. */
interface Page {
  readonly text: string;
  readonly next: number;
}

/** A place in an answer at which its next page begins; see {@link Pages.cursorAt}. */
interface Cursor {
  readonly entry: number;
  readonly fingerprint: string;
}

/** An answer in pages: parts of its value that fit into a limit, in the same form. A string's entries are its lines. */
export class Pages {
  readonly count: number;
  readonly #value: unknown;
  readonly #render: (value: unknown) => string;
  readonly #fingerprint: string;

  constructor(whole: unknown) {
    const { value, render } = asRendered(whole);
    this.#value = value;
    this.#render = render;
    this.count = countEntries(value);
    this.#fingerprint = createHash('sha256').update(render(value)).digest('hex').slice(0, 8);
  }

  /** Returns the longest page of at most `maxChars` characters from an entry on; `undefined` if the entry is longer. */
  startingAt(entry: number, maxChars: number): Page | undefined {
    const render = (next: number) => this.#render(sliceEntries(this.#value, entry, next));
    const fits = (next: number) => countCharacters(render(next)) <= maxChars;
    let next = entry;
    let tooFar = this.count + 1;
    while (tooFar - next > 1) {
      const middle = (next + tooFar) >> 1;
      if (fits(middle)) next = middle;
      else tooFar = middle;
    }
    return next === entry ? undefined : { text: render(next), next };
  }

  /** Returns the cursor of a page. It needs no session: it contains the position, and a fingerprint of the answer. */
  cursorAt(entry: number): string {
    return `${entry}-${this.#fingerprint}`;
  }

  /** True if a cursor was issued for the same answer. */
  isSame({ fingerprint }: Cursor): boolean {
    return fingerprint === this.#fingerprint;
  }

  /** Returns the sentence about the entries that a page shows, and how to get the next one. */
  describe(from: number, next: number): string {
    const shown =
      next === from ? `No entry of ${this.count} is` : `Entries ${from + 1} to ${next} of ${this.count} are`;
    if (next === this.count) return `${shown} shown, the last ones`;
    return `${shown} shown; for the next ones repeat the call with \`cursor\` "${this.cursorAt(next)}"`;
  }
}

/**
 * Returns the parts of a cursor.
 *
 * @throws {ExpectedError} `tool.invalid-input` for a text that is not a cursor.
 */
export function readCursor(text: string): Cursor {
  const [, entry, fingerprint] = /^(\d{1,15})-([0-9a-f]{8})$/.exec(text) ?? [];
  if (entry !== undefined && fingerprint !== undefined) return { entry: Number(entry), fingerprint };
  throw new ExpectedError('tool.invalid-input', `\`cursor\` is not valid: \`${text}\``, {
    hints: ['pass the cursor of the page before, or leave it out to start again'],
  });
}

function asRendered(whole: unknown): { value: unknown; render: (value: unknown) => string } {
  if (whole instanceof Rendered) return whole;
  if (typeof whole !== 'string') return { value: whole, render: textOf };
  return { value: splitLines(whole), render: (lines) => (Array.isArray(lines) ? lines.join('\n') : '') };
}
