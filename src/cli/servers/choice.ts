import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import { type Plan, planOf } from '../../install/source/plan.ts';
import {
  type InstallableSource,
  isInstallable,
  isPinnedSource,
  type PinnedSource,
} from '../../install/source/source.ts';
import { currentTarget, findTarget, type Target, targetName, targetNames } from '../../install/target.ts';
import { catalog, servers } from '../../languages/servers.ts';
import { Project } from '../../project/project.ts';
import { detectServers } from '../../servers/assignment/source-files.ts';
import { pinnedSource } from '../../servers/runtime/resolve.ts';
import { waysToInstall } from '../../servers/runtime/system-programs.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { assignServers } from '../../session/assign-servers.ts';
import type { Environment } from '../environment.ts';
import { usageError } from '../report.ts';
import { loadUser, projectArgument } from '../user.ts';

/** Flags that select language servers. */
export interface ChoiceFlags {
  readonly all?: boolean;
  /** A directory, or the name of a known project. */
  readonly project?: string;
}

/** The language servers that a command works on. */
interface Choice {
  readonly specs: readonly ServerSpec[];
  /** True if the user named each server: a failure is then an error; otherwise the server is skipped. */
  readonly isNamed: boolean;
}

/**
 * Returns the servers that the command line names, the servers that a project's files need, or all that can be downloaded.
 *
 * @throws {ExpectedError} `usage.invalid`; `project.*` and `config.*` for a project that cannot be opened.
 */
export async function chooseServers(
  words: readonly string[],
  flags: ChoiceFlags,
  environment: Environment,
): Promise<Choice> {
  const ways = [words.length > 0, flags.all === true, flags.project !== undefined].filter(Boolean).length;
  if (ways !== 1) {
    throw usageError('select language servers by name, with `--project`, or with `--all`', [
      'for example: python typescript go',
      'run `serena servers list` to list all language servers',
    ]);
  }
  if (words.length > 0) return { specs: serversNamed(words), isNamed: true };
  if (flags.project === undefined) {
    return { specs: servers.filter((spec) => pinnedSource(spec) !== undefined), isNamed: false };
  }
  const { home, user } = await loadUser(environment.env);
  const root = await projectArgument(flags.project, environment.cwd, user);
  await using project = await Project.open(root, { home, user, workerUrl: environment.workerUrl });
  const shares = detectServers(assignServers(project, user), await project.scanner.extensionCounts());
  return { specs: shares.map(({ server }) => server.spec), isNamed: false };
}

/**
 * Returns the servers that `words` name, without duplicates: by id, by the server's own name, or by language or file
 * extension, which select the default server for it. `known` may begin with the user's own servers.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown name, with the most similar one.
 */
export function serversNamed(words: readonly string[], known = servers): ServerSpec[] {
  return [...new Set(words.map((word) => serverNamed(word, known)))];
}

/** Returns the server that one word names; see {@link serversNamed}. */
export function serverNamed(word: string, known = servers): ServerSpec {
  const lower = word.toLowerCase();
  const found =
    catalog.find(word) ??
    known.find(({ id }) => id === lower) ??
    known.find(({ name }) => name.toLowerCase() === lower) ??
    known.find((spec) => spec.needsExplicitChoice !== true && covers(spec, lower));
  if (found !== undefined) return found;
  const ids = known.map(({ id }) => id);
  const like = nearest(word, [...ids, ...known.flatMap(({ name, files }) => [name, ...Object.values(files)])]);
  throw usageError(`there is no language server \`${word}\``, [
    like === undefined ? `use one of: ${ids.join(', ')}` : `did you mean \`${like}\`?`,
    'run `serena servers list` to list all language servers',
  ]);
}

function covers({ files }: ServerSpec, word: string): boolean {
  return Object.entries(files).some(([extension, language]) => language.toLowerCase() === word || extension === word);
}

/**
 * Parses the comma-separated platforms of `--platform`, without duplicates; `all` means all platforms. Without the option,
 * returns the current platform.
 *
 * @throws {ExpectedError} `usage.invalid`.
 */
export function platformsNamed(option: string | undefined): Target[] {
  if (option === undefined) return [currentTarget()];
  const words = option.split(',').map((word) => word.trim());
  const names = words.flatMap((word) => (word === 'all' ? targetNames : [word]));
  const targets = names.map(platformNamed);
  return [...new Map(targets.map((target) => [targetName(target), target])).values()];
}

