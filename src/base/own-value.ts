/**
 * Returns the value of `key` in `record`, or `undefined`. For keys that come from outside: `constructor`, `toString` and
 * `__proto__` are in the prototype of every object, and mean nothing here.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
