import type { ListPart } from '../../syntax/signatures.ts';
import type { Span } from '../model/text-range.ts';

export interface ListItem {
  /** Index of the present item that it replaces, whose comments and line break it keeps; absent for a new one. */
  readonly origin?: number | undefined;
  readonly text: string;
}

/** An item of the present list with what is around it. */
interface Slot {
  /** Whitespace before the item and its comments. */
  readonly space: string;
  /** Comments on lines of their own, and the whitespace up to the item. */
  readonly above: string;
  /** What is between the item and its comma. */
  readonly beforeComma: string;
  /** Comments behind it on the same line. */
  readonly behind: string;
}

interface Layout {
  /** A comment on the line of the opening bracket. */
  readonly opening: string;
  readonly slots: readonly Slot[];
  readonly endsWithComma: boolean;
  /** What is between the last item and the closing bracket. */
  readonly closing: string;
}

/**
 * Returns the text of a list of parameters or arguments with other items, in its layout: comments stay with their items,
 * line breaks and a comma at the end as they are.
 */
export function listWith(
  text: string,
  list: ListPart,
  parts: { old: readonly Span[]; items: readonly ListItem[] },
): string {
  const { old, items } = parts;
  const layout = layoutOf(text, list, old);
  const inside = rendered(layout, items, indentAt(text, list.start));
  return list.hasBrackets ? inside : `(${inside.trim()})`;
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function layoutOf(text: string, list: ListPart, old: readonly Span[]): Layout {
  const opening = old.length === 0 ? '' : sameLineComments(text, list, list.start);
  let from = list.start + opening.length;
  const slots: Slot[] = [];
  let endsWithComma = false;
  for (const [index, item] of old.entries()) {
    const next = old[index + 1]?.start ?? list.end;
    const lead = text.slice(from, item.start);
    const space = /^\s*/.exec(lead)?.[0] ?? '';
    const comma = list.commas.find((at) => item.end <= at && at < next);
    const beforeComma = comma === undefined ? '' : text.slice(item.end, comma);
    from = comma === undefined ? item.end : comma + 1;
    const behind = sameLineComments(text, list, from);
    from += behind.length;
    slots.push({ space, above: lead.slice(space.length), beforeComma, behind });
    endsWithComma = comma !== undefined;
  }
  return { opening, slots, endsWithComma, closing: text.slice(from, list.end) };
}

/** Returns the comments behind an offset before the next line break, with the spaces before them. */
function sameLineComments(text: string, { comments, end: limit }: ListPart, from: number): string {
  let end = from;
  for (const comment of comments) {
    if (comment.start < end || comment.end > limit || !/^[ \t]*$/.test(text.slice(end, comment.start))) continue;
    const rest = text.slice(comment.end, limit);
    // A comment before an item on the same line belongs to that.
    if (!/^[ \t]*(?:\n|$)/.test(rest) && !/^[ \t]*(?:\/\*|#|\/\/)/.test(rest)) break;
    end = comment.end;
  }
  return text.slice(from, end);
}

function rendered(
  { opening, slots, endsWithComma, closing }: Layout,
  items: readonly ListItem[],
  indent: string,
): string {
  if (items.length === 0)
    return `${opening}${slots.length > 0 && closing.trim() === '' && opening === '' ? '' : closing}`;
  const origins = items.flatMap(({ origin }) => origin ?? []);
  const isInOrder = origins.every((origin, index) => index === 0 || (origins[index - 1] ?? -1) < origin);
  const broken = slots.map(({ space }) => space).find((space) => space.includes('\n')) ?? `\n${indent}    `;
  const usual = usualSpace(slots);
  let result = opening;
  let isInComment = endsInComment(opening);
  for (const [index, { origin, text }] of items.entries()) {
    const own = origin === undefined ? undefined : slots[origin];
    const inOrder = origin === 0 && index > 0 ? usual : (own?.space ?? usual);
    const space = index === 0 ? (slots[0]?.space ?? '') : isInOrder ? inOrder : (slots[index]?.space ?? usual);
    const hasComma = index < items.length - 1 || endsWithComma;
    const content = `${own?.above ?? ''}${text}${own?.beforeComma ?? ''}${hasComma ? ',' : ''}${own?.behind ?? ''}`;
    result += `${isInComment && !space.includes('\n') ? broken : space}${content}`;
    isInComment = endsInComment(own?.behind ?? '');
  }
  return `${result}${isInComment && !closing.includes('\n') ? `\n${indent}` : ''}${closing}`;
}

/** Returns the space before an item that is new: a line break if each item has its own line. */
function usualSpace(slots: readonly Slot[]): string {
  const [first, ...others] = slots;
  const last = others.at(-1)?.space ?? first?.space ?? '';
  const isBroken = slots.length > 0 && (others.length > 0 ? others : slots).every(({ space }) => space.includes('\n'));
  return isBroken ? last : ' ';
}

/** True if comments end with one that reaches to the end of its line. */
function endsInComment(comments: string): boolean {
  return /^\s*(?:\/\*[\s\S]*?\*\/\s*)*(?:#|\/\/)/.test(comments);
}
