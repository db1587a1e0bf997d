import { posix } from 'node:path';
import type { ProposedRename, UncertainOccurrences } from '../../symbols/adapter.ts';
import { hasOneMeaning } from '../../symbols/edits/has-one-meaning.ts';
import { isMemberKind, kinds } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { preOrder, type SymbolNode } from '../../symbols/model/symbol.ts';
import type { Occurrence } from '../../symbols/occurrences/occurrence.ts';
import { offsetAt } from '../../text/position.ts';

/** Qualifiers of names in the same package. */
const ownPackage: readonly string[] = ['crate', '$crate', 'self', 'super'];

const none: UncertainOccurrences = { certain: [], doubtful: [] };

/**
 * rust-analyzer resolves nothing in bodies of macros and in code behind conditions:
 *
 * ```rust
 * fn open() {}
 * #[cfg(windows)] fn read() { open() }   // keeps the name `open` when the function is renamed on Unix
 * ```
 *
 * Returns the occurrences of a name that it does not analyze and that may mean the target of a rename. What is written before an occurrence must lead to the target's file, type or package, or be a value of its type, and everywhere
 * else in the project's code the name must mean the target; otherwise the occurrence of a member is doubtful.
 */
export async function unanalyzedOccurrences(
  scope: SymbolScope,
  renaming: ProposedRename,
): Promise<UncertainOccurrences> {
  const { references, target } = renaming;
  if (references?.text === undefined) return none;
  const { unchecked, unread } = references;
  const unresolved: readonly Occurrence[] = references.unresolved;
  if (unresolved.length === 0) return none;
  const owners = ownersOf(target);
  const isMember = isMemberKind(target.kind);
  const values = isMember ? await valuesOf(scope, target) : new Set<string>();
  const own = unresolved.filter((one) => {
    if (one.qualifier === '') return !isMember;
    if (one.qualifier.endsWith('::')) return owners.has(one.qualifier.slice(0, -2));
    return values.has(receiverOf(scope, one));
  });
  const isKnown = unchecked.length === 0 && unread.length === 0;
  const certain = isKnown && hasOneMeaning(scope, renaming, references) ? own : [];
  const mayBeMember = (one: Occurrence) => own.includes(one) || /(?:\.|[$>)\]][^.:]*::)$/.test(one.qualifier);
  return { certain, doubtful: unresolved.filter((one) => isMember && mayBeMember(one) && !certain.includes(one)) };
}

/** Returns the expressions that are values of the target's type wherever they stand: `Type::Variant`. */
async function valuesOf(scope: SymbolScope, target: SymbolNode): Promise<ReadonlySet<string>> {
  const type = containerOf(target);
  const tree = await scope.files.treeOf(target.file, scope.call);
  const variants = preOrder(tree).filter(({ parent }) => parent?.kind === kinds.enum && parent.name === type);
  return new Set(variants.map(({ name }) => `${type}::${name}`));
}

/** Returns the path before the `.` of an occurrence, `a::b`, or nothing if another expression is there. */
function receiverOf(scope: SymbolScope, { file, range }: Occurrence): string {
  const { text, starts } = scope.files.textOf(file);
  const before = text.slice(0, offsetAt(text, starts, range.start) ?? 0);
  return (
    /(?<![\p{L}\p{N}_:.$>)])(?:\$?[\p{L}\p{N}_]+::)*?([\p{L}\p{N}_]+::[\p{L}\p{N}_]+)\s*\.\s*$/u.exec(before)?.[1] ?? ''
  );
}

/** Returns the names through which code reaches the target: its package, file, directory and containing symbol. */
function ownersOf({ file, parent, kind }: SymbolNode): ReadonlySet<string> {
  const { name: stem, dir } = posix.parse(file);
  const container = containerOf({ parent });
  const inside = container === undefined ? [] : [container, 'Self'];
  return new Set(isMemberKind(kind) ? inside : [...ownPackage, stem, posix.basename(dir), ...inside]);
}

/** Returns the name of the type that a symbol is in: `impl<T> Trait for Type<T>` is for the last name before arguments. */
function containerOf({ parent }: Pick<SymbolNode, 'parent'>): string | undefined {
  return parent === undefined ? undefined : /([\p{L}\p{N}_]+)(?:<.*>)?$/u.exec(parent.name)?.[1];
}
