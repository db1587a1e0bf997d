import { isDeepStrictEqual } from 'node:util';
import { findHookClient, type HookClient } from '../../hooks/hook-client.ts';
import { type HookConfiguration, hookConfiguration } from '../../hooks/hook-configuration.ts';
import type { Environment } from '../environment.ts';
import { stableCommand } from '../stable-command.ts';
import type { Addition } from './clients/addition.ts';
import { brokenFile } from './clients/broken-file.ts';
import type { Client } from './clients/client.ts';
import { commandLine } from './clients/command-line.ts';
import { isMap, valueAt, withoutEmptyMaps } from './clients/with-value.ts';

/** Lists of hooks by event. */
type Hooks = Readonly<Record<string, readonly unknown[]>>;

/** Returns the hooks of this program for a client as an addition to its JSON file at absolute `file`. */
export async function hooksAddition(client: Client, file: string, environment: Environment): Promise<Addition> {
  const { editJson, jsonFormat } = await import('./clients/json-format.ts');
  const change = (text: string, own: Hooks): string => {
    const content = jsonFormat.parse(text, file);
    const existing = hooksIn(content, file);
    const wanted = mixed(existing, own, client);
    const steps = stepsTo(existing, wanted);
    if (steps.length === 0) return text;
    const changed = steps.reduce((edited, { path, value }) => editJson(edited, path, value), text);
    const after = withoutEmptyMaps(jsonFormat.parse(changed, file), ['hooks', 'event']);
    const expected = { ...(isMap(content) ? content : {}), hooks: wanted };
    if (isDeepStrictEqual(after, withoutEmptyMaps(expected, ['hooks', 'event']))) return changed;
    throw brokenFile(file, 1, 'the hooks cannot be changed without changing others');
  };
  return {
    add: (text) => change(text, hooksIn(ownHooks(client, environment).content, file)),
    remove: (text) => change(text, {}),
    isIn: (text) => change(text, {}) !== text,
  };
}

/** Returns the configuration of the hooks of this program for a client that has hooks. */
export function ownHooks(client: Client, environment: Environment): HookConfiguration {
  const name = hookClientOf(client);
  return hookConfiguration(name, (hook) =>
    commandLine([...stableCommand(environment), 'hooks', hook, `--client=${name}`]),
  );
}

/** Returns the client whose hooks a client runs. */
export function hookClientOf({ id, hookClient = findHookClient(id) }: Client): HookClient {
  if (hookClient === undefined) throw new Error(`There are no hooks for ${id}`);
  return hookClient;
}

function hooksIn(content: unknown, file: string): Hooks {
  const hooks = valueAt(content, ['hooks']) ?? {};
  const isRight = isMap(content) && isMap(hooks) && Object.values(hooks).every(Array.isArray);
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
  if (!isMap(hook)) return false;
  if (Array.isArray(hook.hooks)) return hook.hooks.length > 0 && hook.hooks.every((one) => isOwnHook(one, client));
  return typeof hook.command === 'string' && new RegExp(`\\shooks [a-z-]+ --client=${client}$`).test(hook.command);
}
