import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { TextMatch } from '../../search/scan-protocol.ts';
import type { ProjectContext } from '../tool.ts';

/**
 * Returns the offset (in UTF-16 code units) of the one group of `pattern` in `text`; the pattern must match once. `file`
 * is for messages.
 *
 * @throws {ExpectedError} `tool.invalid-input` for another number of matches or groups; `search.*`.
 */
export async function capturedOffset(
  { project, call }: ProjectContext,
  { file, pattern, text }: { file: string; pattern: string; text: string },
): Promise<number> {
  const matches = await project.scanner.matches({ pattern, multiline: true, text, path: file }, call.signal);
  const [match] = matches;
  if (!match || matches.length > 1) {
    throw badRegex(
      `\`regex\` has ${counted(matches.length, 'match', 'matches')} in \`${file}\`; it must have exactly one`,
      [match ? 'add text around the group, or narrow the scope' : 'check the regex with `search_for_pattern`'],
    );
  }
  return startOfGroup(match);
}

function startOfGroup({ groupStarts }: TextMatch): number {
  const count = groupStarts.length - 1;
  const start = groupStarts[1];
  if (count === 1 && start !== undefined) return start;
  const problem = count === 1 ? 'a group that did not match' : `${count} capturing groups`;
  throw badRegex(`\`regex\` has ${problem}; it must have exactly one, around the name`, [
    'write other groups as non-capturing groups: `(?:…)`',
  ]);
}

function badRegex(message: string, hints: string[]): ExpectedError {
  return new ExpectedError('tool.invalid-input', message, { hints });
}
