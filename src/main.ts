import { compileSooner } from './base/compile-sooner.ts';
import { argumentsOf, ownCommand, scriptCommand } from './base/process/own-command.ts';
import { isServerChild } from './base/process/server-child.ts';
import type { Environment } from './cli/environment.ts';
import { relaySession } from './service/relay.ts';
import { type LostCommand, runCommand } from './service/run-command.ts';
import { isSharedCommand, wantsService } from './service/wants-service.ts';

// A language server that restarts its own executable without its environment would start this program, endlessly.
if (isServerChild(process.env)) process.exit(70);

const [command, limits = ''] = process.argv.slice(2);
if (command === scriptCommand) {
  const { serveScripts } = await import('./sandbox/child.ts');
  await serveScripts(limits);
  process.exit(0);
}

/** Longer than a start takes. */
const startMs = 1_000;
setTimeout(compileSooner, startMs).unref();

// Defined by a build only.
const builtVersion = process.env.SERENA_BUILD_VERSION;
const commit = process.env.SERENA_BUILD_COMMIT ?? '';
const args = argumentsOf(process.argv0, process.argv.slice(2));
const environment: Environment = {
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
          commit,
          date: process.env.SERENA_BUILD_DATE ?? '',
          resources: process.env.SERENA_BUILD_RESOURCES ?? '',
          target: process.env.SERENA_BUILD_TARGET ?? '',
          releases: process.env.SERENA_BUILD_RELEASES ?? '',
        },
};

// Imported when needed: a process that only forwards a session must stay small.
async function run(own: Pick<Environment, 'streams' | 'caller'> = {}): Promise<number> {
  await import('./base/slow-schemas.ts');
  const { runCli } = await import('./cli/cli.ts');
  return await runCli(args, { ...environment, ...own });
}

async function runLost(lost?: LostCommand): Promise<number> {
  if (lost === undefined) return await run();
  const { lostCaller } = await import('./cli/service/lost-caller.ts');
  return await run({ caller: lostCaller(lost) });
}

async function runForwarded(): Promise<number> {
  const { env, cwd, command } = environment;
  const client = { args, env, cwd, command, version: `${builtVersion}+${commit}`, program: process.execPath };
  if (isSharedCommand(args)) return await runCommand({ ...client, standalone: runLost });
  return await relaySession({ ...client, standalone: (streams) => run({ streams }) });
}

const isForwarded = builtVersion !== undefined && wantsService(args, process.env);
process.exit(await (isForwarded ? runForwarded() : run()));
