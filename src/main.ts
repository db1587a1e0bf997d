import { isServerChild } from './base/process/server-child.ts';
import { runCli } from './cli/cli.ts';
import { argumentsOf, ownCommand } from './cli/own-command.ts';

// A language server that starts itself once more without its environment would start us instead, again and again.
if (isServerChild(process.env)) process.exit(70);

// Only a build defines it.
const builtVersion = process.env.SERENA_BUILD_VERSION;
process.exit(
  await runCli(argumentsOf(process.argv0, process.argv.slice(2)), {
    env: process.env,
    cwd: process.cwd(),
    command: ownCommand(builtVersion !== undefined, import.meta.url),
    // Named here because in the compiled program only addresses relative to this file lead to embedded ones.
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