function platformNamed(word: string): Target {
  const target = findTarget(word);
  if (target !== undefined) return target;
  const known = targetNames.map((name) => name.replace(/^win32-/, 'windows-'));
  const like = nearest(word, known);
  throw usageError(`there is no platform \`${word}\``, [
    ...(like === undefined ? [] : [`did you mean \`${like}\`?`]),
    `use one or more of, separated by commas: ${known.join(', ')}; or all`,
  ]);
}

/** Installation plans, and the servers that were skipped. */
interface Plans {
  readonly plans: readonly Plan[];
  /** Skipped servers and why; empty if the user named all servers. */
  readonly left: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Returns the plans of the chosen servers for each of `targets`.
 *
 * @throws {ExpectedError} `install.not-pinned` and others of `install.*`, for a named server that is unavailable there.
 */
export function plansOf({ specs, isNamed }: Choice, targets: readonly Target[]): Plans {
  const plans: Plan[] = [];
  const left: { readonly id: string; readonly reason: string }[] = [];
  for (const spec of specs) {
    for (const target of targets) {
      try {
        plans.push(planFor(spec, target));
      } catch (error) {
        if (isNamed || !isExpected(error)) throw error;
        left.push({ id: spec.id, reason: messageOf(error) });
      }
    }
  }
  return { plans, left };
}

function planFor(spec: ServerSpec, target: Target): Plan {
  const plan = planOf({ id: spec.id, source: requirePinned(spec) }, target);
  if (plan.placements !== undefined) return plan;
  throw new ExpectedError(
    'install.not-pinned',
    `cannot pack or prefetch ${plan.title} for ${targetName(target)}: no ready-made file of it is pinned`,
    {
      hints: [`leave \`${spec.id}\` out, and build it on the other machine with \`serena servers install ${spec.id}\``],
    },
  );
}

/** Returns the source to install a server from. @throws {ExpectedError} `install.runtime-missing` if it has none. */
export function requireInstallable(spec: ServerSpec): InstallableSource {
  const source = spec.install.find(isPinnedSource) ?? spec.install.find(isInstallable);
  if (source !== undefined) return source;
  throw runtimeMissing(`cannot download \`${spec.id}\` (${spec.name}): it has to be installed manually`, spec);
}

/**
 * Returns the pinned source of a server, whose files can be verified on other machines too.
 *
 * @throws {ExpectedError} `install.runtime-missing` if it has none.
 */
function requirePinned(spec: ServerSpec): PinnedSource {
  const source = spec.install.find(isPinnedSource);
  if (source !== undefined) return source;
  throw runtimeMissing(`cannot pack or prefetch \`${spec.id}\` (${spec.name}): this program pins no files of it`, spec);
}

function runtimeMissing(message: string, spec: ServerSpec): ExpectedError {
  return new ExpectedError('install.runtime-missing', message, { hints: waysToInstall(spec) });
}

/** A choice of servers, separated by their licenses. */
interface ByLicense {
  readonly permitted: Choice;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Separates servers whose license forbids redistribution, except those that the user accepted (`accepted` has ids, names
 * or languages).
 *
 * @throws {ExpectedError} `install.not-redistributable` for a server that the user named; `usage.invalid`.
 */
export function separateByLicense(choice: Choice, accepted: readonly string[]): ByLicense {
  const acceptedIds = serversNamed(accepted).map(({ id }) => id);
  const isRefused = (spec: ServerSpec) => spec.license?.isRedistributable === false && !acceptedIds.includes(spec.id);
  const refused = choice.specs.filter(isRefused).map((spec) => ({ id: spec.id, error: refusalOf(spec) }));
  if (choice.isNamed && refused[0] !== undefined) throw refused[0].error;
  return {
    permitted: { ...choice, specs: choice.specs.filter((spec) => !isRefused(spec)) },
    refused: refused.map(({ id, error }) => ({ id, reason: error.message })),
  };
}

function refusalOf({ id, name, license, homepage }: ServerSpec): ExpectedError {
  const message = `cannot pack \`${id}\`: the license of ${name} (${license?.terms ?? homepage}) forbids redistribution`;
  return new ExpectedError('install.not-redistributable', message, {
    hints: [
      `add \`--accept-license ${id}\` if its authors permit you to`,
      'leave it out, and let the other machine download it',
    ],
  });
}
