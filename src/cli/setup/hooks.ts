import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { attempt } from '../../base/attempt.ts';
import { userHome } from '../../base/home.ts';
import { isRecord } from '../../base/own-value.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { findHookClient, type HookClient } from '../../hooks/hook-client.ts';
import { type HookConfiguration, hookConfiguration } from '../../hooks/hook-configuration.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printLines } from '../output.ts';
import { usageError } from '../report.ts';
import { commandLine, stableCommand } from '../stable-command.ts';
import { type Addition, addToFile, changeNotes, configurationText } from './change-file.ts';
import { type Client, clients, hooksFile } from './clients.ts';
import { hasEntry } from './entry.ts';
import { brokenFile, valueAt, withoutEmptyMaps } from './format.ts';

/**
 * Adds the hooks to the file from which a client reads them, or with `isPrint` prints the content of such a file.
 *
 * @throws {ExpectedError} `usage.invalid` for a client without hooks, and as {@link addToFile}.
 */
export async function setUpHooks(
  client: Client,
  environment: Environment,
  { isPrint, reminds }: { isPrint: boolean; reminds?: boolean | undefined },
): Promise<void> {
  const file = hooksFile(client, environment);
  if (file === undefined) {
    const ids = clients.flatMap(({ id, hooks }) => (hooks ? [id] : []));
    throw usageError(`\`--hooks\` does not support \`${client.id}\``, [`use one of: ${ids.join(', ')}`]);
  }
  const addition = await hooksAddition(client, file, { environment, reminds });
  if (isPrint) {
    ownCaller.print(addition.add(''));
    ownCaller.report(`For ${client.name}, in \`${file}\`\n`);
    return;
  }
  const { outcome, ...change } = addToFile(file, addition);
  const { note } = ownHooks(client, environment);
  const lines = [`${outcome === 'unchanged' ? 'Unchanged' : 'Added the hooks'}: \`${file}\``, ...changeNotes(change)];
  if (outcome !== 'unchanged' && note !== undefined) lines.push(note);
  if (!(await hasEntry(client, environment))) {
    lines.push(
      `${client.name} does not start the server yet, whose tools the hooks name; run \`serena setup ${client.id}\``,
    );
  }
  printLines(lines);
}

/** Lists of hooks by event. */
type Hooks = Readonly<Record<string, readonly unknown[]>>;

/** Returns the hooks of this program for a client as an addition to its JSON file at absolute `file`. */
export async function hooksAddition(
  client: Client,
  file: string,
  { environment, reminds }: { readonly environment: Environment; readonly reminds?: boolean | undefined },
): Promise<Addition> {
  const { editJson, jsonFormat } = await import('./json-format.ts');
  const change = (text: string, own: Hooks): string => {
    const content = jsonFormat.parse(text, file);
    const existing = hooksIn(content, file);
    const wanted = mixed(existing, own, client);
    const steps = stepsTo(existing, wanted);
    if (steps.length === 0) return text;
    const changed = steps.reduce((edited, { path, value }) => editJson(edited, path, value), text);
    const after = withoutEmptyMaps(jsonFormat.parse(changed, file), ['hooks', 'event']);
    const expected = { ...(isRecord(content) ? content : {}), hooks: wanted };
    if (isDeepStrictEqual(after, withoutEmptyMaps(expected, ['hooks', 'event']))) return changed;
    throw brokenFile(file, 1, 'the hooks cannot be changed without changing others');
  };
  return {
    add: (text) => change(text, hooksIn(ownHooks(client, environment, reminds).content, file)),
    remove: (text) => change(text, {}),
    isIn: (text) => change(text, {}) !== text,
  };
}

function ownHooks(client: Client, environment: Environment, reminds?: boolean): HookConfiguration {
  const name = hookClientOf(client);
  const commandOf = (hook: string) => commandLine([...stableCommand(environment), 'hooks', hook, `--client=${name}`]);
  return hookConfiguration(name, { reminds, commandOf });
}

/** True if the hooks of a client include the one that refuses calls. */
export function hasReminder(client: Client, file: string): boolean {
  return configurationText(file).includes(` hooks remind --client=${hookClientOf(client)}`);
}

/** Returns the client whose hooks a client runs. */
export function hookClientOf({ id, hookClient = findHookClient(id) }: Client): HookClient {
  if (hookClient === undefined) throw new Error(`There are no hooks for ${id}`);
  return hookClient;
}

function hooksIn(content: unknown, file: string): Hooks {
  const hooks = valueAt(content, ['hooks']) ?? {};
  const isRight = isRecord(content) && isRecord(hooks) && Object.values(hooks).every(Array.isArray);
  if (!isRight) throw brokenFile(file, 1, '`hooks` must be a map of events to lists');
  return Object.fromEntries(Object.entries(hooks).map(([event, list]) => [event, [list].flat()]));
}

