import { Option } from 'commander';
import { logLevels } from '../../base/log.ts';
import { addCommand, type CliCommand, type Host, parsePositiveSeconds } from '../command.ts';
import type { ExportFlags } from './export.ts';

/** Adds `scip …`. */
export function addScipCommands(program: CliCommand, { environment }: Host): void {
  const scip = program
    .command('scip')
    .description('Exchange answers about symbols with other programs, as SCIP indexes');
  addCommand(scip, 'export', 'serena scip export', 'serena scip export --output build/index.scip')
    .description(
      'Write all symbols of a project with the references to them; later runs ask only about what has changed',
    )
    .argument('[project]', 'name or directory of the project (default: the working directory)')
    .option('--output <file>', 'file to write', 'index.scip')
    .option('--fresh', 'ask about every symbol again')
    .addOption(
      new Option('--timeout <seconds>', 'skip a symbol if its language server takes longer for an answer')
        .argParser<ExportFlags['timeout']>(parsePositiveSeconds)
        .default(120),
    )
    .addOption(
      new Option('--log-level <level>', 'minimum log level').choices(Object.keys(logLevels)).default('WARNING'),
    )
    .option('--json', 'print JSON')
    .action(async (given: string | undefined, flags: ExportFlags) =>
      (await import('./export.ts')).exportIndex(given, flags, environment),
    );
}
