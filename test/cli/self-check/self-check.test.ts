import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, openSync, readdirSync, readSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readResources } from '../../../scripts/support/read-resources.ts';
import type { Environment } from '../../../src/cli/environment.ts';
import {
  checkResources,
  checkSeal,
  checkServer,
  digestOf,
  embeddedTexts,
  sealOf,
} from '../../../src/cli/self-check/self-check.ts';
import { currentTarget, releaseName } from '../../../src/install/target.ts';
import { programCommand } from '../../support/client.ts';
import { runProgram } from '../../support/program.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';

const whyNoSeal = process.platform === 'darwin' ? 'a signature takes the place of the seal' : undefined;
const whyNoStrip = whyNoProgram('strip', '--version') ?? whyNoSeal;
const Report = z.object({
  version: z.string(),
  commit: z.string(),
  date: z.string(),
  findings: z.array(z.object({ check: z.string(), status: z.string(), what: z.string(), fix: z.string().optional() })),
  failures: z.number(),
});

/** Copies the program into a new directory and returns the path of the copy. */
function copyProgram(): string {
  const copy = join(makeTempDir('copy'), 'serena');
  copyFileSync(programCommand([])[0], copy);
  return copy;
}

function environmentOf(given: Partial<Environment>): Environment {
  const base = { env: {}, cwd: '/', workerUrl: new URL('file:///'), version: '1.2.3', build: undefined };
  return { ...base, command: ['serena'], ...given };
}

describe('self-check', () => {
  test('finds the built program intact, reports what it was built from, and leaves nothing behind', async () => {
    const temporary = makeTempDir('tmp');
    const { code, stdout, stderr } = await runProgram(['self-check', '--json'], { env: { TMPDIR: temporary } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = Report.parse(JSON.parse(stdout));
    expect(report.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(report.commit).toMatch(/^[0-9a-f]{8}(-dirty)?$/);
    expect(report.date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(report.findings.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'build ok',
      'program ok',
      'resources ok',
      'server ok',
    ]);
    expect(report.failures).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('prints one line for each finding', async () => {
    const { stdout } = await runProgram(['self-check']);
    expect(stdout.trimEnd().split('\n').length).toBe(4);
    expect(stdout).toMatch(/^ok {6}build {6}Serena \d+\.\d+\.\d+, commit \w{8}/);
    expect(stdout).toContain(`, for ${releaseName(currentTarget())}\n`);
  });

  testUnless(whyNoSeal)('finds one changed byte', () => {
    const copy = copyProgram();
    const file = openSync(copy, 'r+');
    // The end of the section table, which is not read at start.
    const place = statSync(copy).size - 200;
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, place);
    writeSync(file, Buffer.from([byte[0] === 0 ? 1 : 0]), 0, 1, place);
    closeSync(file);
    const { status, stdout } = spawnSync(copy, ['self-check'], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout).toContain(`FAILED  program    ${copy} has changed since it was built\n`);
    expect(stdout).toContain('Reinstall the program');
  });

  testUnless(whyNoSeal)('finds a file that was cut off', () => {
    const copy = copyProgram();
    truncateSync(copy, statSync(copy).size - 1);
    const { status, stdout } = spawnSync(copy, ['self-check'], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout).toContain(`${copy} is truncated, or was rewritten by another program`);
  });

  testUnless(whyNoStrip)('cannot be reached in a stripped program, which fails', () => {
    const copy = copyProgram();
    expect(spawnSync('strip', [copy]).status).toBe(0);
    expect(spawnSync(copy, ['self-check']).status).not.toBe(0);
  });

  test('names a resource that has changed since the build', async () => {
    const built = await readResources();
    const build = { commit: '', date: '', resources: digestOf(built), target: '', releases: '' };
    expect(checkResources(environmentOf({ build }), embeddedTexts())).toMatchObject([{ status: 'ok' }]);
    const changed = { ...embeddedTexts(), 'contexts/ide.yml': 'prompt: other\n' };
    expect(checkResources(environmentOf({ build }), changed)).toMatchObject([
      { status: 'FAILED', what: 'Embedded resources have changed since the build: contexts/ide.yml' },
    ]);
  });

  test('names the temporary directory if it is missing, and not the server', async () => {
    const missing = join(makeTempDir('tmp'), 'missing');
    const { code, stdout } = await runProgram(['self-check'], { env: { TMPDIR: missing } });
    expect(code).toBe(1);
    expect(stdout).toContain(
      `FAILED  server     The server was not tried: the temporary directory ${missing} is not usable`,
    );
    expect(stdout).toContain('Set `TMPDIR` to a directory that exists and is writable');
  });

  test('fails for a program that does not respond', async () => {
    const command = [process.execPath, '-e', 'console.error("no server"); process.exit(3)', '--'] as const;
    const { status, what } = await checkServer(environmentOf({ command: [...command] }));
    expect(status).toBe('FAILED');
    expect(what).toContain('no server');
  });
});

describe('the seal', () => {
  const program = Buffer.from('some program');
  test.each([
    ['of the program', Buffer.concat([program, Buffer.from(sealOf(program))]), 'intact'],
    ['of another program', Buffer.concat([program, Buffer.from(sealOf(Buffer.from('another')))]), 'changed'],
    ['missing', program, 'absent'],
    ['of an empty file', Buffer.from(sealOf(Buffer.alloc(0))), 'intact'],
    ['of nothing at all', Buffer.alloc(0), 'absent'],
  ] as const)('%s', (_name, bytes, expected) => {
    expect(checkSeal(bytes)).toBe(expected);
  });
});
