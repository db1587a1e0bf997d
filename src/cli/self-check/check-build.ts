import type { Environment } from '../environment.ts';
import type { SelfCheckFinding } from './finding.ts';

/** Reports what this program was built from. */
export function checkBuild({ version, build }: Environment): SelfCheckFinding {
  if (build === undefined) return { check: 'build', status: 'ok', what: `Serena ${version}, run from its sources` };
  const parts = [
    `Serena ${version}`,
    build.commit === '' ? 'unknown commit' : `commit ${build.commit}`,
    build.date === '' ? 'unknown date' : `of ${build.date}`,
    `for ${process.platform}-${process.arch}`,
  ];
  return { check: 'build', status: 'ok', what: parts.join(', ') };
}
