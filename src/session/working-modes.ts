import { ExpectedError, isExpected } from '../base/errors.ts';
import { jetbrainsMode, loadMode, type Mode } from '../config/mode.ts';
import type { ProjectConfig } from '../config/project-config.ts';
import { type UserConfig, userConfigPath } from '../config/user-config.ts';
import type { Backend } from '../config/value-schemas.ts';
import { checkToolNames } from './tool-names.ts';

export interface ModeFlags {
  /** Replaces the configured `default_modes`; `undefined` if not given. */
  readonly defaults: readonly string[] | undefined;
  readonly added: readonly string[];
}

/** Settings that decide which modes are active: see docs/compatibility.md, Precedence of settings. */
export interface ModeSources {
  readonly home: string;
  readonly user: UserConfig;
  readonly backend: Backend;
  /** The backend without the project's setting. */
  readonly ownBackend: Backend;
  readonly flags: ModeFlags;
  readonly project: ProjectConfig | undefined;
}

export interface WorkingModes extends ModeSet {
  /** The modes that would be active without the project. */
  readonly own: ModeSet;
}

/** Two disjoint lists of modes. */
interface ModeSet {
  /** Active for the whole session. */
  readonly base: readonly Mode[];
  /** Active by default or added, sorted by name; activating another project or switching modes replaces them. */
  readonly dynamic: readonly Mode[];
}

/** The name of a mode, with the setting or flag that names it, for messages. */
interface NamedMode {
  readonly name: string;
  readonly where: string | undefined;
}

/**
 * Returns the active modes: the user's base modes; the default modes of the command line, else of the project, else of
 * the user; and the modes that the project and the command line add.
 *
 * @throws {ExpectedError} `config.invalid` for an unknown mode, with the setting that names it, or a mode with an
 *   unknown tool.
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
      ...named(project?.added_modes ?? [], `${project?.path}: key \`added_modes\``),
      ...named(flags.added, '`--add-mode`'),
    ],
    home,
  );
  return { base: backend === 'JetBrains' ? [jetbrainsMode(), ...base] : base, dynamic: sorted(without(dynamic, base)) };
}

/**
 * Returns `modes` with the dynamic ones replaced by those called `names`.
 *
 * @throws as {@link loadWorkingModes} does.
 */
export async function withModes(modes: WorkingModes, names: readonly string[], home: string): Promise<WorkingModes> {
  const requested = await loadAll(named(names), home);
  const withBase = (base: readonly Mode[]) => ({ base, dynamic: sorted(without(requested, base)) });
  return { ...withBase(modes.base), own: withBase(modes.own.base) };
}

/** Returns all modes in the order of messages to the client: the internal JetBrains mode first, then by name. */
export function allModes({ base, dynamic }: ModeSet): readonly Mode[] {
  const internal = base.filter(({ name }) => name === jetbrainsMode().name);
  return [...internal, ...sorted([...without(base, internal), ...dynamic])];
}

function defaultModes({ user, flags, project }: ModeSources, userFile: string): NamedMode[] {
  if (flags.defaults) return named(flags.defaults, '`--mode`');
  if (project?.default_modes) return named(project.default_modes, `${project.path}: key \`default_modes\``);
  return named(user.default_modes ?? [], `${userFile}: key \`default_modes\``);
}

function named(names: readonly string[], where?: string): NamedMode[] {
  return names.map((name) => ({ name, where }));
}

/** Loads the modes; a name that is given twice counts once. */
async function loadAll(names: readonly NamedMode[], home: string): Promise<Mode[]> {
  const loaded = await Promise.all(names.map((mode) => load(mode, home)));
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

/** Returns `modes` without `others`, compared by name. */
export function without(modes: readonly Mode[], others: readonly Mode[]): Mode[] {
  return modes.filter(({ name }) => !others.some((other) => other.name === name));
}

function sorted(modes: readonly Mode[]): Mode[] {
  return [...modes].sort((a, b) => (a.name < b.name ? -1 : 1));
}
