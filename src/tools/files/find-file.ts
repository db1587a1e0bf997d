import { z } from 'zod';
import { resolveInProject } from '../../project/project-path.ts';
import { compileFileMask } from '../../text/glob.ts';
import { defineTool } from '../tool.ts';

export const findFile = defineTool({
  name: 'find_file',
  description: `Finds files by name below a folder of the project. Returns a JSON object with "files", paths relative
to the project root.`,
  toolset: 'file_operations',
  effect: 'reads',
  needs: 'project',
  input: z.object({
    file_mask: z.string().describe('Name or mask with * ? [abc], without folders.'),
    relative_path: z.string().describe('Folder to search, relative to the project root; "." for that.'),
    skip_ignored_files: z.boolean().default(true).describe('Whether to leave out ignored ones.'),
  }),
  async run({ project, call }, input) {
    const path = resolveInProject(project, input.relative_path);
    const matches = compileFileMask(input.file_mask, { ignoreCase: process.platform === 'win32' });
    const scope = { under: path, includeIgnored: !input.skip_ignored_files, includeLinks: true };
    const files = await project.scanner.listFiles(scope, call.signal);
    const found = files.map((file) => file.path).filter((file) => matches(file.slice(file.lastIndexOf('/') + 1)));
    return { value: { files: found } };
  },
});