/** Returns the hooks of others with `own`; an event without hooks is left out if it had some. */
function mixed(existing: Hooks, own: Hooks, client: Client): Hooks {
  const events = [...new Set([...Object.keys(existing), ...Object.keys(own)])];
  const lists = events.map((event) => {
    const before = existing[event] ?? [];
    const after = own[event] ?? [];
    const kept = before.filter((hook) => !isOwnHook(hook, hookClientOf(client)) || isIn(after, hook));
    return [event, [...kept, ...after.filter((hook) => !isIn(kept, hook))], before] as const;
  });
  return Object.fromEntries(
    lists
      .filter(([, after, before]) => after.length > 0 || before.length === 0)
      .map(([event, after]) => [event, after]),
  );
}

/** Returns single changes of JSON values that turn `existing` into `wanted`, in order; `undefined` removes. */
function stepsTo(existing: Hooks, wanted: Hooks): { path: (string | number)[]; value?: unknown }[] {
  const events = [...new Set([...Object.keys(existing), ...Object.keys(wanted)])];
  const steps = events.flatMap((event) => {
    const [before = [], after] = [existing[event], wanted[event]];
    if (after === undefined) return [{ path: ['hooks', event] }];
    const kept = before.filter((hook) => isIn(after, hook));
    const gone = [...before.keys()].filter((index) => !isIn(after, before[index])).reverse();
    const added = after.filter((hook) => !isIn(kept, hook));
    if (existing[event] === undefined) return [{ path: ['hooks', event], value: after }];
    return [
      ...gone.map((index) => ({ path: ['hooks', event, index] })),
      ...added.map((value, index) => ({ path: ['hooks', event, kept.length + index], value })),
    ];
  });
  return Object.keys(wanted).length === 0 && steps.length > 0 ? [{ path: ['hooks'] }] : steps;
}

function isIn(list: readonly unknown[], hook: unknown): boolean {
  return list.some((one) => isDeepStrictEqual(one, hook));
}

/** True if a hook, or each command of a group with a matcher, runs this program. */
function isOwnHook(hook: unknown, client: HookClient): boolean {
  if (!isRecord(hook)) return false;
  if (Array.isArray(hook.hooks)) return hook.hooks.length > 0 && hook.hooks.every((one) => isOwnHook(one, client));
  return typeof hook.command === 'string' && new RegExp(`\\shooks [a-z-]+ --client=${client}$`).test(hook.command);
}

const linkName = 'serena-hooks';

/**
 * Links the command `serena-hooks` to this program if the hooks of a client run it, as after a switch from the reference
 * product. Returns the absolute path of the new link, or `undefined` if none is needed, the command exists or no directory
 * on `PATH` is writable.
 */
export function linkHooks(client: Client, environment: Environment, platform = process.platform): string | undefined {
  if (!runsLink(client, environment)) return undefined;
  const [program, ...args] = stableCommand(environment);
  if (environment.build === undefined || args.length > 0 || platform === 'win32') return undefined;
  if (findProgram(linkName, environment.env) !== undefined) return undefined;
  const onPath = (environment.env.PATH ?? '').split(delimiter);
  for (const directory of directoriesFor(environment).filter((candidate) => onPath.includes(candidate))) {
    try {
      symlinkSync(program, join(directory, linkName));
      return join(directory, linkName);
    } catch {
      // Not writable: try the next one.
    }
  }
  return undefined;
}

/**
 * Removes links `serena-hooks` to this program, where {@link linkHooks} makes them, unless the hooks of a client run the
 * command. Returns their absolute paths.
 */
export function unlinkHooks(environment: Environment): string[] {
  const [program, ...args] = stableCommand(environment);
  if (args.length > 0 || clients.some((client) => runsLink(client, environment))) return [];
  const links = directoriesFor(environment).map((directory) => join(directory, linkName));
  const own = [...new Set(links)].filter((link) => linkTarget(link) === program);
  for (const link of own) rmSync(link);
  return own;
}

function directoriesFor(environment: Environment): string[] {
  const [program] = stableCommand(environment);
  return [dirname(program), join(userHome(environment.env), '.local', 'bin')];
}

function runsLink(client: Client, environment: Environment): boolean {
  const file = hooksFile(client, environment);
  try {
    return file !== undefined && new RegExp(`\\b${linkName}\\b`).test(configurationText(file));
  } catch {
    // It may, as the file cannot be read.
    return true;
  }
}

function linkTarget(link: string): string | undefined {
  return attempt(() => readlinkSync(link), undefined);
}
