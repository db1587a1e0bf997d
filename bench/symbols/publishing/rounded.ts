/** Returns a number with at most four digits behind the point, so that stored figures stay short. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
