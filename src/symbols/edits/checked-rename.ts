import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import type { Edits } from '../../edits/edits.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { applyEdits } from '../../text/apply-edits.ts';
import { offsetAt } from '../../text/position.ts';
import { textLines } from '../../text/text-lines.ts';
import { isMemberKind, isTypeKind } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { type TrialError, tryEdits } from './edit-trial.ts';
import { linesNote } from './left-over.ts';
import { columnIn, type NamingString, namingStrings, stringsAt } from './naming-strings.ts';
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
  /** True if errors are no reason to refuse. */
  readonly mayBreak: boolean;
}

/** More files would take longer than the rename. */
const maxFiles = 200;
/** Repairing one string may let the compiler find the next one. */
const maxRounds = 4;
/** Each costs a check. */
const maxDoubtful = 8;
const maxShown = 5;

/**
 * Checks a rename before it is written, if the old name remains where the server's references do not lead: in a string,
 * or in a member that must have the same name as the target; in languages without such members, that of any member. Plans to rename the strings that the compiler then
 * requires to have the new name. Returns notes about them, and about files that could not be checked.
 *
 * @throws {ExpectedError} `edit.refused` if errors would remain; `server.*`.
 */
export async function checkRename(scope: SymbolScope, edits: Edits, plan: PlannedRename): Promise<string[]> {
  const { active, steps, name, newName } = plan;
  const checks = active.spec.quirks?.editChecks;
  if (checks === undefined || steps.some((step) => step.do !== 'edit')) return [];
  const isStructural = checks.hasStructuralTypes === true;
  const strings = isStructural ? await namingStrings(scope, plan) : [];
  const touched = steps.map(({ path }) => resolveInProject(scope.files.project, path));
  const others = isStructural ? filesWithOthers(scope, plan) : [];
  const isChecked = checks.checksRenamedMembers === true && isMember(plan.symbol);
  if (strings.length === 0 && others.length === 0 && !isChecked) return [];
  const needed = [...touched, ...strings.map(({ file }) => file), ...others];
  // Last those that may use the type without the member's name; they do not count as unchecked.
  const users = others.length > 0 ? await filesWithParent(scope, plan) : [];
  const files = [...new Set([...needed, ...users])].slice(0, maxFiles);
  const check = new RenameCheck(scope, edits, { plan, touched, files });
  const { chosen, errors, unchecked } = await check.run(strings);
  if (errors.length > 0 && !plan.mayBreak) throw wouldBreak(plan, errors, strings);
  const renamed = chosen.map(({ file, range }): WorkspaceStep => {
    return { do: 'edit', path: scope.files.absolute(file), edits: [{ range, newText: newName }] };
  });
  await planServerEdit(scope, edits, { steps: renamed, active, name });
  const left = [...new Set([...unchecked, ...needed.filter((file) => !files.includes(file))])];
  return [
    ...(chosen.length > 0 ? [`strings that name it are renamed too: ${linesNote(chosen.map(lineOf))}`] : []),
    ...(left.length > 0 ? [`${namedFiles(left)} could not be checked for new errors`] : []),
  ];
}

