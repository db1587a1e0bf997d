import { counted } from '../base/counted.ts';
import { ExpectedError } from '../base/errors.ts';
import type { Gap } from '../base/gap.ts';
import { type ReadChange, readChange } from '../edits/read-change.ts';
import type { FileProblem } from '../symbols/queries/new-problems.ts';
import { countCharacters } from '../text/characters.ts';
import { unifiedDiff } from '../text/diff.ts';
import { fitAnswer } from './answers/answer-text.ts';
import { problemLines, withEditDiagnostics, withUncompared } from './answers/diagnostics.ts';
import { editData, nothingChanged, reportOf, withReport } from './answers/finished-edits.ts';
import { readArguments } from './arguments.ts';
import {
  type Answer,
  type AnswerFormat,
  answerFormats,
  type BareContext,
  type Output,
  type PlannedStep,
  type SymbolsContext,
  type Tool,
} from './tool.ts';

/**
 * Runs a tool with the arguments that a client sent and returns its answer, or a page of it, if it exceeds the limit. The
 * argument `format`, which no tool lists, replaces the context's format of answers.
 *
 * @throws {ExpectedError} `tool.invalid-input` before the tool runs; whatever the tool throws.
 */
export async function runTool(
  tool: Tool,
  sent: unknown,
  context: BareContext & Partial<SymbolsContext>,
): Promise<Answer> {
  const format = formatIn(sent) ?? context.format;
  const input = readArguments(tool, sent);
  const limit = answerLimit(input.max_answer_chars, context.limits.maxAnswerChars);
  const cursor = typeof input.cursor === 'string' ? input.cursor : undefined;
  const isDryRun = tool.trials.includes('dry_run') && input.dry_run === true;
  const isIfClean = tool.trials.includes('if_clean') && input.if_clean === true && input.dry_run !== true;
  const own = { ...context, format };
  const run = () => tool.run(own, input);
  const ran = await (isDryRun || isIfClean ? tried(own, run, { isIfClean }) : withCheck(await run(), context));
  const edited = ran.edit === undefined ? await withEditDiagnostics(ran, context.symbols) : ran;
  const gaps = [...gapsOf(ran, context), ...(edited === ran ? [] : (edited.gaps ?? []))];
  const sources = [...(ran.sources ?? []), ...(context.symbols?.sourcesBesidesServers ?? [])];
  const { notes: pageNotes, ...fitted } = fitAnswer({ ...ran, ...edited }, { limit, cursor, format });
  const editNotes = [...(context.symbols?.editNotes ?? []), ...(context.edits?.notes ?? [])];
  const notes = [...(edited === ran ? [] : (edited.notes ?? [])), ...editNotes, ...(ran.notes ?? []), ...pageNotes];
  const isIncomplete = ran.isIncomplete === true || edited.isIncomplete === true;
  const data = tool.data && dataOf(ran, fitted.value === edited.value);
  const parts = {
    ...(ran.edit && { edit: ran.edit }),
    ...(ran.forPeople && { forPeople: ran.forPeople }),
    ...(data && { data }),
  };
  return { ...fitted, sources, gaps, notes, isIncomplete, ...parts };
}

/** Returns the data of an answer: of an edit always, otherwise only if the text is whole. */
function dataOf({ edit, data }: Output, isWhole: boolean): object | undefined {
  if (edit !== undefined) return editData(edit);
  return isWhole ? data : undefined;
}

function gapsOf({ gaps = [] }: Output, { symbols }: Partial<SymbolsContext>): readonly Gap[] {
  return [...gaps, ...(symbols?.gaps ?? [])];
}

/** Returns the output of an edit that was made with what it causes; other outputs as they are. */
function withCheck(ran: Output, context: Partial<SymbolsContext>): Output {
  const { symbols } = context;
  if (ran.edit === undefined || symbols === undefined) return ran;
  const { unnotedProblems: problems, uncompared: unchecked, whyUnchecked } = symbols.editProblems;
  const hasGaps = gapsOf(ran, context).length > 0;
  return withReport(ran, reportOf(ran.edit, { isPlanned: false, problems, unchecked, whyUnchecked, hasGaps }));
}

function formatIn(sent: unknown): AnswerFormat | undefined {
  if (typeof sent !== 'object' || sent === null || !('format' in sent)) return undefined;
  const { format } = sent;
  if (format === undefined || format === null || format === '') return undefined;
  const known = answerFormats.find((name) => name === format);
  if (known !== undefined) return known;
  throw new ExpectedError('tool.invalid-input', 'wrong arguments: `format`: must be `short` or `legacy`', {
    hints: ["leave it out for the format of the client's context"],
  });
}

function answerLimit(requested: unknown, configured: number): number | undefined {
  if (typeof requested !== 'number') return undefined;
  if (requested === -1) return configured;
  if (requested > 0) return requested;
  throw new ExpectedError('tool.invalid-input', `\`max_answer_chars\` is ${requested}; it must be positive, or -1`, {
    hints: [`omit it to use the configured limit of ${configured}`],
  });
}

