import { capitalized } from '../../base/capitalized.ts';
import { symbolKinds } from '../../languages/outline-rules.ts';
import type { SymbolNode } from './symbol.ts';

/** LSP's symbol kinds by name. */
export const kinds = symbolKinds;

/** Names of the kinds by number, as answers show them. */
const names: ReadonlyMap<number, string> = new Map(
  Object.entries(symbolKinds).map(([name, kind]) => [kind, capitalized(name)]),
);

const containerKinds: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 19, 23]);

/** Returns the name of a kind, or `Unknown` for a number that LSP does not define. */
export function kindName(kind: number): string {
  return names.get(kind) ?? 'Unknown';
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

const callableKinds: ReadonlySet<number> = new Set([kinds.function, kinds.method, kinds.constructor]);

/** True for functions, methods and constructors. */
export function isCallable({ kind }: { readonly kind: number }): boolean {
  return callableKinds.has(kind);
}

const typeKinds: ReadonlySet<number> = new Set([kinds.class, kinds.interface, kinds.struct, kinds.enum]);

/** True for classes, interfaces, structs and enumerations. */
export function isTypeKind(kind: number): boolean {
  return typeKinds.has(kind);
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

/** True for a symbol of a type, or of an object. */
export function isMember({ receiver, parent }: SymbolNode): boolean {
  return receiver !== undefined || (parent !== undefined && (isTypeKind(parent.kind) || parent.kind === kinds.object));
}
