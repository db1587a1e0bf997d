/** Returns a number with its noun, in the plural where there is not exactly one: `1 file`, `2 files`, `3 matches`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : noun + (/(?:ch|s|x)$/.test(noun) ? 'es' : 's')}`;
}
