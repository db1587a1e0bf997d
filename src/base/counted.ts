/** Returns a number with its noun: `1 file`, `2 files`. `plural` is for nouns that take more than an `s`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
