import { isExpected } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { type Place, placeKey, placeOf } from '../../text/place.ts';
import { filesWithParent, namingStrings, tryRename } from '../edits/checked-rename.ts';
import { comparedPlaces } from '../edits/compared-members.ts';
import { stepsAt } from '../edits/reference-steps.ts';
import { memberSteps, otherMembers, type RequiredMembers, requiredMembers } from '../edits/required-members.ts';
import { textsAfter } from '../edits/texts-after.ts';
import { isMemberKind, isTypeKind } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { nameKey, namePlace, type SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { entriesAt, type Ledger } from '../occurrences/ledger.ts';
import { implementedOverrides } from './overrides-by-interfaces.ts';

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

/** The judge of members that must have the name of the symbol. */
export const structureJudge = 'structure';
const reason = 'its type is used as that of the symbol, so that both must have the same name';
const doubt = 'its type may be used as that of the symbol, so that both must have the same name';

/**
 * Returns the ledger with the members that must have the name of a type's member although no declaration links their types:
 * those of objects and classes that are used as the type because they have its members. The server knows them where types
 * implement interfaces without naming them. Elsewhere a trial of the rename shows them; those that it left undecided are
 * open, and names that are members in many files are not tried.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function withUnlinkedMembers(scope: SymbolScope, question: Question): Promise<Ledger> {
  const { active, target, name, ledger } = question;
  if (active.spec.quirks?.hasImplicitInterfaces === true) return await withImplementing(scope, question);
  if (!isPublicMember(scope, target)) return ledger;
  const members = await otherMembers(scope, { active, symbol: target, name, others: ledger.others });
  if (members.length === 0) return ledger;
  const { files, call } = scope;
  const key = `unlinked ${nameKey(target)}`;
  const resolved = await files.ask(active, call, async (server) => files.stateOf(server).resolved);
  const known = resolved.get(key) ?? (await requiredKeys(scope, question, members));
  resolved.set(key, known);
  const [certainty, ...keys] = known;
  const isDoubtful = certainty === doubt;
  const ruling = {
    verdict: isDoubtful ? 'open' : 'own',
    reason: isDoubtful ? doubt : reason,
    judge: structureJudge,
  } as const;
  return ledger.with(
    entriesAt(
      members.filter((one) => keys.includes(placeKey(one))),
      ruling,
    ),
  );
}

async function withImplementing(scope: SymbolScope, { active, target, ledger }: Question): Promise<Ledger> {
  const { files, call } = scope;
  const key = `implementing ${nameKey(target)}`;
  const resolved = await files.ask(active, call, async (server) => files.stateOf(server).resolved);
  // More steps would list the methods of all types with one interface as references of each.
  const ask = async () => (await implementedOverrides(scope, active, { target, isDirect: true }))?.members.map(nameKey);
  const known = resolved.get(key) ?? (await ask()) ?? [];
  resolved.set(key, known);
  const own = new Set(ledger.own.map(placeKey));
  // Also in files that cannot refer to the symbol, whose occurrences the ledger does not have.
  const members = known.flatMap((key) => (own.has(key) ? [] : (placeOf(key, target.name.length) ?? [])));
  return ledger.with(entriesAt(members, { verdict: 'own', reason, judge: structureJudge }));
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

/** Returns why members must have the name, with the keys of their places; an empty list if there are none. */
async function requiredKeys(scope: SymbolScope, question: Question, members: readonly Place[]): Promise<string[]> {
  try {
    const required = await unlinkedMembers(scope, question, members);
    if (required === undefined || required.members.length === 0) return [];
    return [required.areDoubtful ? doubt : reason, ...required.members.map(placeKey)];
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
  const newName = `${name}_trial`;
  const itself = { ...namePlace(target), qualifier: '', isShorthand: false };
  const proposed = await memberSteps(scope, itself, { active, newName });
  if (proposed.length === 0) return undefined;
  const steps = [...proposed, ...stepsAt(ledger.missed, newName)];
  const touched = steps.map((step) => resolveInProject(scope.files.project, step.file));
  const needed = new Set([...touched, ...members.map(({ file }) => file)]);
  if (needed.size > maxFiles) return undefined;
  const users = await filesWithParent(scope, { active, symbol: target });
  const files = [...new Set([...needed, ...users])].slice(0, maxFiles);
  const strings = (await namingStrings(scope, { active, name, steps })).filter(({ file }) => files.includes(file));
  const limits = { patienceMs, deadline: performance.now() + trialsMs };
  const tried = { active, name, newName, files, texts: textsAfter(scope, steps), ...limits };
  const { chosen, errors: reported } = await tryRename(scope, tried, strings);
  const all = [...steps, ...stepsAt(chosen, newName)];
  const compared = await comparedPlaces(scope, { active, name, steps: all, files, patienceMs });
  const errors = [...reported, ...compared];
  if (errors.length === 0) return undefined;
  const broken = { active, symbol: target, name, newName, steps: all, errors, others: ledger.others };
  return requiredMembers(scope, { ...broken, ...limits });
}
