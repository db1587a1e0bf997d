import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { countByDirectory } from '../answers/shortening.ts';
import { pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { unlistedGaps } from './unread.ts';

export const listDir = defineTool({
  name: 'list_dir',
  description: `Lists the directories and files in a directory, optionally recursively. Returns JSON with "dirs" and
"files", paths relative to the project root.`,
  toolset: 'file_operations',
  effect: 'reads',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: z.string().describe('Directory to list, relative to the project root; "." = the root itself.'),
      recursive: z.boolean().describe('Include all levels of subdirectories.'),
      skip_ignored_files: z.boolean().default(false).describe('Omit ignored files.'),
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
