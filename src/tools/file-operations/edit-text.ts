import { z } from 'zod';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { replaceMatches } from '../../search/replace-matches.ts';
import { flag } from '../parameters.ts';
import { defineTool, textEdit } from '../tool.ts';

export const createTextFile = defineTool({
  ...textEdit,
  name: 'create_text_file',
  description: `Creates or overwrites a text file, creating parent directories as needed. To change part of a file,
use the editing tools. Returns whether a file was overwritten.`,
  input: () => ({
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

export const replaceContent = defineTool({
  ...textEdit,
  name: 'replace_content',
  description: `Replaces literal text or a regex match in one file; \`begin.*?end\` covers a long passage. Fails if
there are no, several or ambiguous matches.`,
  input: () => ({
    relative_path: z.string().describe('File to change, relative to the project.'),
    needle: z.string().describe('Text or regex to find; line breaks are \\n.'),
    repl: z.string().describe('Replacement; in regex mode, $!1 = group 1, $!0 = match.'),
    mode: z.enum(['literal', 'regex']).describe('Exact text or Python regex (DOTALL, MULTILINE).'),
    allow_multiple_occurrences: flag('Replace all matches instead of failing.'),
  }),
  aliases: { regex: { name: 'needle', implies: { mode: 'regex' } } },
  async run({ project, edits, call }, input) {
    const { needle, repl, mode } = input;
    const draft = edits.open(input.relative_path);
    const allowsMultiple = input.allow_multiple_occurrences;
    const replacement = { needle, repl, mode, path: draft.path, allowsMultiple };
    await replaceMatches(draft, replacement, { scanner: project.scanner, signal: call.signal });
    await edits.commit(call.signal);
    return { value: 'OK' };
  },
});

/** Predecessor of `replace_content`, callable for older clients and prompts (see docs/compatibility.md, `replace_regex`). */
export const replaceRegex = defineTool({
  ...textEdit,
  name: 'replace_regex',
  description: `Replaces regex matches in one file. Returns OK, or a sentence about the number of matches if it is not
one.`,
  replaces: 'replace_content',
  input: () => ({
    relative_path: z.string().describe('File to change, relative to the project.'),
    regex: z.string().describe('Python regex (DOTALL, MULTILINE).'),
    repl: z.string().describe('Replacement as in Python re.sub: \\1 or \\g<name> for a group, \\n for a line break.'),
    allow_multiple_occurrences: flag('Replace all matches.'),
  }),
  aliases: { needle: 'regex' },
  async run({ project, edits, call }, input) {
    const { regex: needle, repl } = input;
    const draft = edits.open(input.relative_path);
    const allowsMultiple = input.allow_multiple_occurrences;
    const rule = { needle, repl, mode: 'template', path: draft.path } as const;
    const replacement = { ...rule, allowsMultiple, allowsAmbiguous: true };
    try {
      await replaceMatches(draft, replacement, { scanner: project.scanner, signal: call.signal });
    } catch (error) {
      if (!isExpected(error, 'edit.no-match', 'edit.unexpected-count')) throw error;
      return { value: error.message };
    }
    await edits.commit(call.signal);
    return { value: 'OK' };
  },
});
