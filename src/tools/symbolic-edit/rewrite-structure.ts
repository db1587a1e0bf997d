import { z } from 'zod';
import { editDataSchema, editOutput } from '../answers/finished-edits.ts';
import { checkParameter } from '../parameters.ts';
import { structureParts, structureQuery } from '../symbolic-read/search-structure.ts';
import { defineTool, symbolEdit } from '../tool.ts';

export const rewriteStructure = defineTool({
  ...symbolEdit,
  name: 'rewrite_structure',
  description: 'Replaces all code that matches a pattern of search_structure, all or nothing.',
  stage: 'optional',
  input: () => ({
    pattern: structureParts.pattern,
    rewrite: z.string().describe('New code, with the variables of the pattern.'),
    language: structureParts.language,
    relative_path: structureParts.relative_path,
    where: structureParts.where,
    rule: structureParts.rule,
    check: checkParameter(),
  }),
  data: editDataSchema,
  async run({ symbols, edits }, { rewrite, check, ...input }) {
    symbols.checkEdits(check);
    return editOutput(await symbols.rewriteStructure(edits, { ...structureQuery(input), rewrite }));
  },
});
