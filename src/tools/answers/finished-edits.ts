import { dirname } from 'node:path/posix';
import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { namedFiles } from '../../base/gap.ts';
import type {
  AlsoChanged,
  EditReport,
  FinishedEdit,
  NamedLine,
  NextCall,
  OpenPlace,
  SignatureCall,
} from '../../symbols/edits/finished-edit.ts';
import type { Output } from '../tool.ts';
import { problemLines, severityName } from './diagnostics.ts';

export type { EditReport, NextCall, SignatureCall };

/** How the reader of an answer names lines, files and calls. */
export interface EditReader {
  /** Number of a file's first line. */
  readonly firstLine: 0 | 1;
  /** Returns a project-relative path as the reader knows it. */
  shown(path: string): string;
  /** Returns the call that also changes the places with the ids: a list such as `1-3,5`. */
  callFor(call: NextCall, ids: readonly number[]): string;
  /** The call that checks what an edit did not check in time. */
  readonly checkCall: string;
}

/** Files that an answer lists by name; the others are counted by directory. */
const maxFiles = 20;
/** Places that an answer lists; nobody reads more. */
const maxPlaces = 100;

/** For clients of the tools. */
const toolReader: EditReader = {
  firstLine: 0,
  shown: (path) => path,
  checkCall: 'verify_changes {}',
  callFor: (call, also) => {
    const { tool, args } = toolCall(call, also);
    return `${tool} ${JSON.stringify(args)}`;
  },
};

/** Returns the call of a tool that also changes the places with some ids. */
export function toolCall(call: NextCall, also: readonly number[]): { readonly tool: string; readonly args: object } {
  if (!('renames' in call)) {
    const { namePath, file, changes } = call;
    return { tool: 'change_signature', args: { name_path: namePath, relative_path: file, changes, also } };
  }
  const [first, ...others] = call.renames.map(({ namePath, file, newName }) => {
    return { name_path: namePath, relative_path: file, new_name: newName };
  });
  const args = others.length === 0 ? { ...first, also } : { renames: [first, ...others], also };
  return { tool: 'rename_symbol', args };
}

/** Returns the output of a tool that made or planned an edit. */
export function editOutput(edit: FinishedEdit): Output {
  return withReport({ notes: edit.notes }, { ...edit, ...unknownCheck, isComplete: edit.open.length === 0 });
}

const unknownCheck = { isPlanned: false, problems: [], hasGaps: false } as const;

/** Returns an output whose text and completeness are those of a report. */
export function withReport(output: Omit<Output, 'value'>, edit: EditReport): Output {
  return { ...output, edit, value: textOfEdit(edit), isIncomplete: !edit.isComplete };
}

export function reportOf(edit: FinishedEdit, found: Omit<EditReport, keyof FinishedEdit | 'isComplete'>): EditReport {
  const { problems, unchecked, hasGaps, unclean } = found;
  const isChecked = unchecked === undefined && errorsOf(problems).length === 0;
  const isComplete = edit.open.length === 0 && !hasGaps && isChecked && unclean === undefined;
  return { ...edit, ...found, isComplete };
}

/** Returns an edit together with the change of its open places, after which nobody has to look at the others. */
export function joinedReports({ next: _, ...edit }: EditReport, more: EditReport): EditReport {
  const counts = new Map(edit.places);
  for (const [file, count] of more.places) counts.set(file, (counts.get(file) ?? 0) + count);
  const places = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const problems = [...edit.problems, ...more.problems];
  const hasGaps = edit.hasGaps || more.hasGaps;
  const unchecked = more.unchecked ?? edit.unchecked;
  const finished = { ...edit, places, also: [...edit.also, ...more.also], open: more.open };
  const whyUnchecked = more.whyUnchecked ?? edit.whyUnchecked;
  return reportOf(finished, { isPlanned: false, problems, hasGaps, unchecked, whyUnchecked });
}

/** Returns what clients of the tools read about an edit. */
export function textOfEdit(edit: EditReport): string {
  return editText(edit, toolReader);
}

function errorsOf(problems: EditReport['problems']): EditReport['problems'] {
  return problems.filter(({ diagnostic }) => diagnostic.severity === 1);
}

/** Returns the text of a report: the result in the first line, then what else was changed, then what is open. */
export function editText(report: EditReport, reader: EditReader): string {
  const { diff, problems, mentions } = report;
  const lines = reader.firstLine === 0 ? ' (0-based lines)' : '';
  const blocks = [
    firstLine(report, reader),
    ...block(`Also changed${lines}:`, alsoRows(report.also, reader)),
    ...block('Files:', fileRows(report, reader)),
    ...(report.unchecked === undefined || report.isPlanned ? [] : [`To check the others: ${reader.checkCall}`]),
    ...block(`Open${lines}:`, openRows(report, reader)),
    ...block(`New problems${lines}:`, problemLines(problems, reader)),
    ...block(
      `Mentioned${lines}:`,
      mentions.map((one) => rowOf(one, reader)),
    ),
    ...(diff === undefined ? [] : [diff]),
  ];
  return blocks.join('\n');
}

function block(heading: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [[heading, ...rows].join('\n')];
}

function firstLine(report: EditReport, { shown }: EditReader): string {
  const { done, places, isPlanned } = report;
  const count = places.reduce((sum, [, own]) => sum + own, 0);
  const [first] = places;
  const where = places.length === 1 && first !== undefined ? ` in \`${shown(first[0])}\`` : '';
  const changed = `: ${counted(places.length, 'file')} changed, ${counted(count, 'place')}${where}`;
  const what = isPlanned
    ? `${nothingChanged(report.unclean)} Would have ${done.charAt(0).toLowerCase()}${done.slice(1)}`
    : done;
  return `${what}${places.length === 0 ? '' : changed}; ${verdictOf(report)}`;
}

