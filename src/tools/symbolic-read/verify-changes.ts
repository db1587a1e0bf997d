import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { Rendered } from '../answers/answer-text.ts';
import { VerificationData, verificationData, verificationLines } from '../answers/verification.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, symbolQuery } from '../tool.ts';
import { changesSince } from './changed-symbols.ts';

/** More say nothing about what to do. */
const maxTestGaps = 2;

const toolReader = { firstLine: 0, shown: (path: string) => path } as const;

export const verifyChanges = defineTool({
  ...symbolQuery,
  name: 'verify_changes',
  description: 'Is the change done? Compares with a Git base: new problems, uses left open, tests to run.',
  stage: 'optional',
  input: () => ({
    base: z.string().default('').describe('Commit or session; default: upstream.'),
    relative_path: z.string().default('').describe('File or directory.'),
    ...pageParts,
  }),
  data: () => VerificationData,
  async run(context, { base, relative_path }) {
    const { symbols, format } = context;
    const between = await changesSince(context, { base, relative_path });
    if (between.isHistoric)
      throw new ExpectedError('tool.invalid-input', `\`${base}\` is not compared with the working tree`, {
        hints: ['pass one commit, or `session`'],
      });
    const found = await symbols.verifyChanges(between);
    const data = verificationData(between.compared, found, symbols.gaps.length > 0);
    const render = (value: unknown) => verificationLines(VerificationData.parse(value), toolReader).join('\n');
    return {
      value: format === 'legacy' ? data : new Rendered(data, render),
      data,
      isIncomplete: data.verdict === 'incomplete',
      notes: found.testGaps.slice(0, maxTestGaps).map(({ missing, reason }) => {
        return `Further tests may reach the change. ${missing}: ${reason}`;
      }),
    };
  },
});
