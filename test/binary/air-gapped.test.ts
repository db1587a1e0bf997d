import { beforeAll, describe, expect } from 'bun:test';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../src/base/process/find-program.ts';
import { installEnv, programCommand, startClient } from '../support/client.ts';
import { languageQuestions } from '../support/language-questions.ts';
import { whyNoNamespaces, withoutRoute } from '../support/no-route.ts';
import { runProgram } from '../support/program.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { makeTempDir, sharedHome } from '../support/temp.ts';
import { copyFixture } from '../support/workspace.ts';

/** Includes building gopls for the bundle. */
const packTimeoutMs = 600_000;
const timeoutMs = 240_000;
const whyNot = whyNoNamespaces() ?? whyNoGo();
const languages = ['python', 'typescript', 'go'] as const;

/** Directory with the only two files that the offline machine gets. */
const carried = makeTempDir('carried');
const program = join(carried, 'serena');
const bundle = join(carried, 'servers.tar');
const home = makeTempDir('air-gapped-home');
/** `PATH` contains only Go, which gopls needs. */
const tools = makeTempDir('tools');
const env = { HOME: home, SERENA_HOME: join(home, '.serena'), SERENA_SERVICE: 'off', PATH: tools };

/** Runs the copied program without network and with only these variables. */
function runThere(...args: string[]) {
  const alone = ['/usr/bin/env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  return runProgram(args, { wrapper: [...withoutRoute, ...alone], binary: program, timeoutMs });
}

describe('in a network without any route, from the program and one bundle,', () => {
  beforeAll(async () => {
    if (whyNot !== undefined) return;
    const packed = await runProgram(['servers', 'pack', '-o', bundle, ...languages], {
      env: { ...installEnv(), HOME: process.env.HOME ?? '', SERENA_HOME: sharedHome() },
      timeoutMs: packTimeoutMs,
    });
    expect(packed).toMatchObject({ code: 0 });
    copyFileSync(programCommand([])[0], program);
    chmodSync(program, 0o755);
    mkdirSync(tools, { recursive: true });
    symlinkSync(findProgram('go', process.env) ?? '', join(tools, 'go'));
    expect(readdirSync(carried).sort()).toEqual(['serena', 'servers.tar']);
  }, packTimeoutMs);

  testUnless(whyNot)(
    'nothing can be downloaded',
    async () => {
      const { code, stderr } = await runThere('servers', 'install', 'bash');
      expect(stderr).toContain('cannot download');
      expect(code).toBe(69);
    },
    timeoutMs,
  );

  testUnless(whyNot)(
    'the servers are installed',
    async () => {
      const { code, stdout, stderr } = await runThere('servers', 'unpack', bundle, '--install');
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      for (const language of languages) expect(stdout).toMatch(new RegExp(`^${language} \\S+ is installed$`, 'm'));
    },
    timeoutMs,
  );

  for (const language of languages) {
    testUnless(whyNot)(
      `symbol questions about ${language} are answered`,
      async () => {
        const project = copyFixture(language);
        await using client = await startClient({
          args: ['--project', project.root],
          ...{ env, binary: program, wrapper: withoutRoute, hasOnlyOwnEnv: true, cwd: '/' },
        });
        for (const [tool, args, expected] of languageQuestions[language]) {
          const text = await client.ask(tool, args);
          if (typeof expected === 'string') expect(text).toBe(expected);
          else for (const part of expected) expect(text).toContain(part);
        }
      },
      timeoutMs,
    );
  }
});
