import { type Gap, namedFiles } from '../../base/gap.ts';

/** Returns the gaps for files that could not be searched. */
export function unreadGaps({
  undecodable,
  unreadable,
}: {
  readonly undecodable: readonly string[];
  readonly unreadable: readonly string[];
}): Gap[] {
  return [
    ...gapOf(undecodable, {
      reason: 'the text is not in the encoding of the project',
      next: 'Set `encoding` in the project configuration, or search these files with another tool',
    }),
    ...gapOf(unreadable, { reason: 'reading them failed', next: 'Check their permissions' }),
  ];
}

/** Returns the gaps for directories that could not be listed. */
export function unlistedGaps(unreadable: readonly string[]): Gap[] {
  if (unreadable.length === 0) return [];
  const [directories, pronoun] = unreadable.length === 1 ? ['this directory', 'its'] : ['these directories', 'their'];
  return [
    {
      missing: `${namedFiles(unreadable)}: the content of ${directories} is not listed`,
      reason: 'reading failed',
      next: `Check ${pronoun} permissions`,
    },
  ];
}

function gapOf(files: readonly string[], why: { reason: string; next: string }): Gap[] {
  if (files.length === 0) return [];
  return [{ missing: `${namedFiles(files)} ${files.length === 1 ? 'was' : 'were'} not searched`, ...why }];
}
