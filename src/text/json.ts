/**
 * Returns `value` as one line of JSON with `", "` and `": "` as separators and non-ASCII characters unescaped: the
 * format of the reference's answers, whose length is limited (see docs/compatibility.md, JSON in answers). Keys whose
 * value is `undefined` are omitted.
 */
export function toJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}: ${toJson(entry)}`).join(', ')}}`;
}

/** Returns JSON text with all non-ASCII characters escaped. */
export function asciiJson(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
