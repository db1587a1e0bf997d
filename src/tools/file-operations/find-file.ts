import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { NameMatches, NameQuery } from '../../search/scan-protocol.ts';
import { countByDirectory } from '../answers/shortening.ts';
import { pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { unlistedGaps } from './unread.ts';

export const findFile = defineTool({
  name: 'find_file',
  description: `Finds files by name below a directory. Returns JSON with "files", paths relative to the project
root.`,
  toolset: 'file_operations',
  effect: 'reads',
  needs: 'project',
  input: () =>
    z.object({
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
