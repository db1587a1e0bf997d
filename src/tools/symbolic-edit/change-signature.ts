import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { definingPath, flag, uniqueNamePath } from '../parameters.ts';
import { defineTool, symbolEdit } from '../tool.ts';

/** The others are only counted. */
const maxRows = 20;

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
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, edits }, input) {
    const { namePath, places, openCount, notes } = await symbols.changeSignature(edits, {
      namePath: input.name_path,
      relativePath: input.relative_path,
      changes: input.changes.map(parseChange),
      mayBreak: input.force,
    });
    const count = places.reduce((sum, [, own]) => sum + own, 0);
    const open = openCount === 0 ? '' : `; ${counted(openCount, 'use')} may need a change and stayed`;
    const changed = `${counted(places.length, 'file')} changed, ${counted(count, 'place')}${open}`;
    const rows = places.length > 1 ? places.slice(0, maxRows).map(([file, own]) => `${file}: ${own}`) : [];
    const more = places.length > maxRows ? [`and ${places.length - maxRows} more files`] : [];
    return { value: [`Changed the signature of \`${namePath}\`: ${changed}.`, ...rows, ...more].join('\n'), notes };
  },
});
