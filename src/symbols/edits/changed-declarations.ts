import { isExpected, messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { type ChangedText, type ReplacedLines, replacedLines } from '../../text/diff.ts';
import { isCallable, isTypeKind, kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { textSearch } from '../model/text-search.ts';
import { TreeProvider } from '../model/tree-provider.ts';

/** Consecutive lines, 0-based, including `last`. */
interface Lines {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the names of declarations that a change may break for their users: those whose head changes (the line of the
 * name, and the lines of a parameter list behind it) and types that get or lose members. What a function contains is not
 * used elsewhere, and attributes that it assigns are left out. `lines` are those of the text before the change.
 */
export function changedDeclarations(
  nodes: readonly SymbolNode[],
  lines: readonly string[],
  changes: readonly ReplacedLines[],
): string[] {
  return nodes.flatMap((node) => {
    const body = { first: node.range.start.line, last: node.range.end.line };
    const within = changes.filter((change) => isIn(change, body));
    if (within.length === 0 || nodes.some((other) => isCallable(other) && isBelow(other, node))) return [];
    const head = headOf(node, lines);
    const hasNewMembers = () => isTypeKind(node.kind) && within.some((change) => !isInMember(node, change));
    const name = usedName(node);
    const isChanged = isName(name) && (within.some((change) => isIn(change, head)) || hasNewMembers());
    const members = isCallable(node) ? [] : changedDeclarations(node.children, lines, within);
    return isChanged ? [name, ...members] : members;
  });
}

/** True if `node` begins on a line of `other` after its first. */
function isBelow({ range: { start, end } }: SymbolNode, node: SymbolNode): boolean {
  const { line } = node.range.start;
  return line > start.line && line <= end.line;
}

/** Returns the name by which other files use a declaration: of a constructor, that of its class. */
function usedName({ name, kind, parent }: SymbolNode): string {
  const isConstructor = kind === kinds.constructor || name === '__init__' || name === '__new__';
  return isConstructor && parent !== undefined ? parent.name : name;
}

function isName(name: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name);
}

/** True if a change replaces one of the lines, or inserts between them. */
function isIn({ start, end }: ReplacedLines, { first, last }: Lines): boolean {
  return start === end ? start > first && start <= last : start <= last && end > first;
}

function isInMember({ children }: SymbolNode, change: ReplacedLines): boolean {
  return children.some(({ range: { start, end } }) => isIn(change, { first: start.line, last: end.line }));
}

/** Returns the lines from a declaration's name to the end of the parameter list that follows it on the same line. */
function headOf({ selectionRange: { start }, range }: SymbolNode, lines: readonly string[]): Lines {
  const nameLine = { first: start.line, last: start.line };
  const text = lines
    .slice(start.line, range.end.line + 1)
    .join('\n')
    .slice(start.character);
  if (!/^[^\n({:]*\(/.test(text)) return nameLine;
  let depth = 0;
  let line = start.line;
  for (const char of text) {
    if (char === '\n') line++;
    if (char === '(') depth++;
    if (char === ')' && --depth === 0) return { first: start.line, last: line };
  }
  return nameLine;
}

/** Files that may use what an edit changes. */
export interface UsersOfChanges {
  /** Project-relative paths with `/`. */
  readonly files: readonly string[];
  /** True if there are more such files. */
  readonly isPartial: boolean;
}

/** Declarations whose uses are searched until there are too many files with such uses. */
const limits = { names: 50, files: 8 };

/**
 * Returns the names of declarations that changes may break for their users (see {@link changedDeclarations}). The changed
 * files must not have the changes yet.
 *
 * @throws {ExpectedError} `file.*`; `server.*` if a changed file's symbols are unknown.
 */
export async function changedNames(scope: SymbolScope, changes: readonly ChangedText[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { path, before, after } of changes) {
    if (before === undefined) continue;
    const replaced = replacedLines(before, after ?? '');
    const tree = await treeFor(scope, path);
    for (const name of changedDeclarations(tree, before.split('\n'), replaced)) names.add(name);
  }
  return names;
}

/** Returns a file's syntax tree, which takes less time than the server's symbols; those of the server if there is none. */
async function treeFor(scope: SymbolScope, path: string): Promise<readonly SymbolNode[]> {
  try {
    return await new TreeProvider(scope, { source: 'syntax' }).treeOf(path);
  } catch (error) {
    if (isExpected(error)) throw error;
    log('symbols').warn(`cannot parse \`${path}\`: ${messageOf(error)}`);
    return await scope.files.treeOf(path, scope.call);
  }
}

/** Returns the files of one language server that contain one of `names`, without the `changed` ones: all or a few of them. */
export async function filesWithNames(
  scope: SymbolScope,
  active: ActiveServer,
  { names, changed, isComplete }: { names: ReadonlySet<string>; changed: readonly string[]; isComplete: boolean },
): Promise<UsersOfChanges> {
  const { project, sources } = scope.files;
  const most = isComplete ? { names: names.size, files: Number.POSITIVE_INFINITY } : limits;
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const own = new Set(changed);
  const found = new Set<string>();
  for (const name of [...names].slice(0, most.names)) {
    if (found.size > most.files) break;
    const inCode = isComplete ? (await textSearch(scope, { active, name })?.())?.files : undefined;
    const users = inCode ?? (await project.scanner.filesContaining({ ...walk, literal: name }, scope.call.signal));
    for (const { path } of users) if (!own.has(path) && sources.serverOf(path) === active) found.add(path);
  }
  const isPartial = names.size > most.names || found.size > most.files;
  return { files: [...found].slice(0, most.files), isPartial };
}
