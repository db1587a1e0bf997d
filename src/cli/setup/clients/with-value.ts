/** True if `value` is a map of keys to values. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a copy of `content` with `value` under the keys of `path`; values on the path that are not maps are replaced. */
export function withValue(content: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const map = isMap(content) ? content : {};
  return { ...map, [key]: withValue(map[key], rest, value) };
}

/** Returns a copy of `content` without the value under the keys of `path`. */
export function withoutValue(content: unknown, path: readonly string[]): unknown {
  const [key = '', ...rest] = path;
  if (!isMap(content) || !(key in content)) return content;
  if (rest.length > 0) return { ...content, [key]: withoutValue(content[key], rest) };
  return Object.fromEntries(Object.entries(content).filter(([name]) => name !== key));
}
