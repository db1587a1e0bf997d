/** Entry of a symbol in an answer; its `children` are entries as well. */
export interface SymbolEntry {
  readonly [key: string]: unknown;
  readonly children?: readonly SymbolEntry[] | undefined;
}

interface GroupKeys {
  readonly own: readonly string[];
  readonly children: readonly string[];
}

/**
 * Returns `entries` grouped by the values of `keys.own`, outermost first, with groups and entries in first-seen order (see
 * docs/compatibility.md, Grouped symbol answers). The grouping keys are removed from the entries, and children are grouped
 * by `keys.children`. An entry with a single value left becomes that value; an entry with a value and children becomes
 * `{value: children}`.
 */
export function groupSymbols(entries: readonly SymbolEntry[], keys: GroupKeys): unknown {
  return group(entries, keys.own, keys.children);
}

function group(entries: readonly SymbolEntry[], keys: readonly string[], childKeys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return entries.map((entry) => collapse(withGroupedChildren(entry, childKeys)));
  const buckets = new Map<string, SymbolEntry[]>();
  for (const { [key]: value, ...entry } of entries) {
    const name = String(value ?? 'unknown');
    const bucket = buckets.get(name);
    if (bucket) bucket.push(entry);
    else buckets.set(name, [entry]);
  }
  return Object.fromEntries([...buckets].map(([name, bucket]) => [name, group(bucket, rest, childKeys)]));
}

function withGroupedChildren(entry: SymbolEntry, keys: readonly string[]): Record<string, unknown> {
  if (!entry.children) return { ...entry };
  return { ...entry, children: group(entry.children, keys, keys) };
}

function collapse(entry: Record<string, unknown>): unknown {
  const present = Object.entries(entry).filter(([, value]) => value !== undefined);
  const [first, second] = present;
  if (present.length === 1 && first) return first[1];
  if (present.length !== 2 || !first || !second) return Object.fromEntries(present);
  if (second[0] === 'children') return { [String(first[1])]: second[1] };
  return first[0] === 'children' ? { [String(second[1])]: first[1] } : Object.fromEntries(present);
}
