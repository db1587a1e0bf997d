/**
 * Returns the value of `key` in `record`, or `undefined`. For keys that come from outside: `constructor`, `toString` and
 * `__proto__` are in the prototype of every object, and mean nothing here.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** True if `value` is an object with keys, and no list: a map of YAML, an object of JSON. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
