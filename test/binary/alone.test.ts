import { describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { programCommand, startClient } from '../support/client.ts';
import { type Args, languageQuestions } from '../support/language-questions.ts';
import { canListProcesses, findDescendants } from '../support/processes.ts';
import { RawMcp } from '../support/raw-mcp.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { copyFixture } from '../support/workspace.ts';

/** Includes the download of two language servers. */
const timeoutMs = 240_000;
const whyNotPosix = process.platform === 'win32' ? 'there is no `env` here' : undefined;

/** Asks all questions in both languages, with a home directory that is empty at first. */
async function askAll(home: string, ask: (root: string) => Promise<Asker>): Promise<void> {
  for (const language of ['python', 'typescript'] as const) {
    await using asker = await ask(copyFixture(language).root);
    for (const [tool, args, expected] of languageQuestions[language]) {
      const text = await asker.ask(tool, args);
      if (typeof expected === 'string') expect(text).toBe(expected);
      else for (const part of expected) expect(text).toContain(part);
    }
    if (canListProcesses) expectOnlyOurs(asker.pid);
  }
  expect(readdirSync(join(home, '.serena/language_servers/servers')).sort()).toEqual(['python', 'typescript']);
}

interface Asker extends AsyncDisposable {
  readonly pid: number;
  ask(tool: string, args: Args): Promise<string>;
}

/** Expects that all descendants run our own program, apart from shells. */
function expectOnlyOurs(pid: number): void {
  const own = realpathSync(programCommand([])[0]);
  const programs = findDescendants(pid).map((found) => readlinkSync(`/proc/${found.pid}/exe`));
  expect(programs).toContain(own);
  expect(programs.filter((program) => program !== own && !/\/(sh|dash|bash|busybox)$/.test(program))).toEqual([]);
}

/** Runs a program while every runtime in the usual directories is hidden by a file that is not executable. */
const hiding = [
  ...['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])],
  ...['/bin/sh', '-c'],
  'for f in /bin /usr/bin /usr/local/bin; do for p in $f/node* $f/npm* $f/npx* $f/python* $f/pyenv* $f/bun* $f/deno* $f/corepack*; do ' +
    '[ ! -x "$p" ] || [ -d "$p" ] || mount --bind /dev/null "$(readlink -f "$p")" 2>/dev/null || true; done; done; exec "$@"',
  'sh',
];

function whyNotHidden(): string | undefined {
  const whyNot = whyNoProgram('unshare');
  if (whyNot !== undefined) return whyNot;
  const [command = '', ...args] = [...hiding, '/bin/sh', '-c', '! node --version && ! python3 --version'];
  const probe = spawnSync(command, args, { env: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
  return probe.status === 0 ? undefined : 'programs cannot be hidden here';
}

describe('with an environment of HOME alone, an empty directory, the program', () => {
  testUnless(whyNotPosix)(
    'downloads pyright and typescript-language-server and answers',
    async () => {
      const home = makeTempDir('user');
      await askAll(home, (root) =>
        startClient({ args: ['--project', root], cwd: '/', env: { HOME: home }, hasOnlyOwnEnv: true }),
      );
    },
    timeoutMs,
  );

  testUnless(whyNotHidden())(
    'does so on a machine without Node, npm and Python',
    async () => {
      const home = makeTempDir('user');
      await askAll(home, async (root) => {
        const server = new RawMcp({
          args: ['--project', root],
          wrapper: [...hiding, '/usr/bin/env', '-i', `HOME=${home}`, 'SERENA_SERVICE=off'],
        });
        await server.initialize();
        let id = 0;
        return {
          pid: server.pid,
          ask: async (tool, args) => {
            id++;
            server.call(id, tool, args);
            const { result } = await server.answer(id, timeoutMs);
            expect(result).toMatchObject({ isError: false });
            return String(Object(result?.structuredContent).result);
          },
          [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
        };
      });
    },
    timeoutMs,
  );

  testUnless(whyNotPosix)('exits in order, and leaves only its own directory behind', async () => {
    const home = makeTempDir('user');
    await using client = await startClient({ cwd: home, env: { HOME: home }, hasOnlyOwnEnv: true });
    expect((await client.tools()).length).toBeGreaterThan(0);
    await client.close();
    expect(readdirSync(home)).toEqual(['.serena']);
  });
});
