import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { defineTool } from '../tool.ts';

export const openDashboard = defineTool({
  name: 'open_dashboard',
  description: `Opens the dashboard, a page that shows the user the state of this server, in the browser. Only if the
user asks for it. Returns a confirmation, or an error if there is no dashboard.`,
  toolset: 'config',
  effect: 'runs',
  stage: 'optional',
  isReadOnly: true,
  needs: 'nothing',
  input: () => z.object({}),
  run() {
    throw new ExpectedError('config.invalid', 'cannot open the dashboard: this server does not have one', {
      hints: [
        'call `get_current_config` for the project, language servers, modes and tools, and report them to the user',
      ],
    });
  },
});
