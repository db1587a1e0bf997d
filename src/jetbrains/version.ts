/** Returns the leading numbers of a version: 2023, 2 and 14 for `2023.2.14-eap`. */
function numbersOf(version: string): number[] {
  return (/^\s*v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '').split('.').filter(Boolean).map(Number);
}

/** True if `version` is `minimum` or later by its leading numbers. A version without numbers is before any other. */
export function isAtLeast(version: string, minimum: string): boolean {
  const numbers = numbersOf(version);
  for (const [index, number] of numbersOf(minimum).entries()) {
    const own = numbers[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}
