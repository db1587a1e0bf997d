import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { editDataSchema, editOutput } from '../answers/finished-edits.ts';
import { checkParameter, definingPath, flag, uniqueNamePath } from '../parameters.ts';
import { defineTool, symbolEdit } from '../tool.ts';

const oneRename = z.object({ name_path: z.string(), relative_path: z.string().default(''), new_name: z.string() });
const listOfRenames = z.array(oneRename);

const renameSymbol = defineTool({
  ...symbolEdit,
  name: 'rename_symbol',
  description: `Renames symbols and all references, all or nothing.`,
  input: () => ({
    name_path: z.string().default('').describe('Name path, such as Class/method.'),
    relative_path: definingPath.default(''),
    new_name: z.string().default('').describe('Without a path.'),
    force: flag('Despite a taken name or errors.'),
    also: z.array(z.int()).default([]).describe('Ids of open places, to rename too.'),
    renames: z.array(z.looseObject({})).default([]).describe('Several: [{name_path, relative_path, new_name}].'),
    check: checkParameter(),
  }),
  data: editDataSchema,
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, { name_path, relative_path, new_name, force, also, renames, check }) {
    symbols.checkEdits(check);
    const own = name_path === '' ? [] : [{ name_path, relative_path, new_name }];
    const { success, data: listed = [] } = listOfRenames.safeParse(renames);
    const all = [...own, ...listed];
    if (!success || all.length === 0) throw wrongRenames();
    const asked = all.map((one) => ({ namePath: one.name_path, file: one.relative_path, newName: one.new_name }));
    return editOutput(await symbols.rename(edits, { renames: asked, mayCollide: force, also }));
  },
});

function wrongRenames(): ExpectedError {
  return new ExpectedError('tool.invalid-input', 'wrong arguments: no symbol to rename', {
    hints: [
      'pass `name_path`, `relative_path` and `new_name`',
      'or `renames`: [{"name_path": "Basket/total", "relative_path": "src/basket.ts", "new_name": "sum"}]',
    ],
  });
}

const renameFile = defineTool({
  ...symbolEdit,
  name: 'rename_file',
  description: 'Renames or moves a file or directory and corrects imports, all or nothing.',
  input: () => ({
    relative_path: z.string().describe('File or directory.'),
    new_relative_path: z.string().describe('New path; must not exist.'),
    check: checkParameter(),
  }),
  data: editDataSchema,
  async run({ symbols, edits }, { relative_path: from, new_relative_path: to, check }) {
    symbols.checkEdits(check);
    return editOutput(await symbols.renameFile(edits, { from, to }));
  },
});

const moveSymbol = defineTool({
  ...symbolEdit,
  name: 'move_symbol',
  description:
    'Moves a top-level symbol, or a static member of Java, to another file and corrects imports, all or nothing. For TypeScript, JavaScript, Python, Java, Rust within a crate, and Go within a package.',
  stage: 'optional',
  input: () => ({
    name_path: uniqueNamePath,
    relative_path: definingPath,
    new_relative_path: z.string().describe('Target file; created if it does not exist.'),
    re_export: flag('Keep the name in the old file; users stay as they are.'),
    check: checkParameter(),
  }),
  data: editDataSchema,
  async run({ symbols, edits }, input) {
    symbols.checkEdits(input.check);
    const moved = await symbols.move(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      newPath: input.new_relative_path,
      reExports: input.re_export,
    });
    return editOutput(moved);
  },
});

export const renameTools = [renameSymbol, renameFile, moveSymbol];
