import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { SearchedFile, SearchResult } from '../../search/scan-protocol.ts';
import { countByDirectory, labelled } from '../answers/shortening.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, type Output, tooLong } from '../tool.ts';
import { unreadGaps } from './unread.ts';

export const searchForPattern = defineTool({
  name: 'search_for_pattern',
  description: `Searches project files for a Python regex; "." also matches line breaks unless multiline is false. Use
it for text that is not a symbol, uncertain names and files that are not code. Returns JSON from file to matches, each
with whole lines, 0-based line numbers and the requested context.`,
  toolset: 'file_operations',
  effect: 'reads',
  needs: 'project',
  input: () =>
    z.object({
      substring_pattern: z.string().describe('Regex to search for.'),
      context_lines_before: z.int().default(0).describe('Context lines before each match.'),
      context_lines_after: z.int().default(0).describe('Context lines after each match.'),
      paths_include_glob: z.string().default('').describe('Paths to include, such as {src,lib}/**/*.ts; empty = all.'),
      paths_exclude_glob: z.string().default('').describe('Paths to exclude.'),
      relative_path: z.string().default('').describe('File or directory to search; empty = all.'),
      restrict_search_to_code_files: z
        .boolean()
        .default(false)
        .describe('Search only files that a language server of the project handles.'),
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
