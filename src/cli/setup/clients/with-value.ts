/** True if `value` is a map of keys to values. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value under the keys of `path`, or `undefined` if there is none. */
export function valueAt(content: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (isMap(value) ? value[key] : undefined), content);
}

/**
 * Returns a copy of `content` with `value` under the keys of `path`, or without the key if `value` is `undefined`. Values
 * on the path that are not maps are replaced.
 */
export function withValue(content: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const { [key]: inner, ...others } = isMap(content) ? content : {};
  const next = withValue(inner, rest, value);
  return next === undefined ? others : { ...others, [key]: next };
}

/** Returns a copy of `content` without the maps on the way to `path` that are empty. */
export function withoutEmptyMaps(content: unknown, path: readonly string[]): unknown {
  return path.reduceRight((inner, _key, depth) => {
    const around = path.slice(0, depth);
    const value = valueAt(inner, around);
    return depth > 0 && isMap(value) && Object.keys(value).length === 0 ? withValue(inner, around, undefined) : inner;
  }, content);
}
