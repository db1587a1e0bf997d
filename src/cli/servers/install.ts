import { isExpected, messageOf } from '../../base/errors.ts';
import { ownValue } from '../../base/own-value.ts';
import { ensureInstalled, type InstalledServer } from '../../install/install.ts';
import { parseServerSettings, type ServerSettings } from '../../servers/assignment/settings.ts';
import { installRequest } from '../../servers/runtime/resolve.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { loadUser } from '../load-user.ts';
import { exitCodes } from '../report.ts';
import { type ChoiceFlags, chooseServers } from './choice.ts';
import { requireInstallable } from './require-source.ts';
import { printJson, printLines, type Work, withProgress } from './work.ts';

/** Options of `servers install`. */
export interface InstallFlags extends ChoiceFlags {
  readonly json?: boolean;
}

/**
 * Installs servers one after the other. Reports progress on stderr and the directory of each server on stdout, as soon as
 * it is installed. Failures of servers that were not named are reported at the end. Returns the exit code.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown name, before any download; `install.*` for a named server.
 */
export async function installServers(
  words: readonly string[],
  flags: InstallFlags,
  environment: Environment,
): Promise<number> {
  const { specs, isNamed } = await chooseServers(words, flags, environment);
  const { user } = await loadUser(environment.env);
  const installed: InstalledServer[] = [];
  const failed: { readonly id: string; readonly reason: string }[] = [];
  for (const [index, spec] of specs.entries()) {
    const step = specs.length === 1 ? undefined : `${index + 1} of ${specs.length}`;
    await withProgress(environment, { step }, async (work) => {
      try {
        const settings = parseServerSettings(ownValue(user.ls_specific_settings, spec.id));
        installed.push(await installServer(spec, work, settings));
      } catch (error) {
        work.signal.throwIfAborted();
        if (isNamed || !isExpected(error)) throw error;
        failed.push({ id: spec.id, reason: messageOf(error) });
      }
    });
    const server = installed.at(-1);
    if (!flags.json && server?.id === spec.id) printLines([`${server.id} ${server.version} ${server.directory}`]);
  }
  if (flags.json) printJson({ installed, failed });
  for (const { reason } of failed) ownCaller.report(`${reason}\n`);
  if (specs.length === 0) ownCaller.report('No language server covers any file of the project\n');
  return failed.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/**
 * Installs one server, in the version that the user's settings specify.
 *
 * @throws {ExpectedError} `install.*`.
 */
export function installServer(
  spec: ServerSpec,
  { home, env, signal, report }: Work,
  settings: ServerSettings = {},
): Promise<InstalledServer> {
  const call = { signal, progress: () => undefined };
  const request = installRequest(spec, requireInstallable(spec), { place: { home, env }, call, settings });
  return ensureInstalled({ ...request, onProgress: report, isUsed: false });
}