/** Returns the sentence of an answer about planned changes, with the reason why `if_clean` prevented them. */
export function nothingChanged(unclean: string | undefined): string {
  return unclean === undefined ? 'Nothing was changed.' : `Nothing was changed, because of \`if_clean\`: ${unclean}.`;
}

function verdictOf({ open, problems, hasGaps, unchecked, whyUnchecked, isComplete }: EditReport): string {
  const errors = errorsOf(problems).length;
  const missing = [
    ...(open.length > 0 ? [`${open.length} open`] : []),
    ...(errors > 0 ? [counted(errors, 'new error')] : []),
    ...(hasGaps ? ['see `Incomplete` below'] : []),
  ];
  const parts = [
    ...(isComplete ? ['complete'] : []),
    ...(missing.length > 0 ? [`incomplete: ${missing.join(', ')}`] : []),
    ...[unchecked, whyUnchecked].flatMap((what) =>
      what === undefined ? [] : [`not checked for new problems: ${what}`],
    ),
  ];
  return parts.join('; ');
}

function alsoRows(also: readonly AlsoChanged[], { firstLine, shown }: EditReader): string[] {
  return [...Map.groupBy(also, ({ reason }) => reason)].flatMap(([reason, all]) => {
    const rows = [...new Set(all.map(({ name, file, line }) => `    ${shown(file)}:${line + firstLine}: ${name}`))];
    const more = rows.length - maxPlaces;
    return [`  ${reason}:`, ...rows.slice(0, maxPlaces), ...(more > 0 ? [`    and ${more} more`] : [])];
  });
}

function fileRows({ places }: EditReport, { shown }: EditReader): string[] {
  // The first line names a single file.
  if (places.length < 2) return [];
  const rows = places.slice(0, maxFiles).map(([file, count]) => `  ${shown(file)}: ${count}`);
  const others = places.slice(maxFiles);
  const byDirectory = [...Map.groupBy(others, ([file]) => dirname(file))].map(([directory, own]) => {
    const count = own.reduce((sum, [, one]) => sum + one, 0);
    return `  ${shown(directory)}/ (${counted(own.length, 'more file')}): ${count}`;
  });
  return [...rows, ...byDirectory.slice(0, maxFiles), ...(byDirectory.length > maxFiles ? ['  and more'] : [])];
}

function openRows({ open, next }: EditReport, reader: EditReader): string[] {
  const shown = open.slice(0, maxPlaces);
  const rows = [...Map.groupBy(shown, ({ why }) => why)].flatMap(([why, own]) => [
    `  ${why}:`,
    ...own.map((one) => `  ${rowOf(one, reader)}`),
  ]);
  const others = open.slice(maxPlaces);
  const more = others.length === 0 ? [] : [`  and ${moreOf(others)}`];
  const ids = open.flatMap(({ id }) => id ?? []);
  if (next === undefined || ids.length === 0) return [...rows, ...more];
  const call = reader.callFor(next, ids);
  const verb = 'renames' in next ? 'rename' : 'change';
  return [...rows, ...more, `  To ${verb} these too, keep the ids of those that mean it: ${call}`];
}

function moreOf(others: readonly OpenPlace[]): string {
  const ids = others.flatMap(({ id }) => id ?? []);
  const range = ids.length === 0 ? '' : ` [${ids[0]}-${ids.at(-1)}]`;
  return `${others.length} more${range} in ${namedFiles([...new Set(others.map(({ file }) => file))])}`;
}

function rowOf({ id, file, line, column, text }: NamedLine, { firstLine, shown }: EditReader): string {
  const label = id === undefined ? '' : `[${id}] `;
  const position = `${line + firstLine}${column === undefined ? '' : `:${column + firstLine}`}`;
  return `  ${label}${shown(file)}:${position}: ${text}`;
}

const namedLine = () => ({
  id: z.int().optional(),
  file: z.string(),
  line: z.int(),
  column: z.int().optional(),
  text: z.string(),
});

/** The schema of what {@link editData} returns. */
export const editDataSchema = () =>
  z.object({
    complete: z.boolean(),
    dry_run: z.boolean(),
    done: z.string(),
    /** Numbers of changed places by file. */
    places: z.record(z.string(), z.int()),
    also: z.array(z.object({ name: z.string(), file: z.string(), line: z.int(), reason: z.string() })),
    open: z.array(z.object({ ...namedLine(), why: z.string() })),
    mentions: z.array(z.object(namedLine())),
    problems: z.array(z.object({ file: z.string(), line: z.int(), severity: z.string(), message: z.string() })),
    unchecked: z.string().optional(),
    whyUnchecked: z.string().optional(),
    unclean: z.string().optional(),
    diff: z.string().optional(),
  });

/** Returns an edit as programs read it; lines are 0-based. */
export function editData({
  places,
  problems,
  next: _,
  hasGaps: __,
  notes: ___,
  isComplete,
  isPlanned,
  ...edit
}: EditReport) {
  return {
    complete: isComplete,
    dry_run: isPlanned,
    ...edit,
    places: Object.fromEntries(places),
    problems: problems.map(({ file, diagnostic: { range, severity, message } }) => {
      return { file, line: range.start.line, severity: severityName(severity), message };
    }),
  };
}
