import './base/slow-schemas.ts';
import { isServerChild } from './base/process/server-child.ts';
import { runCli } from './cli/cli.ts';
import { argumentsOf, ownCommand } from './cli/own-command.ts';

// A language server that restarts its own executable without its environment would start this program, endlessly.
if (isServerChild(process.env)) process.exit(70);

// Defined by a build only.
const builtVersion = process.env.SERENA_BUILD_VERSION;
process.exit(
  await runCli(argumentsOf(process.argv0, process.argv.slice(2)), {
    env: process.env,
    cwd: process.cwd(),
    command: ownCommand(builtVersion !== undefined, import.meta.url),
    // Must be here: in the compiled program only URLs relative to this file resolve to embedded files.
    workerUrl: new URL('./search/worker.ts', import.meta.url),
    version: builtVersion ?? '0.1.0-dev',
    build:
      builtVersion === undefined
        ? undefined
        : {
            commit: process.env.SERENA_BUILD_COMMIT ?? '',
            date: process.env.SERENA_BUILD_DATE ?? '',
            resources: process.env.SERENA_BUILD_RESOURCES ?? '',
          },
  }),
);
