import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { definingPath, flag, uniqueNamePath } from '../parameters.ts';
import { defineTool, symbolEdit } from '../tool.ts';

/** The others are only counted. */
const maxRows = 20;

const renameSymbol = defineTool({
  ...symbolEdit,
  name: 'rename_symbol',
  description: `Renames a symbol and all references to it, in all files or none. Returns the number of changed files
and notes remaining occurrences of the old name.`,
  input: () => ({
    name_path: uniqueNamePath,
    relative_path: definingPath,
    new_name: z.string().describe('New name, without a path.'),
    force: flag('Rename although the name is taken or code may break.'),
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    const { namePath, fileCount, places, openCount, notes, isIncomplete } = await symbols.rename(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      newName: input.new_name,
      mayCollide: input.force,
    });
    const count = places.reduce((sum, [, own]) => sum + own, 0);
    const open = openCount === 0 ? '' : `; ${counted(openCount, 'occurrence')} may be it and stayed`;
    const changed = `${counted(fileCount, 'file')} changed, ${counted(count, 'place')}${open}`;
    const rows = places.length > 1 ? places.slice(0, maxRows).map(([file, own]) => `${file}: ${own}`) : [];
    const more = places.length > maxRows ? [`and ${places.length - maxRows} more files`] : [];
    const value = [`Renamed \`${namePath}\` to \`${input.new_name}\`: ${changed}.`, ...rows, ...more].join('\n');
    return { value, notes, isIncomplete };
  },
});

const renameFile = defineTool({
  ...symbolEdit,
  name: 'rename_file',
  description: 'Renames or moves a file or directory and corrects imports, all or nothing.',
  input: () => ({
    relative_path: z.string().describe('File or directory.'),
    new_relative_path: z.string().describe('New path; must not exist.'),
  }),
  async run({ symbols, edits }, input) {
    const { from, to, isDirectory, movedCount, changed, notes } = await symbols.renameFile(edits, {
      from: input.relative_path,
      to: input.new_relative_path,
    });
    const moved = isDirectory ? ` (${counted(movedCount, 'file')})` : '';
    const others = changed.length === 0 ? 'no other file changed' : `also changed: ${changed.join(', ')}`;
    return {
      value: `Moved \`${from}\` to \`${to}\`${moved}; ${others}.`,
      shorter: [() => `Moved \`${from}\` to \`${to}\`${moved}; also changed ${counted(changed.length, 'file')}.`],
      notes,
    };
  },
});

const moveSymbol = defineTool({
  ...symbolEdit,
  name: 'move_symbol',
  description:
    'Moves a top-level symbol to another file and corrects imports, all or nothing. For TypeScript, JavaScript, Python, and Go within a package.',
  stage: 'optional',
  input: () => ({
    name_path: uniqueNamePath,
    relative_path: definingPath,
    new_relative_path: z.string().describe('Target file; created if it does not exist.'),
    re_export: flag('Keep the name in the old file; users stay as they are.'),
  }),
  async run({ symbols, edits }, input) {
    const { namePath, from, to, changed, notes } = await symbols.move(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      newPath: input.new_relative_path,
      reExports: input.re_export,
    });
    const head = `Moved \`${namePath}\` from \`${from}\` to \`${to}\``;
    return {
      value: `${head}; changed: ${changed.join(', ')}.`,
      shorter: [() => `${head}; changed ${counted(changed.length, 'file')}.`],
      notes,
    };
  },
});

export const renameTools = [renameSymbol, renameFile, moveSymbol];
