import { ExpectedError, isExpected } from '../base/errors.ts';
import { jetbrainsMode, loadMode, type Mode } from '../config/mode.ts';
import type { ProjectConfig } from '../config/project-config.ts';
import type { Backend } from '../config/setting.ts';
import { type UserConfig, userConfigPath } from '../config/user-config.ts';
import { checkToolNames } from './tool-names.ts';

/** The modes that the command line names. */
export interface ModeFlags {
  /** In place of the configured `default_modes`; `undefined` without any. */
  readonly defaults: readonly string[] | undefined;
  readonly added: readonly string[];
}

/** What decides which modes are active (`spec/system.md` §2.3). */
export interface ModeSources {
  readonly home: string;
  readonly user: UserConfig;
  readonly backend: Backend;
  /** The backend without what the project says. */
  readonly ownBackend: Backend;
  readonly flags: ModeFlags;
  readonly project: ProjectConfig | undefined;
}

/** The active modes. */
export interface WorkingModes extends ModeSet {
  /** The modes that would be active without the project. */
  readonly own: ModeSet;
}

/** Modes, each in one of the two. */
interface ModeSet {
  /** Active for the whole session. */
  readonly base: readonly Mode[];
  /** Active by default or added, sorted by name; another project or the client may have others. */
  readonly dynamic: readonly Mode[];
}

/** A name of a mode, and how messages name the place that it stands in where that is not plain. */
interface NamedMode {
  readonly name: string;
  readonly where: string | undefined;
}

/**
 * Returns the active modes: the user's base ones; those by default of the command line, else of the project, else of the
 * user; those that the project and the command line add.
 *
 * @throws {ExpectedError} `config.invalid` naming where a mode stands that there is not, or that names no tool.
 */
export async function loadWorkingModes(sources: ModeSources): Promise<WorkingModes> {
  const { project, ownBackend } = sources;
  const modes = await loadModes(sources);
  if (!project) return { ...modes, own: modes };
  return { ...modes, own: await loadModes({ ...sources, backend: ownBackend, project: undefined }) };
}

async function loadModes(sources: ModeSources): Promise<ModeSet> {
  const { home, user, backend, flags, project } = sources;
  const userFile = userConfigPath(home);
  const base = await loadAll(named(user.base_modes, `${userFile}: key \`base_modes\``), home);
  const dynamic = await loadAll(
    [
      ...defaultModes(sources, userFile),
      ...named(project?.addedModes ?? [], `${project?.path}: key \`added_modes\``),
      ...named(flags.added, '`--add-mode`'),
    ],
    home,
  );
  return { base: backend === 'JetBrains' ? [jetbrainsMode(), ...base] : base, dynamic: sorted(without(dynamic, base)) };
}

/**
 * Returns `modes` with those called `names` in place of the dynamic ones.
 *
 * @throws as {@link loadWorkingModes} does.
 */
export async function withModes(modes: WorkingModes, names: readonly string[], home: string): Promise<WorkingModes> {
  const wanted = await loadAll(named(names), home);
  const beside = (base: readonly Mode[]) => ({ base, dynamic: sorted(without(wanted, base)) });
  return { ...beside(modes.base), own: beside(modes.own.base) };
}

/** Returns all of them in the order in which a client is told: the internal one first, then by name. */
export function allModes({ base, dynamic }: ModeSet): readonly Mode[] {
  const internal = base.filter(({ name }) => name === jetbrainsMode().name);
  return [...internal, ...sorted([...without(base, internal), ...dynamic])];
}

function defaultModes({ user, flags, project }: ModeSources, userFile: string): NamedMode[] {
  if (flags.defaults) return named(flags.defaults, '`--mode`');
  if (project?.defaultModes) return named(project.defaultModes, `${project.path}: key \`default_modes\``);
  return named(user.default_modes ?? [], `${userFile}: key \`default_modes\``);
}

function named(names: readonly string[], where?: string): NamedMode[] {
  return names.map((name) => ({ name, where }));
}

/** One mode each, however often it is named. */
async function loadAll(names: readonly NamedMode[], home: string): Promise<Mode[]> {
  const loaded = await Promise.all(names.map((one) => load(one, home)));
  return [...new Map(loaded.map((mode) => [mode.name, mode])).values()];
}

async function load({ name, where }: NamedMode, home: string): Promise<Mode> {
  try {
    const mode = await loadMode(name, home);
    checkToolNames(mode);
    return mode;
  } catch (error) {
    if (where === undefined || !isExpected(error, 'config.invalid')) throw error;
    throw new ExpectedError('config.invalid', `${where}: ${error.message}`, { hints: error.hints, cause: error });
  }
}

/** Returns those of `modes` that are not among `others`, by name. */
export function without(modes: readonly Mode[], others: readonly Mode[]): Mode[] {
  return modes.filter(({ name }) => !others.some((other) => other.name === name));
}

function sorted(modes: readonly Mode[]): Mode[] {
  return [...modes].sort((a, b) => (a.name < b.name ? -1 : 1));
}
