import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { openInBrowser } from '../../base/process/open-in-browser.ts';
import { wantsService } from '../../service/wants-service.ts';
import { interruption, ownCaller } from '../caller.ts';
import { openSessionHost } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { askService } from '../service/control.ts';
import { loadUser } from '../user.ts';

/**
 * Shows the dashboard of the background service, which is started if none runs, and returns the exit code. Without a
 * service this process serves the page until it is interrupted.
 *
 * @throws {ExpectedError} `install.home-unusable`, `config.invalid`, `http.cannot-listen`.
 */
export async function showDashboard({ open }: { open: boolean }, environment: Environment): Promise<number> {
  const { home } = await loadUser(environment.env);
  const show = (url: string) => {
    const isOpened = open && openInBrowser(url, { directory: join(home, 'dashboard'), env: environment.env });
    ownCaller.print(`${url}\n`);
    const where = isOpened ? 'The dashboard was opened in the browser.' : 'Open this URL in a browser.';
    ownCaller.report(`${where} It is valid once, for 5 minutes.\n`);
  };
  const url = await serviceLink(environment);
  if (url === undefined) return await serveUntilInterrupted(environment, show);
  show(url);
  return exitCodes.ok;
}

/** Returns a link to the dashboard of the service; `undefined` if this machine or user has none. */
async function serviceLink(environment: Environment): Promise<string | undefined> {
  if (environment.build === undefined || !wantsService(['start-mcp-server'], environment.env)) return undefined;
  try {
    return (await askService('dashboard', environment, true)).dashboard;
  } catch (error) {
    ownCaller.report(`The background service cannot be used: ${messageOf(error)}\n`);
    return undefined;
  }
}

async function serveUntilInterrupted(environment: Environment, show: (url: string) => void): Promise<number> {
  const signal = interruption();
  const host = await openSessionHost(environment, { prefix: 'dashboard' });
  try {
    show(await (await host.dashboard.load()).link());
    ownCaller.report('There is no background service: the page shows no sessions. Stop with Ctrl-C.\n');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  } finally {
    await host.close();
  }
  return exitCodes.ok;
}
