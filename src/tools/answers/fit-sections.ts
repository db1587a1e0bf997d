import { counted } from '../../base/counted.ts';

/** A part of an answer: a title and its lines, of which the first ones are the most useful. */
export interface Section {
  /** Empty for a section without a title; omitted if it has no lines either. */
  readonly title: string;
  readonly lines: readonly string[];
  /** True if only all of the lines are useful. */
  readonly isWhole?: boolean;
  /** How to get the lines that are left out. */
  readonly rest?: string;
}

/** Lines that each section shows before an earlier one shows more. */
const sharedLines = 5;
/** Part of the answer that one whole section may take. */
const wholeShare = 0.5;

/**
 * Returns sections as one text of at most `maxChars` characters, titles always: at first a few lines of each section, in
 * their order, then the others while they fit. What is left out is counted, with how to get it.
 */
export function fitSections(sections: readonly Section[], maxChars: number): string {
  const present = sections.filter(({ title }) => title !== '').map((section) => ({ ...section, shown: 0 }));
  let left = maxChars;
  for (const { title, rest = '', lines } of present)
    left -= title.length + 1 + (lines.length > 0 ? rest.length + 20 : 0);
  for (const share of [sharedLines, Number.POSITIVE_INFINITY]) {
    for (const section of present) {
      const wanted = section.isWhole ? section.lines.length : Math.min(share, section.lines.length);
      const added = section.lines.slice(section.shown, wanted);
      if (section.isWhole && sizeOf(added) > Math.min(left, maxChars * wholeShare)) continue;
      for (const line of added) {
        if (line.length + 1 > left) break;
        left -= line.length + 1;
        section.shown++;
      }
    }
  }
  return present.flatMap((section) => rendered(section)).join('\n');
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function rendered({ title, lines, rest = '', shown }: Section & { readonly shown: number }): string[] {
  const missing = lines.slice(shown);
  const note = `… ${counted(missing.length, 'more line')}: ${rest}`;
  // The space for the note is reserved.
  return [title, ...lines.slice(0, shown), ...(sizeOf(missing) <= note.length + 1 ? missing : [note])];
}
