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

/** Returns JSON text with every character that is not ASCII written as an escape (`spec/tools.md` §6.2). */
export function asciiJson(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
