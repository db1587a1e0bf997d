import { assemble, finishProgram } from './assemble.ts';
import type { InstallJob } from './fetch/job.ts';
import { installWithTool, recipeOf, toolKey, unverifiable } from './fetch/tools.ts';
import type { ServerLock } from './lock/lock-schema.ts';
import { writeRuntimeFiles } from './runtime/js-runtime.ts';
import { type Plan, planOf } from './source/plan.ts';
import { type InstallableSource, isPinnedSource } from './source/source.ts';
import type { VersionChoice } from './source/version-choice.ts';
import { currentTarget, type Target } from './target.ts';

/** A planned installation: its directory's content and the function that assembles it. */
export interface Installation {
  /** Such as `pyright 1.1.414`; for messages. */
  readonly title: string;
  readonly version: string;
  /** Changes with every byte of the installation. */
  readonly key: string;
  /** The entry script or the program, relative to the installation, with `/`. */
  readonly program: string;
  readonly directoryName: string;
  /** Titles of the packages or modules in it; recorded in the receipt. */
  readonly contents: readonly string[];
  readonly target: Target;
  /** Fetches, verifies, unpacks or builds everything into `job.staging`. */
  assemble(job: InstallJob): Promise<void>;
}

/**
 * Returns the planned installation of server `id` from `source`. Reads only the lock.
 *
 * @throws {ExpectedError} `install.not-pinned`, also for a source that cannot be verified unless the user allows it;
 *   `config.invalid` for an unusable version in the user's settings.
 */
export function installationOf(request: {
  readonly id: string;
  readonly source: InstallableSource;
  readonly lock?: ServerLock | undefined;
  readonly choice?: VersionChoice | undefined;
  readonly allowsUnverified?: boolean | undefined;
}): Installation {
  const { id, source } = request;
  if (isPinnedSource(source)) return ofPlan(planOf({ ...request, source }));
  if (!request.allowsUnverified) throw unverifiable(id, source);
  const { title, program } = recipeOf(source);
  const key = toolKey(source);
  const { version } = source;
  return {
    ...{ title, version, key, program, contents: [title], target: currentTarget() },
    directoryName: `${version}-${key}`,
    assemble: async (job) => {
      await installWithTool(job, source);
      finishProgram(job, { program, hasModes: true });
    },
  };
}

function ofPlan(plan: Plan): Installation {
  const { title, entry, key, program, directoryName, target } = plan;
  return {
    ...{ title, version: entry.version, key, program, directoryName, contents: contentsOf(plan), target },
    assemble: async (job) => {
      await assemble(job, plan);
      if (entry.source === 'npm') writeRuntimeFiles(job.home);
    },
  };
}

function contentsOf({ entry, placements }: Plan): string[] {
  if (entry.source === 'go') return entry.modules.map(({ name, version }) => `${name}@${version}`);
  return (placements ?? []).map(({ artifact }) => artifact.title);
}
