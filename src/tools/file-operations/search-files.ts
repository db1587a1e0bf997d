import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { NameMatches, NameQuery, SearchedFile, SearchResult } from '../../search/scan-protocol.ts';
import { countByDirectory, labelled } from '../answers/answer-text.ts';
import { flag, pageParts } from '../parameters.ts';
import { defineTool, fileQuery, type Output, tooLong } from '../tool.ts';

export const listDir = defineTool({
  ...fileQuery,
  name: 'list_dir',
  description: `Lists the directories and files in a directory, optionally recursively. Returns JSON with "dirs" and
"files", paths relative to the project root.`,
  input: () => ({
    relative_path: z.string().describe('Directory to list, relative to the project root; "." = the root itself.'),
    recursive: z.boolean().describe('Include all levels of subdirectories.'),
    skip_ignored_files: flag('Omit ignored files.'),
    ...pageParts,
  }),
  async run({ project, call }, input) {
    const path = resolveInProject(project, input.relative_path);
    if (!existsSync(join(project.root, path))) {
      // Not an error: agents guess directories, and the answer contains the next step.
      return {
        value: {
          error: `there is no directory \`${input.relative_path}\` in the project`,
          project_root: project.root,
          hint: 'call `list_dir` with "." to list the root',
        },
      };
    }
    const options = { recursive: input.recursive, includeIgnored: !input.skip_ignored_files };
    const listing = await project.scanner.listDirectory(path, options, call.signal);
    return {
      value: { dirs: listing.dirs, files: listing.files },
      shorter: [
        ...countByDirectory('Number of files by directory', listing.files),
        () => `${counted(listing.files.length, 'file')} in ${counted(listing.dirs.length, 'directory')} below.`,
      ],
      gaps: unlistedGaps(listing.unreadable),
    };
  },
});

export const findFile = defineTool({
  ...fileQuery,
  name: 'find_file',
  description: `Finds files by name below a directory. Returns JSON with "files", paths relative to the project
root.`,
  input: () => ({
    file_mask: z.string().describe('File name or wildcard pattern (* ? [abc]), without directories.'),
    relative_path: z.string().describe('Directory to search, relative to the project root; "." = the root itself.'),
    skip_ignored_files: z
      .boolean()
      .nullable()
      .default(null)
      .describe('Omit ignored files; null = only if others match.'),
    ...pageParts,
  }),
  async run({ project, call }, input) {
    const under = resolveInProject(project, input.relative_path);
    const { file_mask: mask, skip_ignored_files: isSkipping } = input;
    const ignored = isSkipping === null ? 'counted' : isSkipping ? 'left-out' : 'listed';
    const query: NameQuery = { under, mask, ignoreCase: masksIgnoreCase(), ignored };
    const found = await project.scanner.findNames(query, call.signal);
    const { files } = found;
    return {
      value: { files },
      shorter: [
        ...countByDirectory('Number of files by directory', files),
        () =>
          `${counted(files.length, 'file')}; pass a more specific \`file_mask\` or a directory as \`relative_path\`.`,
      ],
      notes: notesOn(found, query),
      gaps: unlistedGaps(found.unreadable),
    };
  },
});

/** True where masks match without regard to case: on Windows; see docs/compatibility.md. */
export function masksIgnoreCase(platform = process.platform): boolean {
  return platform === 'win32';
}

function notesOn(
  { files, ignoredCount, areAllIgnored, nearNames }: NameMatches,
  { mask, ignored }: NameQuery,
): string[] {
  if (files.length === 0) return whyNone(mask, nearNames);
  if (ignored !== 'counted' || ignoredCount === 0) return [];
  if (areAllIgnored) return ['All files listed here are ignored by the ignore rules of the project'];
  const [match, pronoun] = ignoredCount === 1 ? ['matches', 'it'] : ['match', 'them'];
  return [
    `${counted(ignoredCount, 'ignored file')} also ${match}; pass \`skip_ignored_files\` false to list ${pronoun}`,
  ];
}

function whyNone(mask: string, nearNames: readonly string[]): string[] {
  if (mask.includes('/')) {
    return ['`file_mask` matches file names without directories; pass the directory as `relative_path`'];
  }
  const names = nearNames.map((name) => `\`${name}\``).join(', ');
  return names === '' ? [] : [`Nothing matches; similar names are ${names}`];
}