/** The trials of one rename. */
class RenameCheck {
  readonly #scope: SymbolScope;
  readonly #edits: Edits;
  readonly #of: {
    readonly plan: PlannedRename;
    readonly touched: readonly string[];
    readonly files: readonly string[];
  };
  readonly #unchecked = new Set<string>();

  constructor(
    scope: SymbolScope,
    edits: Edits,
    of: { readonly plan: PlannedRename; readonly touched: readonly string[]; readonly files: readonly string[] },
  ) {
    this.#scope = scope;
    this.#edits = edits;
    this.#of = of;
  }

  /** Returns the strings to rename, and the errors that remain. */
  async run(strings: readonly NamingString[]) {
    const chosen = new Set<NamingString>();
    const doubtful = new Set<NamingString>();
    const seen = new Set<string>();
    let errors = await this.#errorsWith(chosen, this.#of.files);
    const without = errors;
    for (let round = 0; errors.length > 0 && round < maxRounds; round++) {
      const at = errors.flatMap((error) => stringsAt(strings, { error, chosen, ...this.#of.plan }));
      for (const { file } of errors) seen.add(file);
      for (const { string, isExact } of at) {
        chosen.add(string);
        if (!isExact) doubtful.add(string);
      }
      if (at.length === 0) break;
      errors = await this.#errorsWith(chosen, this.#of.files);
    }
    if (doubtful.size > maxDoubtful) return { chosen: [], errors: without, unchecked: [...this.#unchecked] };
    if (errors.length === 0) await this.#dropNeedless(chosen, doubtful, [...seen]);
    return { chosen: [...chosen], errors, unchecked: [...this.#unchecked] };
  }

  /** Removes strings without which there is no error either. */
  async #dropNeedless(
    chosen: Set<NamingString>,
    doubtful: ReadonlySet<NamingString>,
    files: readonly string[],
  ): Promise<void> {
    for (const string of doubtful) {
      chosen.delete(string);
      const errors = await this.#errorsWith(chosen, files);
      if (errors.length > 0) chosen.add(string);
    }
  }

  async #errorsWith(chosen: ReadonlySet<NamingString>, files: readonly string[]): Promise<readonly TrialError[]> {
    const { active } = this.#of.plan;
    const { errors, unchecked } = await tryEdits(this.#scope, { active, texts: this.#textsWith(chosen), files });
    for (const file of unchecked) this.#unchecked.add(file);
    return errors;
  }

  /** Returns the changed texts, also with the new name in the chosen strings. */
  #textsWith(chosen: ReadonlySet<NamingString>): Map<string, string> {
    const { touched, plan } = this.#of;
    const texts = new Map(touched.map((file) => [file, this.#edits.open(file).edited()]));
    for (const [file, own] of Map.groupBy(chosen, (string) => string.file)) {
      const { text, starts } = textLines(texts.get(file) ?? this.#scope.files.textOf(file).text);
      const replacements = own.flatMap((string) => {
        const position = { line: string.range.start.line, character: columnIn(string, plan, new Set()) };
        const start = offsetAt(text, starts, position) ?? 0;
        return [{ start, end: start + plan.name.length, text: plan.newName }];
      });
      texts.set(file, applyEdits(text, replacements, file));
    }
    return texts;
  }
}

function isMember({ parent }: SymbolNode): boolean {
  return parent !== undefined && isTypeKind(parent.kind);
}

/** Returns the files with members of the old name that the steps do not rename; for other symbols nothing. */
function filesWithOthers(scope: SymbolScope, { active, symbol, text, steps }: PlannedRename): string[] {
  if (symbol.parent === undefined || !isMemberKind(symbol.kind)) return [];
  return (text?.files ?? []).flatMap(({ path: file, places, hasOddBreaks }) => {
    if (hasOddBreaks || scope.files.sources.serverOf(file) !== active) return [];
    const path = scope.files.absolute(file);
    const own = steps.flatMap((step) => (step.do === 'edit' && step.path === path ? step.edits : []));
    const isRenamed = ({ line, character }: (typeof places)[number]) =>
      own.some(({ range: { start, end } }) => {
        return start.line === line && start.character <= character && character <= end.character;
      });
    return places.every(isRenamed) ? [] : [file];
  });
}

/** Returns the files that contain the name of the type that has the member, for example as a part of another name. */
async function filesWithParent(scope: SymbolScope, { active, symbol }: PlannedRename): Promise<string[]> {
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

function lineOf({ file, range }: NamingString) {
  return { file, line: range.start.line };
}

function wouldBreak(
  { symbol, name, newName }: PlannedRename,
  errors: readonly TrialError[],
  strings: readonly NamingString[],
): ExpectedError {
  const shown = errors.slice(0, maxShown).map(({ file, diagnostic: { range, message } }) => {
    return `\`${file}\` ${range.start.line}: ${message.split('\n')[0]?.replace(/\.$/, '') ?? ''}`;
  });
  const more = errors.length > maxShown ? `; and ${errors.length - maxShown} more` : '';
  const causes = strings.length > 0 ? `. The string '${name}' occurs in ${linesNote(strings.map(lineOf))}` : '';
  return new ExpectedError(
    'edit.refused',
    `cannot rename \`${namePathOf(symbol)}\` to \`${newName}\` alone: it would cause ${counted(errors.length, 'new error')} (0-based lines): ${shown.join('; ')}${more}${causes}`,
    {
      hints: [
        'rename the members and strings that must have the same name together with it: call `replace_in_files`',
        'to rename it nevertheless, and repair the errors afterwards, set `force` to true',
      ],
    },
  );
}
