import { Option } from 'commander';
import { logLevels } from '../../base/log.ts';
import { addCommand, type CliCommand, type Host, parsePositiveSeconds } from '../command.ts';
import type { Environment } from '../environment.ts';
import type { ExportFlags } from './export.ts';
import type { ImportFlags } from './import.ts';

/** Adds `scip …`. */
export function addScipCommands(program: CliCommand, { environment }: Host): void {
  const scip = program
    .command('scip')
    .description('Exchange answers about symbols with other programs, as SCIP indexes');
  addExport(scip, environment);
  addImport(scip, environment);
}

function addExport(scip: CliCommand, environment: Environment): void {
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

function addImport(scip: CliCommand, environment: Environment): void {
  addCommand(scip, 'import', 'serena scip import index.scip', 'serena scip import ~/indexes/shop.scip --commit HEAD')
    .description('Read an index, to answer about unchanged files where no language server can be had')
    .argument('<file>', 'index to read')
    .option('--commit <commit>', 'commit that the index was made from, if the index has no contents or ids of files')
    .option('--project <name-or-path>', 'project (default: the one that contains the working directory)')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: ImportFlags) =>
      (await import('./import.ts')).importIndex(file, flags, environment),
    );
}
