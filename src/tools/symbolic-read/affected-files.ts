import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import type { ChangedFiles } from '../../project/changed-files.ts';
import type { Symbols } from '../../symbols/symbols.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, symbolQuery } from '../tool.ts';
import { changesSince } from './changed-symbols.ts';

/** What `serena affected` asks: models read the tests in the answers of `verify_changes` and `changed_symbols`. */
export const listAffectedFiles = defineTool({
  ...symbolQuery,
  name: 'affected_files',
  description: 'Lists the files that use what changed since a Git base, and the files with tests that reach it.',
  replaces: 'changed_symbols',
  input: () => ({
    base: z.string().default('').describe('Commit; default: the merge base with the upstream.'),
    relative_path: z.string().default('').describe('File or directory.'),
    files: z.array(z.string()).nullable().default(null).describe('Changed files, in place of what Git finds.'),
    ...pageParts,
  }),
  async run(context, { base, relative_path, files }) {
    const { symbols } = context;
    const given = files === null ? undefined : await givenFiles(symbols, files, relative_path);
    const between = given?.between ?? (await changesSince(context, { base, relative_path }));
    if (between.isHistoric)
      throw new ExpectedError('tool.invalid-input', `\`${base}\` is not compared with the working tree`, {
        hints: ['pass one commit as `base`'],
      });
    const { users, tests } = await symbols.affectedFiles(between);
    const { gaps = [], notes = [] } = given ?? {};
    return { value: { compared: between.compared, files: users, tests }, gaps, notes };
  },
});

/** Returns files that a caller names, of which everything counts as changed. */
async function givenFiles(
  symbols: Symbols,
  files: readonly string[],
  within: string,
): Promise<{ between: ChangedFiles; gaps: Gap[]; notes: string[] }> {
  const accepts = await symbols.acceptsBelow(within);
  const paths = new Set<string>();
  const missing: string[] = [];
  const others: string[] = [];
  for (const given of files) {
    try {
      const { file } = await symbols.source(given);
      if (accepts(file)) paths.add(file);
      else others.push(given);
    } catch (error) {
      if (!isExpected(error)) throw error;
      (error.code === 'file.not-found' ? missing : others).push(given);
    }
  }
  const reason = 'they do not exist';
  return {
    between: {
      compared: counted(paths.size, 'given file'),
      files: [...paths].sort().map((path) => ({ path, old: undefined, new: 'on-disk' })),
      isHistoric: false,
    },
    gaps: missing.length === 0 ? [] : [{ missing: `Users of ${namedFiles(missing)} are missing`, reason, next }],
    notes: others.length === 0 ? [] : [`Not followed, because no source file of the project: ${namedFiles(others)}`],
  };
}

const next = 'Set `base` instead, so that deleted symbols are known';
