import { kinds } from '../model/kinds.ts';
import type { SymbolNode } from '../model/symbol.ts';

const types: readonly number[] = [kinds.class, kinds.struct, kinds.interface];

/** Returns the type that declares a member; the names of an enumeration in a type are members of the type as well. */
export function declaringType({ parent }: Pick<SymbolNode, 'parent'>): SymbolNode | undefined {
  const around = parent?.kind === kinds.enum ? parent.parent : parent;
  return around !== undefined && types.includes(around.kind) ? around : undefined;
}

/** True if a type is a specialization of a template: `Traits<int>`, `Traits<Text<T>>`. */
export function isSpecialization({ name }: SymbolNode): boolean {
  return name.includes('<');
}

/**
 * True if two members have the same name in different declarations of a template, its primary one and specializations:
 * which of them `Traits<T>::name` means depends on `T`.
 */
export function isAlternativeMember(one: SymbolNode, other: SymbolNode): boolean {
  const [type, otherType] = [declaringType(one), declaringType(other)];
  if (type === undefined || otherType === undefined || one.name !== other.name) return false;
  return type.name !== otherType.name && templateOf(type) === templateOf(otherType);
}

function templateOf({ name }: SymbolNode): string {
  return name.replace(/\s*<.*$/s, '').replace(/^.*::/s, '');
}
