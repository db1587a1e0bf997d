import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { defineTool } from '../tool.ts';

export const createTextFile = defineTool({
  name: 'create_text_file',
  description: `Creates or overwrites a text file, creating parent directories as needed. To change part of a file,
use the editing tools. Returns whether a file was overwritten.`,
  toolset: 'file_operations',
  effect: 'edits',
  isLocal: true,
  needs: 'project',
  input: () =>
    z.object({
      relative_path: z.string().describe('File to write, relative to the project root.'),
      content: z.string().describe('Complete text; line breaks become those of the file or platform.'),
    }),
  async run({ project, edits, call }, input) {
    const path = resolveInProject(project, input.relative_path);
    if (path === '' || /[\\/]$/.test(input.relative_path)) {
      throw new ExpectedError('file.is-directory', `cannot write \`${input.relative_path}\`: it names a directory`, {
        hints: ['include the file name; parent directories are created as needed'],
      });
    }
    const wasThere = edits.write(path, input.content, { mayReplace: true });
    await edits.commit(call.signal);
    return { value: `File created: ${path}.${wasThere ? ' Overwrote existing file.' : ''}` };
  },
});
