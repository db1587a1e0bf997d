import type { Span } from '../model/text-range.ts';

/** Returns the text of a part after all edits in it. */
export type Render = (part: Span) => string;

interface NestedEdit extends Span {
  readonly make: (render: Render) => string;
}

/**
 * Edits of one text that may be inside of one another, such as those of a call among the arguments of another call. Each
 * makes its text from the parts that it keeps.
 */
export class NestedEdits {
  readonly #text: string;
  readonly #edits: NestedEdit[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  add({ start, end }: Span, make: NestedEdit['make']): void {
    this.#edits.push({ start, end, make });
  }

  /** Returns the edits that are in no other one, with their new texts, without those that change nothing. */
  outermost(): (Span & { readonly text: string })[] {
    return this.#within({ start: 0, end: this.#text.length }, []).flatMap((edit) => {
      const text = this.#made(edit, []);
      const old = this.#text.slice(edit.start, edit.end);
      return text === old ? [] : [trimmed(edit, { old, text })];
    });
  }

  #made(edit: NestedEdit, around: readonly NestedEdit[]): string {
    const within = [...around, edit];
    return edit.make((part) => {
      let result = '';
      let reached = part.start;
      for (const inner of this.#within(part, within)) {
        result += this.#text.slice(reached, inner.start) + this.#made(inner, within);
        reached = inner.end;
      }
      return result + this.#text.slice(reached, part.end);
    });
  }

  /** Returns the edits in a part that are in no other one there, in the order of the text, besides those `around` it. */
  #within(part: Span, around: readonly NestedEdit[]): NestedEdit[] {
    const inside = this.#edits.filter(
      (edit) => part.start <= edit.start && edit.end <= part.end && !around.includes(edit),
    );
    const found: NestedEdit[] = [];
    for (const edit of inside.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      if (edit.start >= (found.at(-1)?.end ?? 0)) found.push(edit);
    }
    return found;
  }
}

/** Returns an edit without what stays at its start and end. */
function trimmed({ start, end }: Span, { old, text }: { old: string; text: string }): Span & { text: string } {
  const most = Math.min(old.length, text.length);
  let before = 0;
  while (before < most && old[before] === text[before]) before++;
  let after = 0;
  while (after < most - before && old.at(-1 - after) === text.at(-1 - after)) after++;
  return { start: start + before, end: end - after, text: text.slice(before, text.length - after) };
}
