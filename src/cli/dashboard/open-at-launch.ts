import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { SessionHost } from '../session-host.ts';

/** Opens the dashboard in the browser if the user's configuration or the command line wants that. Never rejects. */
export async function openAtLaunch({ user, env, dashboard }: SessionHost): Promise<void> {
  if (!user.web_dashboard || !user.web_dashboard_open_on_launch) return;
  try {
    await (await dashboard.load()).openAtLaunch(env);
  } catch (error) {
    log('dashboard').warn(`cannot open the dashboard: ${messageOf(error)}`);
  }
}
