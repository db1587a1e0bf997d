import { type Gap, namedFiles } from '../../base/gap.ts';

/** Returns what an answer leaves out because files could not be searched. */
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

/** Returns what a listing leaves out because directories could not be read. */
export function unlistedGaps(unreadable: readonly string[]): Gap[] {
  if (unreadable.length === 0) return [];
  const what = unreadable.length === 1 ? 'is in that directory' : 'is in these directories';
  const reason = 'reading failed';
  return [
    { missing: `${namedFiles(unreadable)}: what ${what} is not listed`, reason, next: 'Check their permissions' },
  ];
}

function gapOf(files: readonly string[], why: { reason: string; next: string }): Gap[] {
  if (files.length === 0) return [];
  return [{ missing: `${namedFiles(files)} ${files.length === 1 ? 'was' : 'were'} not searched`, ...why }];
}
