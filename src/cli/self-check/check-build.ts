import type { Environment } from '../environment.ts';
import type { SelfCheckFinding } from './finding.ts';

/** Tells what this program was built from. */
export function checkBuild({ version, build }: Environment): SelfCheckFinding {
  if (build === undefined) return { check: 'build', status: 'ok', what: `Serena ${version}, run from its sources` };
  const parts = [
    `Serena ${version}`,
    build.commit === '' ? 'of no known commit' : `commit ${build.commit}`,
    build.date === '' ? 'of no known date' : `of ${build.date}`,
    `for ${process.platform}-${process.arch}`,
  ];
  return { check: 'build', status: 'ok', what: parts.join(', ') };
}
