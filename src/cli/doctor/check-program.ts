import { realpathSync } from 'node:fs';
import { findProgram } from '../../base/process/find-program.ts';
import type { Environment } from '../environment.ts';
import type { Finding } from './finding.ts';

/** Reports this program, and checks that `serena` in a shell starts the same one. */
export function checkProgram({ command, env, version }: Environment): Finding[] {
  const [program] = command;
  const here: Finding = { area: 'program', status: 'ok', what: `Serena ${version}: ${program}` };
  const onPath = findProgram('serena', env);
  if (onPath === undefined) {
    const fix = `link ${program} into a directory on \`PATH\`; clients that were set up with \`serena setup\` do not need it`;
    return [here, { area: 'program', status: 'note', what: 'there is no `serena` on `PATH`', fix }];
  }
  if (realpathSync(onPath) === realpathSync(program)) return [here];
  const fix = `remove it, or put the directory of ${program} before it on \`PATH\``;
  return [
    here,
    { area: 'program', status: 'note', what: `\`serena\` on \`PATH\` is a different program: ${onPath}`, fix },
  ];
}