/**
 * Runs an edit without writing anything. Returns the changes that it plans as a unified diff, and the problems that they
 * would cause; the edit's own result if it plans none. With `isIfClean`, changes that were checked as a whole and cause no
 * new problem are then made.
 */
async function tried(
  context: BareContext & Partial<SymbolsContext>,
  edit: () => Promise<Output>,
  { isIfClean }: { isIfClean: boolean },
): Promise<Output> {
  const { project, edits, symbols, limits, call } = context;
  if (project === undefined || edits === undefined || symbols === undefined) throw new Error('edits need a project');
  const ran = await edits.collecting(edit);
  const changes = edits.changes.map((change) => readChange(change, project.config.encoding));
  if (changes.length === 0) return ran;
  if (isIfClean) symbols.checkEdits('all');
  const { problems, compared, gaps, uncompared } = await symbols.preview(changes.filter(({ isText }) => isText));
  const { whyUnchecked } = symbols.editProblems;
  const unclean = isIfClean ? uncleanBecause({ problems, uncompared, whyUnchecked }) : undefined;
  if (isIfClean && unclean === undefined) {
    await edits.commit(call.signal);
    return withCheck({ ...ran, gaps: [...(ran.gaps ?? []), ...gaps] }, context);
  }
  if (ran.edit !== undefined) {
    const diff = diffWithin(changes, limits.maxAnswerChars);
    const hasGaps = gapsOf(ran, context).length > 0;
    const found = { isPlanned: true, problems, unchecked: uncompared, whyUnchecked, hasGaps, diff, unclean };
    return withReport(ran, reportOf(ran.edit, found));
  }
  const culprit = problems.length === 0 ? [] : await firstUnclean(context, ran.steps ?? []);
  const header = `${nothingChanged(unclean)} The edit would change ${counted(changes.length, 'file')}:`;
  const found = [...culprit, ...resultLines(problems, compared)];
  const names = () => changes.map(({ path }) => path).join('\n');
  const value = [header, ...changes.map(diffOf), ...found].join('\n');
  const shorter = [() => [header, names(), ...found].join('\n'), () => [header, ...found].join('\n')];
  const isIncomplete = isIfClean || ran.isIncomplete === true;
  return { ...ran, isIncomplete, ...withUncompared({ value, shorter }, isIfClean ? undefined : uncompared) };
}

/** More edits are not tried one after the other. */
const maxSteps = 20;

/** Returns a line that says up to which of several edits there is no new problem; none for a single edit. */
async function firstUnclean(
  { project, symbols }: Partial<SymbolsContext>,
  steps: readonly PlannedStep[],
): Promise<string[]> {
  if (project === undefined || symbols === undefined || steps.length < 2 || steps.length > maxSteps) return [];
  for (const [index, { label, changes }] of steps.slice(0, -1).entries()) {
    const texts = changes.map((change) => readChange(change, project.config.encoding));
    const { problems } = await symbols.previewPart(texts.filter(({ isText }) => isText));
    if (problems.length > 0) return [firstSentence(index, label)];
  }
  return [firstSentence(steps.length - 1, steps.at(-1)?.label ?? '')];
}

function firstSentence(index: number, label: string): string {
  if (index === 0) return `The first new problem comes with ${label}.`;
  const clean = index === 1 ? 'Edit 1 alone is' : `Edits 1 to ${index} alone are`;
  return `${clean} clean; the first new problem comes with ${label}.`;
}

/** Returns why an edit with `if_clean` is not made; `undefined` if it is clean. */
function uncleanBecause(found: {
  readonly problems: readonly FileProblem[];
  readonly uncompared: string | undefined;
  readonly whyUnchecked: string | undefined;
}): string | undefined {
  const { problems, uncompared, whyUnchecked } = found;
  const unchecked = [uncompared, whyUnchecked].flatMap((what) => (what === undefined ? [] : [`not checked: ${what}`]));
  const reasons = [...(problems.length > 0 ? [counted(problems.length, 'new problem')] : []), ...unchecked];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

/** Returns the diffs of the first files, as many as have at most `maxChars` characters, and the number of the others. */
function diffWithin(changes: readonly ReadChange[], maxChars: number): string {
  const shown: string[] = [];
  let size = 0;
  for (const change of changes) {
    const diff = diffOf(change);
    size += countCharacters(diff) + 1;
    if (size > maxChars) break;
    shown.push(diff);
  }
  const more = changes.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`(the diff of ${counted(more, 'more file')} is too long)`])].join('\n');
}

function diffOf(change: ReadChange): string {
  if (!change.isText) return `Binary file ${change.path} differs`;
  return unifiedDiff(change)?.trimEnd() ?? `--- a/${change.path}\n+++ b/${change.path}\n(too many changes to show)`;
}

function resultLines(problems: readonly FileProblem[], compared: readonly string[]): string[] {
  if (compared.length === 0) return [];
  if (problems.length === 0) return [`No new problems in ${counted(compared.length, 'compared file')}.`];
  return ['New problems (0-based lines of the changed text):', ...problemLines(problems)];
}
