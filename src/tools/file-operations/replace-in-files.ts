import { createHash } from 'node:crypto';
import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { Project } from '../../project/project.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { FileOccurrences, OccurrenceResult } from '../../search/scan-protocol.ts';
import { tryParseOccurrenceId } from '../../text/occurrence.ts';
import { noMatch } from '../../text/substitute.ts';
import { countByDirectory, labelled } from '../answers/answer-text.ts';
import { flag, maxAnswerChars } from '../parameters.ts';
import { defineTool, tooLong } from '../tool.ts';
import { unreadGaps } from './search-files.ts';

export const replaceInFiles = defineTool({
  name: 'replace_in_files',
  description: `Replaces literal text or regex matches in non-ignored files, all or selected by path and globs; all
files change or none. A dry run lists occurrences with ids to choose from. Returns counts by file.`,
  toolset: 'file_operations',
  effect: 'edits',
  // Its dry run lists occurrences with ids.
  trials: ['if_clean'],
  needs: 'project',
  input: () => ({
    needle: z.string().min(1).describe('Text or regex to find; line breaks are \\n.'),
    repl: z.string().describe('Replacement; in regex mode, $!1 = group 1, $!0 = match.'),
    mode: z.enum(['literal', 'regex']).describe('Exact text or Python regex (DOTALL, MULTILINE).'),
    relative_path: z.string().default('').describe('File or directory to change; empty = all.'),
    paths_include_glob: z.string().default('').describe('Paths to include, such as {src,lib}/**/*.ts; empty = all.'),
    paths_exclude_glob: z.string().default('').describe('Paths to exclude.'),
    dry_run: flag('List occurrences without replacing them.'),
    occurrence_ids: z.array(z.string()).nullable().default(null).describe('Ids from a dry run to replace; null = all.'),
    expected_count: z.int().default(-1).describe('Required number of occurrences, else nothing changes; -1 = any.'),
    max_answer_chars: maxAnswerChars,
  }),
  async run({ project, edits, call, limits }, input) {
    const { needle, repl, mode, dry_run: isDryRun } = input;
    const under = await editableScope(project, input.relative_path.trim(), call.signal);
    const ids = isDryRun ? undefined : (input.occurrence_ids ?? undefined);
    const maxChars = input.max_answer_chars === -1 ? limits.maxAnswerChars : input.max_answer_chars;
    const found = await project.scanner.occurrences(
      {
        ...{ needle, repl, mode, under, maxChars },
        pruneDirectories: prunedFor(under, input.paths_include_glob),
        includeGlob: input.paths_include_glob,
        excludeGlob: input.paths_exclude_glob,
        withEdits: !isDryRun,
        ...(ids === undefined ? {} : { paths: ids.flatMap((id) => tryParseOccurrenceId(id)?.path ?? []) }),
      },
      call.signal,
    );
    const gaps = unreadGaps(found);
    if (isDryRun) return { ...occurrenceListing(dryRunHeader(found.files), found.files), gaps };
    const chosen = ids === undefined ? selectAll(found, { ...input, maxChars }) : selectByIds(found.files, ids);
    applyAll(edits, chosen);
    await edits.commit(call.signal);
    return { ...summary(chosen), gaps };
  },
});

interface Selection {
  readonly file: FileOccurrences;
  readonly indexes: readonly number[];
}

/** Returns the path to search; rejects ignored paths, which should not be changed by accident. */
async function editableScope(project: Project, path: string, signal: AbortSignal): Promise<string> {
  const under = resolveInProject(project, path);
  if (!(await project.scanner.isIgnored(under, signal))) return under;
  throw new ExpectedError('edit.refused', `cannot replace in \`${under}\`: the ignore rules exclude it`, {
    hints: ['call `replace_content` to change a single ignored file'],
  });
}

/** Settings and memories of this program, which a project-wide replacement should not change. */
const ownDirectory = '.serena';

/** Returns the names of directories to exclude, unless the path or the glob names them. */
function prunedFor(under: string, includeGlob: string): string[] {
  const named = [...under.split('/'), ...includeGlob.split(/[/{},]/)];
  return named.includes(ownDirectory) ? [] : [ownDirectory];
}

function dryRunHeader(files: readonly FileOccurrences[]): string {
  const next = 'Call again without dry_run to replace all, or with occurrence_ids to replace some';
  return `${countInWords(files)}; nothing was changed.${files.length === 0 ? '' : ` ${next}.`}`;
}

function selectAll(
  found: OccurrenceResult,
  input: { needle: string; expected_count: number; maxChars: number },
): Selection[] {
  const { files } = found;
  const { needle, expected_count: expected, maxChars } = input;
  if (files.length === 0) throw withUnread(noMatch(needle, 'any file in scope'), found);
  const listed = (problem: string) =>
    `${problem}; nothing was changed\n${fittingListing(occurrenceListing(`${countInWords(files)}:`, files), maxChars)}`;
  const total = files.reduce((sum, { count }) => sum + count, 0);
  if (expected >= 0 && expected !== total) {
    throw new ExpectedError(
      'edit.unexpected-count',
      listed(`expected ${counted(expected, 'occurrence')}, found ${total}`),
      {
        hints: ['pass the ids of the intended ones as `occurrence_ids`, or the right `expected_count`'],
      },
    );
  }
  const ambiguousCount = files.reduce((sum, file) => sum + file.ambiguousCount, 0);
  if (ambiguousCount > 0) {
    const problem = `a match that contains another may be longer than meant, and there are ${ambiguousCount} of these`;
    throw new ExpectedError('edit.ambiguous', listed(problem), {
      hints: ['make the pattern more specific', 'pass the ids of the intended ones as `occurrence_ids`'],
    });
  }
  return files.map((file) => ({ file, indexes: [...Array(file.count).keys()] }));
}

