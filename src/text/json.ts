/**
 * Returns `value` as one line of JSON with `", "` and `": "` between its parts, non-ASCII as it is: the form of the
 * reference's answers, whose lengths clients count (`spec/tools.md` §6.2). Keys without a value are left out.
 */
export function toJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}: ${toJson(entry)}`).join(', ')}}`;
}
