import { describe, expect } from 'bun:test';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startClient } from '../support/client.ts';
import { signIn } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { startProgram } from '../support/program.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const linuxTest = testUnless(process.platform === 'linux' ? undefined : 'the stub of a browser is one for Linux');

describe('a dashboard that is opened', () => {
  linuxTest('by a command passes its token in a private file, not on a command line', async () => {
    const browser = stubBrowser();
    const home = makeHome(noServers());
    const started = startProgram(['dashboard'], { env: { ...browser.env, SERENA_HOME: home } });
    const url = await browser.opened();
    const page = readFileSync(fileURLToPath(url), 'utf8');
    expect(statSync(fileURLToPath(url)).mode & 0o777).toBe(0o600);
    const [link = ''] = /http:[^"]+/.exec(page) ?? [];
    expect(url).not.toContain('token');
    expect((await signIn(link)).status).toBe(200);
    process.kill(started.pid, 'SIGINT');
    const { code, stdout, stderr } = await started.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${link}\n` });
    expect(stderr).toContain('The dashboard was opened in the browser.');
  });

  linuxTest('at launch is opened only if the user asks for it', async () => {
    const { root } = makeWorkspace({ 'a.txt': 'one\n' });
    for (const asks of [false, true]) {
      const browser = stubBrowser();
      const home = makeHome({ ...noServers(), web_dashboard: true, web_dashboard_open_on_launch: asks });
      await using client = await startClient({
        args: ['--project', root],
        env: { ...browser.env, SERENA_HOME: home },
      });
      await client.ask('read_file', { relative_path: 'a.txt' });
      if (asks) expect(await browser.opened()).toContain('/dashboard/open.html');
      else expect(existsSync(join(home, 'dashboard'))).toBe(false);
    }
  });
});

/** Creates a program `xdg-open` that records its argument. */
function stubBrowser() {
  const directory = makeTempDir('browser');
  const record = join(directory, 'opened');
  const program = join(directory, 'xdg-open');
  writeFileSync(program, `#!/bin/sh\nprintf %s "$*" > '${record}.new'\nmv '${record}.new' '${record}'\n`);
  chmodSync(program, 0o755);
  return {
    env: { PATH: `${directory}${delimiter}${process.env.PATH}`, DISPLAY: ':0' },
    opened: () => eventually('a page to be opened', () => existsSync(record) && readFileSync(record, 'utf8')),
  };
}