/** Adds the files that were not searched to the hints: without a match, they are the first thing to check. */
function withUnread(error: ExpectedError, found: OccurrenceResult): ExpectedError {
  const unread = unreadGaps(found).map(
    ({ missing, reason }) => `Check the files that were not searched: ${missing}: ${reason}`,
  );
  return new ExpectedError(error.code, error.message, { hints: [...error.hints, ...unread] });
}

function selectByIds(files: readonly FileOccurrences[], ids: readonly string[]): Selection[] {
  if (ids.length === 0) {
    throw new ExpectedError('tool.invalid-input', '`occurrence_ids` is empty, so there is nothing to replace', {
      hints: ['omit it to replace all occurrences', 'call with `dry_run` to get ids'],
    });
  }
  const chosen = new Map<FileOccurrences, Set<number>>();
  const problems: string[] = [];
  for (const id of ids) {
    const occurrence = locate(id, files);
    if (typeof occurrence === 'string') problems.push(`\`${id}\`: ${occurrence}`);
    else chosen.set(occurrence.file, (chosen.get(occurrence.file) ?? new Set()).add(occurrence.index));
  }
  if (problems.length > 0) {
    throw new ExpectedError('edit.no-match', `nothing was changed: ${problems.join('; ')}`, {
      hints: ['call with `dry_run` to get the current ids'],
    });
  }
  return [...chosen].map(([file, indexes]) => ({ file, indexes: [...indexes].sort((a, b) => a - b) }));
}

/** Returns the occurrence with an id, or the reason why there is none. */
function locate(id: string, files: readonly FileOccurrences[]): { file: FileOccurrences; index: number } | string {
  const parsed = tryParseOccurrenceId(id);
  if (parsed === undefined) return 'it is not an id of an occurrence';
  const file = files.find(({ path }) => path === parsed.path);
  if (file === undefined) return 'the file no longer has matches';
  const fingerprint = file.edits?.marks[parsed.index];
  if (fingerprint === undefined) return `the file has ${counted(file.count, 'match', 'matches')} now`;
  if (fingerprint !== parsed.mark) return 'the file has changed since the dry run';
  return { file, index: parsed.index };
}

function applyAll(edits: Edits, chosen: readonly Selection[]): void {
  for (const { file, indexes } of chosen) {
    const draft = edits.open(file.path);
    const { contentHash, offsets, replacements } = file.edits ?? {};
    if (contentHash !== createHash('sha1').update(draft.bytes).digest('hex')) {
      throw new ExpectedError('edit.conflict', `\`${file.path}\` changed while it was searched; nothing was changed`, {
        hints: ['repeat the call'],
      });
    }
    for (const index of indexes) {
      draft.replace(offsets?.[2 * index] ?? 0, offsets?.[2 * index + 1] ?? 0, replacements?.[index] ?? '');
    }
  }
}

function summary(chosen: readonly Selection[]): { value: string; shorter: (() => string)[] } {
  const counts = chosen.map(({ file, indexes }) => ({ path: file.path, count: indexes.length }));
  const header = `Replaced ${countInWords(counts)}`;
  const lines = counts.map(({ path, count }) => `  ${path}: ${count}`);
  return { value: [`${header}:`, ...lines].join('\n'), shorter: [() => `${header}.`] };
}

/** Renderings of the occurrences to replace, longest first (see docs/compatibility.md, Replacing in many files). */
interface OccurrenceListing {
  readonly value: string | typeof tooLong;
  readonly shorter: readonly (() => string)[];
}

/** Returns the listing of occurrences under a header; renderings that cannot fit are omitted. */
function occurrenceListing(header: string, files: readonly FileOccurrences[]): OccurrenceListing {
  const full = joined(
    header,
    files,
    ({ path, count, changes }) => changes && [`\n${path} (${count} occurrence(s)):`, ...changes],
  );
  const brief = joined(header, files, ({ places }) => places);
  const counts = () => Object.fromEntries(files.map(({ path, count }) => [path, count]));
  return {
    value: full ?? tooLong,
    shorter: [
      ...(brief === undefined ? [] : [() => brief]),
      () => `${header}\n${labelled('Number of occurrences by file', counts())}`,
      ...countByDirectory(
        'Number of files by directory',
        files.map(({ path }) => path),
      ).map((render) => () => `${header}\n${render()}`),
      () => header,
    ],
  };
}

/** Returns the first rendering of at most `maxChars` characters, else the shortest. */
function fittingListing({ value, shorter }: OccurrenceListing, maxChars: number): string {
  let text = '';
  for (const render of [...(value === tooLong ? [] : [() => value]), ...shorter]) {
    text = render();
    if (text.length <= maxChars) break;
  }
  return text;
}

/** Returns the number of occurrences and files, in words. */
function countInWords(files: readonly { readonly count: number }[]): string {
  const total = files.reduce((sum, { count }) => sum + count, 0);
  return `${counted(total, 'occurrence')} in ${counted(files.length, 'file')}`;
}

function joined(
  header: string,
  files: readonly FileOccurrences[],
  linesOf: (file: FileOccurrences) => readonly string[] | undefined,
): string | undefined {
  const all: string[] = [header];
  for (const file of files) {
    const lines = linesOf(file);
    if (lines === undefined) return undefined;
    all.push(lines.join('\n'));
  }
  return all.join('\n');
}
