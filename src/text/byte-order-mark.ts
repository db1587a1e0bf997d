/** Returns the length of the byte order mark that `text` begins with: 0 or 1. */
export function markLength(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}
