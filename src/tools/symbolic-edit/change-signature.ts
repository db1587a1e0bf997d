import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { editDataSchema, editOutput } from '../answers/finished-edits.ts';
import { checkParameter, definingPath, flag, uniqueNamePath } from '../parameters.ts';
import { defineTool, symbolEdit } from '../tool.ts';

const Change = z.strictObject({
  add: z.string().optional(),
  value: z.string().optional(),
  before: z.string().optional(),
  remove: z.string().optional(),
  rename: z.string().optional(),
  to: z.string().optional(),
  order: z.array(z.string()).optional(),
  keyword: z.string().optional(),
  positional: z.string().optional(),
});

type Change = z.infer<typeof Change>;

const shapes =
  '{"add": "x: int = 1", "value": "2", "before": "y"} (only add is required), {"remove": "x"}, {"rename": "x", "to": "y"}, {"order": ["y", "x"]}, {"keyword": "x"} (by name only) or {"positional": "x"}';

/** @throws {ExpectedError} `tool.invalid-input` for a change that does not say exactly one thing to do. */
function parseChange(sent: unknown): Change {
  const { data } = Change.safeParse(sent);
  if (data !== undefined && saysOneThing(data)) return data;
  throw new ExpectedError('tool.invalid-input', `\`${JSON.stringify(sent)}\` is not a change of a signature`, {
    hints: [`use ${shapes}`],
  });
}

function saysOneThing({ add, remove, rename, order, keyword, positional, value, before, to }: Change): boolean {
  const given = [add, remove, rename, order, keyword, positional].filter((one) => one !== undefined);
  const isAddition = add !== undefined || (value === undefined && before === undefined);
  return given.length === 1 && isAddition && (rename === undefined) === (to === undefined);
}

export const changeSignature = defineTool({
  ...symbolEdit,
  name: 'change_signature',
  description: `Adds, removes, renames or reorders parameters of a function in its declarations, overrides and
implementations, and the arguments of every call, all or nothing. Lists uses that are no plain calls.`,
  stage: 'optional',
  input: () => ({
    name_path: uniqueNamePath,
    relative_path: definingPath,
    changes: z.array(z.looseObject({})).describe(`In order, each ${shapes}.`),
    force: flag('Change it although code may break.'),
    also: z.array(z.int()).default([]).describe('Ids of open calls, to change too.'),
    check: checkParameter(),
  }),
  data: editDataSchema,
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    symbols.checkEdits(input.check);
    const changed = await symbols.changeSignature(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      changes: input.changes.map(parseChange),
      mayBreak: input.force,
      also: input.also,
    });
    return editOutput(changed);
  },
});
