import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import type { IdeTarget } from '../../jetbrains/ide.ts';
import { toJson } from '../../text/json.ts';
import { withoutEntities } from '../arguments.ts';
import { flag, optionalText } from '../parameters.ts';
import { defineTool, type ProjectContext } from '../tool.ts';
import { editedPath, given, ideTool, namePath, targetPath } from './arguments.ts';

const refactoring = { ...ideTool, effect: 'edits', stage: 'beta' } as const;

/** Path for refactorings of a symbol, or of the file or directory itself. */
const editedPathParameter = () => z.string().describe('File or directory to change, relative to the project root.');

const optionalNamePath = () =>
  optionalText('Name path of the symbol in that file; null = the file or directory itself.');

interface Target {
  readonly name_path: string | null;
  readonly relative_path: string;
}

/** @throws {ExpectedError} see {@link editedPath}. */
function targetOf({ project }: ProjectContext, { name_path, relative_path }: Target): IdeTarget {
  return { namePath: given(name_path), relativePath: editedPath(project, relative_path) };
}

const jetBrainsRename = defineTool({
  ...refactoring,
  name: 'jet_brains_rename',
  description: `Renames a symbol, file or directory and updates references, through the user's JetBrains IDE. Returns
"Success".`,
  stage: 'optional',
  input: () => ({
    relative_path: editedPathParameter(),
    new_name: z.string().min(1).describe('New name, never a path; for a file, with its extension.'),
    name_path: optionalNamePath(),
    rename_in_comments: flag('Rename in comments and string literals as well.'),
    rename_in_text_occurrences: flag('Rename in files that are not code as well, such as documentation.'),
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run(context, input) {
    const target = targetOf(context, input);
    // A name with directories would move the file, possibly out of the project.
    if (target.namePath === null && /[\\/]/.test(input.new_name)) {
      throw new ExpectedError('tool.invalid-input', `\`${input.new_name}\` is a path, not a name`, {
        hints: ['pass the name alone', 'call `jet_brains_move` to move a file or directory'],
      });
    }
    await context.ide.rename({
      ...target,
      newName: input.new_name,
      renameInComments: input.rename_in_comments,
      renameInTextOccurrences: input.rename_in_text_occurrences,
    });
    return { value: JSON.stringify('Success') };
  },
});

const jetBrainsMove = defineTool({
  ...refactoring,
  name: 'jet_brains_move',
  description: `Moves a symbol, file or directory and updates references, through the user's JetBrains IDE. It never
renames. Returns the answer of the IDE as JSON.`,
  input: () => ({
    relative_path: editedPathParameter(),
    name_path: optionalNamePath(),
    target_relative_path: optionalText(
      'Target file or directory for a symbol; target directory for a file or directory.',
    ),
    target_parent_name_path: optionalText('Name path of the symbol in the target file to move into.'),
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run(context, input) {
    const path = given(input.target_relative_path);
    const answer = await context.ide.move({
      ...targetOf(context, input),
      targetParentNamePath: given(input.target_parent_name_path),
      targetRelativePath: path === null ? null : targetPath(context.project, path),
    });
    return { value: toJson(answer) };
  },
});

const jetBrainsSafeDelete = defineTool({
  ...refactoring,
  name: 'jet_brains_safe_delete',
  description: `Deletes a symbol, file or directory through the user's JetBrains IDE, which refuses by default if it
is in use. Returns the answer of the IDE as JSON.`,
  input: () => ({
    relative_path: editedPathParameter(),
    name_path: optionalNamePath(),
    delete_even_if_used: flag('Delete even if it is in use.'),
    propagate: flag('Also delete code that only it used, such as arguments for a deleted parameter.'),
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run(context, input) {
    const answer = await context.ide.safeDelete({
      ...targetOf(context, input),
      deleteEvenIfUsed: input.delete_even_if_used,
      propagate: input.propagate,
    });
    return { value: toJson(answer) };
  },
});

const jetBrainsInlineSymbol = defineTool({
  ...refactoring,
  name: 'jet_brains_inline_symbol',
  description: `Inlines a function, method or variable at all references, through the user's JetBrains IDE. Returns
the answer of the IDE as JSON.`,
  input: () => ({
    name_path: namePath,
    relative_path: editedPathParameter(),
    keep_definition: flag('Keep the definition.'),
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const answer = await ide.inline({
      namePath: withoutEntities(input.name_path),
      relativePath: editedPath(project, input.relative_path),
      keepDefinition: input.keep_definition,
    });
    return { value: toJson(answer) };
  },
});

export const ideRefactorings = [jetBrainsRename, jetBrainsMove, jetBrainsSafeDelete, jetBrainsInlineSymbol];
