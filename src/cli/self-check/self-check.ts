import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { checkProgramFile } from './check-program.ts';
import { checkResources } from './check-resources.ts';
import { checkServer } from './check-server.ts';
import { embeddedTexts } from './embedded.ts';
import type { SelfCheckFinding } from './finding.ts';

/**
 * Checks that this program is intact and works: its file, its embedded data, and one start as a server. Needs no network
 * and changes nothing outside a temporary directory. Returns the exit code: failed if something is wrong.
 */
export async function checkSelf(flags: { readonly json?: boolean }, environment: Environment): Promise<number> {
  const findings = [
    checkBuild(environment),
    ...checkProgramFile(environment),
    ...checkResources(environment, embeddedTexts()),
    await checkServer(environment),
  ];
  const failures = findings.filter(({ status }) => status === 'FAILED').length;
  if (flags.json) {
    const { version, build } = environment;
    const facts = { version, commit: build?.commit ?? null, date: build?.date ?? null };
    ownCaller.print(`${JSON.stringify({ ...facts, findings, failures }, undefined, 2)}\n`);
  } else {
    ownCaller.print(findings.map(render).join(''));
  }
  return failures > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Reports what this program was built from. */
function checkBuild({ version, build }: Environment): SelfCheckFinding {
  if (build === undefined) return { check: 'build', status: 'ok', what: `Serena ${version}, run from its sources` };
  const parts = [
    `Serena ${version}`,
    build.commit === '' ? 'unknown commit' : `commit ${build.commit}`,
    build.date === '' ? 'unknown date' : `of ${build.date}`,
    `for ${build.target}`,
  ];
  return { check: 'build', status: 'ok', what: parts.join(', ') };
}

function render({ check, status, what, fix }: SelfCheckFinding): string {
  const line = `${status.padEnd(6)}  ${check.padEnd(9)}  ${what.replaceAll('\n', '\n                   ')}\n`;
  return fix === undefined ? line : `${line}                   ${fix}\n`;
}
