/** Returns the numbers that a version begins with: `2023.2.14-eap` has 2023, 2 and 14. */
function numbersOf(version: string): number[] {
  return (/^\s*v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '').split('.').filter(Boolean).map(Number);
}

/** Returns whether `version` is `least` or later, by its numbers alone. A version without numbers is before any other. */
export function isAtLeast(version: string, least: string): boolean {
  const found = numbersOf(version);
  const wanted = numbersOf(least);
  for (const [index, number] of wanted.entries()) {
    const own = found[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}
