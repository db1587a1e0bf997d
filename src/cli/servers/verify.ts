import { counted } from '../../base/counted.ts';
import { verifyAll } from '../../install/store/verify.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { printJson, printLines, withProgress } from './work.ts';

/**
 * Verifies blobs and installations against their hashes. Returns the exit code: failed if one differs.
 */
export async function verifyServers(
  flags: { readonly deep?: boolean; readonly json?: boolean },
  environment: Environment,
): Promise<number> {
  const verdicts = await withProgress(environment, {}, ({ home, env, signal, report }) =>
    verifyAll({ home, env, signal, isDeep: flags.deep === true, onProgress: (message) => report({ message }) }),
  );
  const bad = verdicts.filter(({ problem }) => problem !== undefined);
  if (flags.json) printJson({ looked: verdicts, problems: bad.length });
  else {
    const count = (kind: string) => verdicts.filter((verdict) => verdict.kind === kind).length;
    const notes = verdicts.flatMap(({ path, note }) => (note === undefined ? [] : [`Not verified: ${path}: ${note}`]));
    const problems = bad.map(({ path, problem }) => `PROBLEM  ${path}: ${problem}`);
    printLines([
      ...notes,
      ...problems,
      `${counted(count('installation'), 'installation')}, ${counted(count('blob'), 'blob')}, ${counted(bad.length, 'problem')}`,
    ]);
    if (bad.length > 0)
      ownCaller.report('hint: remove what is broken, then run `serena servers install` or `unpack` again\n');
  }
  return bad.length > 0 ? exitCodes.failed : exitCodes.ok;
}
