import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import type { Environment } from '../environment.ts';
import { replaceFix, type SelfCheckFinding } from './finding.ts';
import { checkSeal } from './seal.ts';

/** Checks that the program's file is unchanged since its build or its signing. */
export function checkProgramFile({ command, build }: Environment, platform = process.platform): SelfCheckFinding[] {
  if (build === undefined) return [];
  const [path] = command;
  try {
    return [platform === 'darwin' ? checkSignature(path) : checkFile(path, readFileSync(path))];
  } catch (error) {
    const what = `cannot read ${path}: ${messageOf(error)}`;
    return [{ check: 'program', status: 'FAILED', what, fix: `make it readable: chmod +r ${path}` }];
  }
}

function checkFile(path: string, program: Uint8Array): SelfCheckFinding {
  const seal = checkSeal(program);
  if (seal === 'intact') {
    const hash = createHash('sha256').update(program).digest('hex');
    return { check: 'program', status: 'ok', what: `${path} is unchanged since its build: sha256 ${hash}` };
  }
  const what =
    seal === 'changed' ? 'has changed since it was built' : 'is truncated, or was rewritten by another program';
  return { check: 'program', status: 'FAILED', what: `${path} ${what}`, fix: replaceFix };
}

function checkSignature(path: string): SelfCheckFinding {
  const done = spawnSync('/usr/bin/codesign', ['--verify', '--strict', path], { encoding: 'utf8' });
  if (done.status === 0) return { check: 'program', status: 'ok', what: `${path} is unchanged since it was signed` };
  const what = `The signature of ${path} is not valid: ${(done.error?.message ?? done.stderr).trim()}`;
  return { check: 'program', status: 'FAILED', what, fix: replaceFix };
}
