import type { Command } from 'commander';
import { addExamples, type Host } from '../host.ts';

/** Adds `doctor`. */
export function addDoctorCommand(program: Command, { environment, exitWith }: Host): void {
  const doctor = program
    .command('doctor')
    .description('Show what is configured, installed and missing, and how to fix problems')
    .option('--project <name-or-path>', 'project to check (default: the one that contains the working directory)')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; json?: boolean }) => {
      const { examine } = await import('./doctor.ts');
      exitWith(await examine(options, environment));
    });
  addExamples(doctor, 'serena doctor', 'serena doctor --project ~/shop --json');
}
