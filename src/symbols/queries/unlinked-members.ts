import { isExpected } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { requestRename, type WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { Place } from '../../text/place.ts';
import { filesWithParent, namingStrings, stringSteps, tryRename } from '../edits/checked-rename.ts';
import { linesNote } from '../edits/left-over.ts';
import { otherMembers, type RequiredMembers, requiredMembers, textsAfter } from '../edits/required-members.ts';
import { isMemberKind, isTypeKind } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import type { Ledger } from '../occurrences/ledger.ts';
import { unlessRefused } from './requests.ts';

interface Question {
  readonly active: ActiveServer;
  readonly target: SymbolNode;
  readonly name: string;
  readonly ledger: Ledger;
}

/** The files of a trial: it must not take longer than the answer. */
const maxFiles = 20;
/** Time for one trial, and time after which none begins. */
const patienceMs = 5_000;
const trialsMs = 5_000;

/**
 * Adds a gap for members that the compiler requires to have the name of a type's member although no declaration links
 * their types: those of objects and classes that are used as the type because they have its members. Does not check
 * names that are members in many files.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function reportUnlinkedMembers(scope: SymbolScope, question: Question): Promise<void> {
  const { active, target, ledger } = question;
  if (active.spec.adapter?.editChecks?.hasStructuralTypes !== true || !isPublicMember(scope, target)) return;
  const members = await otherMembers(scope, { active, others: ledger.others });
  if (members.length === 0) return;
  const { files, call } = scope;
  const key = `unlinked ${nameKey(target)}`;
  const resolved = await files.ask(active, call, async (server) => files.stateOf(server).resolved);
  const [reason] = resolved.get(key) ?? (await reasonOf(scope, question, members)) ?? [];
  resolved.set(key, reason === undefined ? [] : [reason]);
  if (reason === undefined) return;
  const next = 'Read these lines, and call `find_referencing_symbols` for each of these members';
  scope.gaps.push({ missing: 'References may be missing', reason, next });
}

/** True for members of interfaces, type aliases and classes that other types may have to have too. */
function isPublicMember({ files }: SymbolScope, { file, kind, name, parent, selectionRange }: SymbolNode): boolean {
  if (!isMemberKind(kind) || parent === undefined || name.startsWith('#')) return false;
  const lines = files.textOf(file);
  const before = ({ start }: SymbolNode['range']) => {
    const end = spanOf(lines, { start, end: start })?.start ?? 0;
    return lines.text.slice(lines.starts[start.line], end);
  };
  if (/\bprivate\b[^;{}]*$/u.test(before(selectionRange))) return false;
  return isTypeKind(parent.kind) || /\btype\s+$/u.test(before(parent.selectionRange));
}

/** Returns a reason for a gap, as a list of one; an empty list if there is none. */
async function reasonOf(scope: SymbolScope, question: Question, members: readonly Place[]): Promise<string[]> {
  try {
    const required = await unlinkedMembers(scope, question, members);
    if (required === undefined || required.members.length === 0) return [];
    const lines = linesNote(required.members.map(({ file, range }) => ({ file, line: range.start.line })));
    const what = required.areDoubtful ? 'some of these members' : 'members';
    return [`${what} of types without a declared link to \`${question.name}\` must have the same name: ${lines}`];
  } catch (error) {
    scope.call.signal.throwIfAborted();
    if (!isExpected(error)) throw error;
    log('symbols').debug(`the rename of \`${question.name}\` is not tried: ${error.message}`);
    return [];
  }
}

async function unlinkedMembers(
  scope: SymbolScope,
  { active, target, name, ledger }: Question,
  members: readonly Place[],
): Promise<RequiredMembers | undefined> {
  const newName = `${name}$trial`;
  const steps = await renameSteps(scope, { active, target, newName, missed: ledger.missed });
  if (steps === undefined) return undefined;
  const touched = steps.map((step) => resolveInProject(scope.files.project, step.file));
  const needed = new Set([...touched, ...members.map(({ file }) => file)]);
  if (needed.size > maxFiles) return undefined;
  const users = await filesWithParent(scope, { active, symbol: target });
  const files = [...new Set([...needed, ...users])].slice(0, maxFiles);
  const strings = (await namingStrings(scope, { active, name, steps })).filter(({ file }) => files.includes(file));
  const limits = { patienceMs, deadline: performance.now() + trialsMs };
  const tried = { active, name, newName, files, texts: textsAfter(scope, steps), ...limits };
  const { chosen, errors } = await tryRename(scope, tried, strings);
  if (errors.length === 0) return undefined;
  const all = [...steps, ...stringSteps(chosen, newName)];
  return requiredMembers(scope, { active, newName, steps: all, errors, others: ledger.others, ...limits });
}

/** Returns the steps that rename a symbol and the references that the server missed; `undefined` if there are none. */
async function renameSteps(
  { files, call }: SymbolScope,
  {
    active,
    target,
    newName,
    missed,
  }: Pick<Question, 'active' | 'target'> & Pick<Ledger, 'missed'> & { newName: string },
): Promise<WorkspaceStep[] | undefined> {
  const rename = active.spec.quirks?.rename ?? requestRename;
  const proposed = await files.ask(active, call, async (server) => {
    await files.show(server, target.file, call);
    return unlessRefused(() => rename(server, { ...namePlace(target), newName }, files.limits(call)));
  });
  if (proposed === undefined || proposed.some((step) => step.do !== 'edit')) return undefined;
  const ofMissed = missed.map(({ file, range }): WorkspaceStep => {
    return { do: 'edit', file, edits: [{ range, newText: newName }] };
  });
  return [...proposed, ...ofMissed];
}
