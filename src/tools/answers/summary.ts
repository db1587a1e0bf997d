import type { Tool } from '../tool.ts';

/** Returns the first sentence of a tool's description, on one line. */
export function summaryOf({ description }: Tool): string {
  const text = description.replace(/\s+/g, ' ').trim();
  return /^.*?[.](?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}
