/** Names of LSP's symbol kinds by number, as answers show them. */
const names = [
  'Unknown',
  'File',
  'Module',
  'Namespace',
  'Package',
  'Class',
  'Method',
  'Property',
  'Field',
  'Constructor',
  'Enum',
  'Interface',
  'Function',
  'Variable',
  'Constant',
  'String',
  'Number',
  'Boolean',
  'Array',
  'Object',
  'Key',
  'Null',
  'EnumMember',
  'Struct',
  'Event',
  'Operator',
  'TypeParameter',
] as const;

export const kinds = {
  file: 1,
  module: 2,
  namespace: 3,
  package: 4,
  class: 5,
  method: 6,
  property: 7,
  field: 8,
  constructor: 9,
  enum: 10,
  interface: 11,
  function: 12,
  variable: 13,
  constant: 14,
  struct: 23,
} as const;

const containerKinds: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 19, 23]);

/** Returns the name of a kind, or `Unknown` for a number that LSP does not define. */
export function kindName(kind: number): string {
  return names[kind] ?? names[0];
}

/** True if symbols of this kind contain others and can therefore be shown as the container of a position. */
export function isContainerKind(kind: number): boolean {
  return containerKinds.has(kind);
}

const spacedKinds: ReadonlySet<number> = new Set([
  kinds.class,
  kinds.method,
  kinds.interface,
  kinds.function,
  kinds.struct,
]);

/** True if definitions of this kind are usually separated by an empty line. */
export function isSpacedKind(kind: number): boolean {
  return spacedKinds.has(kind);
}

const memberKinds: ReadonlySet<number> = new Set([kinds.method, kinds.property, kinds.field]);

/** True if symbols of this kind are members of a type. */
export function isMemberKind(kind: number): boolean {
  return memberKinds.has(kind);
}

/** Filter for symbol kinds, by number. An empty `include` accepts all; `exclude` takes precedence. */
export interface KindFilter {
  readonly include: readonly number[];
  readonly exclude: readonly number[];
}

/** True if `filter` accepts `kind`. */
export function acceptsKind(filter: KindFilter, kind: number): boolean {
  return (filter.include.length === 0 || filter.include.includes(kind)) && !filter.exclude.includes(kind);
}