export const searchForPattern = defineTool({
  ...fileQuery,
  name: 'search_for_pattern',
  description: `Searches project files for a Python regex; "." also matches line breaks unless multiline is false. Use
it for text that is not a symbol, uncertain names and files that are not code. Returns JSON from file to matches, each
with whole lines, 0-based line numbers and the requested context.`,
  input: () => ({
    substring_pattern: z.string().describe('Regex to search for.'),
    context_lines_before: z.int().default(0).describe('Context lines before each match.'),
    context_lines_after: z.int().default(0).describe('Context lines after each match.'),
    paths_include_glob: z.string().default('').describe('Paths to include, such as {src,lib}/**/*.ts; empty = all.'),
    paths_exclude_glob: z.string().default('').describe('Paths to exclude.'),
    relative_path: z.string().default('').describe('File or directory to search; empty = all.'),
    restrict_search_to_code_files: flag('Search only files that a language server of the project handles.'),
    skip_ignored_files: z.boolean().default(true).describe('Omit ignored files.'),
    multiline: z.boolean().default(true).describe('Matches may span lines; ^ and $ match at every line.'),
    ...pageParts,
  }),
  async run({ project, sourceFiles, call, limits }, input) {
    const under = resolveInProject(project, input.relative_path.trim());
    const onlyCode = input.restrict_search_to_code_files;
    const result = await project.scanner.search(
      {
        pattern: input.substring_pattern,
        multiline: input.multiline,
        contextBefore: Math.max(0, input.context_lines_before),
        contextAfter: Math.max(0, input.context_lines_after),
        includeGlob: input.paths_include_glob,
        excludeGlob: input.paths_exclude_glob,
        under,
        includeIgnored: !onlyCode && !input.skip_ignored_files,
        ...(onlyCode ? { extensions: sourceFiles.extensions, pruneDirectories: sourceFiles.prunedDirectories } : {}),
        maxChars: input.max_answer_chars === -1 ? limits.maxAnswerChars : input.max_answer_chars,
      },
      call.signal,
    );
    return { ...rendered(result), gaps: unreadGaps(result) };
  },
});

function rendered({ files, totalMatches }: SearchResult): Output {
  const byFile = (pick: (file: SearchedFile) => unknown) =>
    Object.fromEntries(files.map((file) => [file.path, pick(file)]));
  // The scanner omits renderings that cannot fit.
  const step = (label: string, pick: (file: SearchedFile) => unknown) =>
    files.every((file) => pick(file) !== undefined) ? [() => labelled(label, byFile(pick))] : [];
  return {
    value: files.every((file) => file.blocks) ? byFile((file) => file.blocks) : tooLong,
    shorter: [
      ...step('First line of each match (call read_file for more)', (file) => file.firstLines),
      ...step('Beginning of the first line of each match', (file) => file.briefLines),
      ...step('Line numbers of the matches', (file) => file.lines),
      ...step('Number of matches by file', (file) => file.count),
      ...countByDirectory(
        'Number of files with matches by directory',
        files.map(({ path }) => path),
      ),
      () => `${counted(totalMatches, 'match', 'matches')} in ${counted(files.length, 'file')}.`,
    ],
  };
}

/** Returns the gaps for files that could not be searched. */
export function unreadGaps({
  undecodable,
  unreadable,
}: {
  readonly undecodable: readonly string[];
  readonly unreadable: readonly string[];
}): Gap[] {
  return [
    ...gapOf(undecodable, {
      reason: 'the text is not in the encoding of the project',
      next: 'Set `encoding` in the project configuration, or search these files with another tool',
    }),
    ...gapOf(unreadable, {
      reason: 'reading them failed',
      next: 'Check their permissions, and the length of their paths',
    }),
  ];
}

/** Returns the gaps for directories that could not be listed. */
export function unlistedGaps(unreadable: readonly string[]): Gap[] {
  if (unreadable.length === 0) return [];
  const [directories, pronoun] = unreadable.length === 1 ? ['this directory', 'its'] : ['these directories', 'their'];
  return [
    {
      missing: `${namedFiles(unreadable)}: the content of ${directories} is not listed`,
      reason: 'reading failed',
      next: `Check ${pronoun} permissions, and the length of the path`,
    },
  ];
}

function gapOf(files: readonly string[], why: { reason: string; next: string }): Gap[] {
  if (files.length === 0) return [];
  return [{ missing: `${namedFiles(files)} ${files.length === 1 ? 'was' : 'were'} not searched`, ...why }];
}
