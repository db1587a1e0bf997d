import { capitalized } from '../../base/capitalized.ts';
import { oneLine } from '../../base/visible-text.ts';
import type { Answer } from '../tool.ts';

/**
 * Returns the text that follows an answer: its sources besides language servers, its gaps, then its notes; `undefined`
 * if there are none.
 */
export function renderLabels({ sources = [], gaps, notes }: Answer): string | undefined {
  // The next step may be the hint of an error, which begins in lower case.
  const missing = gaps.map(({ missing: what, reason, next }) => oneLine(`- ${what}: ${reason}. ${capitalized(next)}.`));
  const parts = [
    ...sources.map((source) => oneLine(`Source: ${source}`)),
    ...(missing.length > 0 ? ['Incomplete:', ...missing] : []),
    ...(notes.length > 0 ? ['Note:', ...notes.map(listItem)] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** Returns a note as an item of a list. Its own further lines are indented; other line breaks belong to names. */
function listItem(note: string): string {
  return `- ${note}`.split('\n  ').map(oneLine).join('\n  ');
}
