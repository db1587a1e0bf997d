import type { Command } from 'commander';
import { addExamples, type Host } from '../host.ts';

/** Adds `dashboard`. */
export function addDashboardCommand(program: Command, { environment, exitWith }: Host): void {
  const dashboard = program
    .command('dashboard')
    .description('Open a page with sessions, calls, language servers, memories and edits in the browser')
    .option('--no-open', 'only print the URL')
    .action(async (options: { open: boolean }) => {
      const { showDashboard } = await import('./show-dashboard.ts');
      exitWith(await showDashboard(options, environment));
    });
  addExamples(dashboard, 'serena dashboard', 'serena dashboard --no-open');
}
