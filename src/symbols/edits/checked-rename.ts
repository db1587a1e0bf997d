import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { Edits } from '../../edits/edits.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { Place } from '../../text/place.ts';
import { isMemberKind, isTypeKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import type { Occurrence } from '../queries/resolve-occurrences.ts';
import type { TrialError } from './edit-trial.ts';
import { linesNote } from './left-over.ts';
import { type NamingString, namingStrings } from './naming-strings.ts';
import { RenameTrial, stringSteps } from './rename-trial.ts';
import { type RequiredMembers, requiredMembers } from './required-members.ts';
import { planServerEdit } from './workspace-edit.ts';

/** A rename whose steps are planned. */
export interface PlannedRename {
  readonly active: ActiveServer;
  readonly symbol: SymbolNode;
  readonly name: string;
  readonly newName: string;
  readonly steps: readonly WorkspaceStep[];
  /** Occurrences of the old name in code; `undefined` if it was not searched. */
  readonly text: IdentifierResult | undefined;
  /** Occurrences of the old name that are something else. */
  readonly elsewhere: readonly Occurrence[];
  /** True if errors are no reason to refuse. */
  readonly mayBreak: boolean;
}

/** More files would take longer than the rename. */
const maxFiles = 200;
const maxShown = 5;

/**
 * Checks a rename before it is written, if the old name remains where the server's references do not lead: in a string,
 * or in a member that must have the same name as the target. In languages without such members, checks the rename of any
 * member. Plans to rename the strings that the compiler then requires to have the new name. Returns notes about them, and
 * about files that could not be checked.
 *
 * @throws {ExpectedError} `edit.refused` if errors would remain; `server.*`.
 */
export async function checkRename(scope: SymbolScope, edits: Edits, plan: PlannedRename): Promise<string[]> {
  const { active, steps, name, newName } = plan;
  const checks = active.spec.quirks?.editChecks;
  if (checks === undefined || steps.some((step) => step.do !== 'edit')) return [];
  const isStructural = checks.hasStructuralTypes === true;
  const strings = isStructural ? await namingStrings(scope, plan) : [];
  const touched = steps.map(({ file }) => resolveInProject(scope.files.project, file));
  const others = isStructural ? filesWithOthers(scope, plan) : [];
  const isChecked = checks.checksRenamedMembers === true && isMember(plan.symbol);
  if (strings.length === 0 && others.length === 0 && !isChecked) return [];
  const needed = [...touched, ...strings.map(({ file }) => file), ...others];
  // Last those that may use the type without the member's name; they do not count as unchecked.
  const users = others.length > 0 ? await filesWithParent(scope, plan) : [];
  const files = [...new Set([...needed, ...users])].slice(0, maxFiles);
  const texts = new Map(touched.map((file) => [file, edits.open(file).edited()]));
  const trial = new RenameTrial(scope, { active, name, newName, texts, files });
  const { chosen, errors, unchecked } = await trial.run(strings);
  const renamed = stringSteps(chosen, newName);
  if (errors.length > 0 && !plan.mayBreak) {
    const tried = { ...plan, steps: [...steps, ...renamed], errors };
    throw wouldBreak(plan, {
      errors,
      strings,
      members: isStructural ? await requiredMembers(scope, tried) : undefined,
    });
  }
  await planServerEdit(scope, edits, { steps: renamed, active, name });
  const left = [...new Set([...unchecked, ...needed.filter((file) => !files.includes(file))])];
  return [
    ...(chosen.length > 0 ? [`strings that name it are renamed too: ${linesNote(chosen.map(lineOf))}`] : []),
    ...(left.length > 0 ? [`${namedFiles(left)} could not be checked for new errors`] : []),
  ];
}

function isMember({ parent }: SymbolNode): boolean {
  return parent !== undefined && isTypeKind(parent.kind);
}

/** Returns the files with members of the old name that the steps do not rename; for other symbols nothing. */
function filesWithOthers(scope: SymbolScope, { active, symbol, text, steps }: PlannedRename): string[] {
  if (symbol.parent === undefined || !isMemberKind(symbol.kind)) return [];
  return (text?.files ?? []).flatMap(({ path: file, places, hasOddBreaks }) => {
    if (hasOddBreaks || scope.files.sources.serverOf(file) !== active) return [];
    const own = steps.flatMap((step) => (step.do === 'edit' && step.file === file ? step.edits : []));
    const isRenamed = ({ line, character }: (typeof places)[number]) =>
      own.some(({ range: { start, end } }) => {
        return start.line === line && start.character <= character && character <= end.character;
      });
    return places.every(isRenamed) ? [] : [file];
  });
}

/** Returns the files that contain the name of the type that has the member, for example as a part of another name. */
export async function filesWithParent(
  scope: SymbolScope,
  { active, symbol }: Pick<PlannedRename, 'active' | 'symbol'>,
): Promise<string[]> {
  if (symbol.parent === undefined) return [];
  const { project, sources } = scope.files;
  const query = {
    literal: symbol.parent.name,
    extensions: Object.keys(active.spec.files),
    pruneDirectories: sources.prunedFor(active),
  };
  const found = await project.scanner.filesContaining(query, scope.call.signal);
  return found.map(({ path }) => path).filter((file) => sources.serverOf(file) === active);
}

function lineOf({ file, range }: Place) {
  return { file, line: range.start.line };
}

function wouldBreak(
  { symbol, name, newName }: PlannedRename,
  {
    errors,
    strings,
    members,
  }: {
    errors: readonly TrialError[];
    strings: readonly NamingString[];
    members: RequiredMembers | undefined;
  },
): ExpectedError {
  const shown = errors.slice(0, maxShown).map(({ file, diagnostic: { range, message } }) => {
    return `\`${file}\` ${range.start.line}: ${message.split('\n')[0]?.replace(/\.$/, '') ?? ''}`;
  });
  const more = errors.length > maxShown ? `; and ${errors.length - maxShown} more` : '';
  const causes = strings.length > 0 ? `. The string '${name}' occurs in ${linesNote(strings.map(lineOf))}` : '';
  const also = members?.members.length
    ? `. Members that must have the same name: ${linesNote(members.members.map(lineOf))}`
    : '';
  return new ExpectedError(
    'edit.refused',
    `cannot rename \`${namePathOf(symbol)}\` to \`${newName}\` alone: it would cause ${counted(errors.length, 'new error')} (0-based lines): ${shown.join('; ')}${more}${also}${causes}`,
    {
      hints: [
        'rename the members and strings that must have the same name together with it: call `replace_in_files`',
        'to rename it nevertheless, and repair the errors afterwards, set `force` to true',
      ],
    },
  );
}
