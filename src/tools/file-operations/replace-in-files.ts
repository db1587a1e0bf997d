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
import { maxAnswerChars } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { countInWords, fittingListing, occurrenceListing } from './occurrence-listing.ts';
import { unreadGaps } from './unread.ts';

export const replaceInFiles = defineTool({
  name: 'replace_in_files',
  description: `Replaces text in many files: an exact text, or what a regular expression matches, in all that are not
ignored or in those chosen by path and globs. With dry_run it lists the occurrences with ids, of which some can then be
chosen. All files change or none. Returns counts by file.`,
  toolset: 'file_operations',
  effect: 'edits',
  needs: 'project',
  input: z.object({
    needle: z.string().min(1).describe('Text or pattern; line breaks count as \\n.'),
    repl: z.string().describe('Replacement; in mode "regex", $!1 is group 1 and $!0 the match.'),
    mode: z.enum(['literal', 'regex']).describe('Exact text, or Python regular expression (DOTALL and MULTILINE).'),
    relative_path: z.string().default('').describe('File or directory to change; empty: all.'),
    paths_include_glob: z
      .string()
      .default('')
      .describe('Glob over project paths, such as src/**/*.ts or {a,b}/**; empty: all.'),
    paths_exclude_glob: z.string().default('').describe('Glob of paths to leave out.'),
    dry_run: z.boolean().default(false).describe('Whether to list what would be replaced, only.'),
    occurrence_ids: z
      .array(z.string())
      .nullable()
      .default(null)
      .describe('Ids from a dry run, to replace these only; null: all.'),
    expected_count: z.int().default(-1).describe('How many there must be, or nothing is changed; -1: any number.'),
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
    const chosen = ids === undefined ? chooseAll(found, { ...input, maxChars }) : chooseByIds(found.files, ids);
    applyAll(edits, chosen);
    await edits.commit(call.signal);
    return { ...summary(chosen), gaps };
  },
});

/** Occurrences of one file that are to be replaced. */
interface Chosen {
  readonly file: FileOccurrences;
  readonly indexes: readonly number[];
}

/** Returns where to search: an ignored place is not to be changed by accident (`spec/tools.md` §6.3). */
async function editableScope(project: Project, path: string, signal: AbortSignal): Promise<string> {
  const under = resolveInProject(project, path);
  if (!(await project.scanner.isIgnored(under, signal))) return under;
  throw new ExpectedError('edit.refused', `Cannot replace in \`${under}\`: the ignore rules exclude it`, {
    hints: ['Call `replace_content` to change one ignored file on purpose'],
  });
}

/** Settings and memories of this program, which a replacement all over a project is not meant for. */
const ownDirectory = '.serena';

/** Returns the names of directories that are left out unless a path leads there or a glob names them. */
function prunedFor(under: string, includeGlob: string): string[] {
  const named = [...under.split('/'), ...includeGlob.split(/[/{},]/)];
  return named.includes(ownDirectory) ? [] : [ownDirectory];
}

function dryRunHeader(files: readonly FileOccurrences[]): string {
  const next = 'Call again without dry_run to replace all, or with occurrence_ids to replace some';
  return `${countInWords(files)}; nothing was changed.${files.length === 0 ? '' : ` ${next}.`}`;
}

function chooseAll(
  found: OccurrenceResult,
  wanted: { needle: string; expected_count: number; maxChars: number },
): Chosen[] {
  const { files } = found;
  const { needle, expected_count: expected, maxChars } = wanted;
  if (files.length === 0) throw withUnread(noMatch(needle, 'any file in scope'), found);
  const listed = (problem: string) =>
    `${problem}; nothing was changed\n${fittingListing(occurrenceListing(`${countInWords(files)}:`, files), maxChars)}`;
  const total = files.reduce((sum, { count }) => sum + count, 0);
  if (expected >= 0 && expected !== total) {
    throw new ExpectedError(
      'edit.unexpected-count',
      listed(`Expected ${counted(expected, 'occurrence')} and found ${total}`),
      {
        hints: ['Pass the ids of those that are meant as `occurrence_ids`, or the right `expected_count`'],
      },
    );
  }
  const ambiguousCount = files.reduce((sum, file) => sum + file.ambiguousCount, 0);
  if (ambiguousCount > 0) {
    const problem = `A match that contains another may be longer than meant, and there are ${ambiguousCount} of these`;
    throw new ExpectedError('edit.ambiguous', listed(problem), {
      hints: ['Make the pattern more specific', 'Pass the ids of those that are meant as `occurrence_ids`'],
    });
  }
  return files.map((file) => ({ file, indexes: [...Array(file.count).keys()] }));
}

/** Where nothing was found, the files that were not searched are the first thing to look at. */
function withUnread(error: ExpectedError, found: OccurrenceResult): ExpectedError {
  const unread = unreadGaps(found).map(({ missing, reason }) => `Look at what was left out: ${missing}: ${reason}`);
  return new ExpectedError(error.code, error.message, { hints: [...error.hints, ...unread] });
}

function chooseByIds(files: readonly FileOccurrences[], ids: readonly string[]): Chosen[] {
  if (ids.length === 0) {
    throw new ExpectedError('tool.invalid-input', '`occurrence_ids` is empty: there is nothing to replace', {
      hints: ['Leave it out to replace all occurrences', 'Call with `dry_run` to get ids'],
    });
  }
  const chosen = new Map<FileOccurrences, Set<number>>();
  const problems: string[] = [];
  for (const id of ids) {
    const place = locate(id, files);
    if (typeof place === 'string') problems.push(`\`${id}\`: ${place}`);
    else chosen.set(place.file, (chosen.get(place.file) ?? new Set()).add(place.index));
  }
  if (problems.length > 0) {
    throw new ExpectedError('edit.no-match', `Nothing was changed. ${problems.join('; ')}`, {
      hints: ['Call with `dry_run` to get the ids as they are now'],
    });
  }
  return [...chosen].map(([file, indexes]) => ({ file, indexes: [...indexes].sort((a, b) => a - b) }));
}

/** Returns the occurrence that an id means, or why there is none. */
function locate(id: string, files: readonly FileOccurrences[]): { file: FileOccurrences; index: number } | string {
  const parsed = tryParseOccurrenceId(id);
  if (parsed === undefined) return 'it is no id of an occurrence';
  const file = files.find(({ path }) => path === parsed.path);
  if (file === undefined) return 'the file has no matches now';
  const mark = file.edits?.marks[parsed.index];
  if (mark === undefined) return `the file has ${counted(file.count, 'match', 'matches')} now`;
  if (mark !== parsed.mark) return 'the file has changed since the dry run';
  return { file, index: parsed.index };
}

function applyAll(edits: Edits, chosen: readonly Chosen[]): void {
  for (const { file, indexes } of chosen) {
    const draft = edits.open(file.path);
    const { contentHash, offsets, replacements } = file.edits ?? {};
    if (contentHash !== createHash('sha1').update(draft.bytes).digest('hex')) {
      throw new ExpectedError('edit.conflict', `\`${file.path}\` changed while it was searched; nothing was changed`, {
        hints: ['Repeat the call'],
      });
    }
    for (const index of indexes) {
      draft.replace(offsets?.[2 * index] ?? 0, offsets?.[2 * index + 1] ?? 0, replacements?.[index] ?? '');
    }
  }
}

function summary(chosen: readonly Chosen[]): { value: string; shorter: (() => string)[] } {
  const counts = chosen.map(({ file, indexes }) => ({ path: file.path, count: indexes.length }));
  const header = `Replaced ${countInWords(counts)}`;
  const lines = counts.map(({ path, count }) => `  ${path}: ${count}`);
  return { value: [`${header}:`, ...lines].join('\n'), shorter: [() => `${header}.`] };
}
