/** Returns a number with its noun: `1 file`, `2 files`. `plural` is for irregular nouns. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
