import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { defineTool } from '../tool.ts';

export const openDashboard = defineTool({
  name: 'open_dashboard',
  description: `Opens the dashboard, a page that shows the user the state of this server, in the browser. Only if the
user asks for it. Returns a confirmation, or the URL if there is no browser.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  isReadOnly: true,
  needs: 'nothing',
  input: () => z.object({}),
  async run({ session }) {
    if (session.openDashboard === undefined) {
      throw new ExpectedError('config.invalid', 'cannot open the dashboard: it is disabled', {
        hints: [
          'ask the user to set `web_dashboard: true` in `serena_config.yml`, or to run `serena dashboard`',
          'call `get_current_config` for the project, language servers, modes and tools, and report them to the user',
        ],
      });
    }
    const url = await session.openDashboard();
    if (url === undefined) return { value: 'The dashboard was opened in the browser.' };
    return { value: `There is no browser here. Ask the user to open ${url}, which is valid once, for 5 minutes.` };
  },
});
