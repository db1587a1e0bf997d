import { findProgram } from '../../base/find-program.ts';
import type { UserConfig } from '../../config/user-config.ts';
import { findInstalled } from '../../install/install.ts';
import { serverFolders } from '../../install/layout.ts';
import { missingArtefacts } from '../../install/missing.ts';
import { type Plan, planOf } from '../../install/plan.ts';
import type { PinnedSource } from '../../install/source.ts';
import { installRequest, pinnedSource, type ServerPlace } from '../../servers/resolve.ts';
import { parseServerSettings } from '../../servers/settings.ts';
import type { ServerSpec } from '../../servers/spec.ts';

/** How a server is at hand on this machine. */
export type ServerState =
  /** A program that the user's configuration names. */
  | 'configured'
  /** Installed by us. */
  | 'installed'
  /** Installed by us in a store of `SERENA_STORE`. */
  | 'in a store'
  /** A program on `PATH`. */
  | 'on PATH'
  /** Not installed, but all that it is made of is here. */
  | 'ready'
  | 'to be fetched'
  | 'to be installed by hand'
  | 'not for this machine';

/** What is known of one server on this machine. */
export interface ServerDescription {
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  readonly languages: readonly string[];
  readonly suffixes: readonly string[];
  /** Kinds of places that it may come from, in order. */
  readonly from: readonly string[];
  /** The pinned version. */
  readonly version: string | null;
  readonly state: ServerState;
  /** Absolute path, where the server is at hand. */
  readonly program: string | null;
  /** What is downloaded, and what that is unpacked, where the lock tells. */
  readonly downloadBytes: number | null;
  readonly unpackedBytes: number | null;
  /** Where it is not free software. */
  readonly licence: string | null;
  readonly isRedistributable: boolean;
  /** Programs that it needs, and whether they are on `PATH`. */
  readonly needs: readonly { readonly program: string; readonly isHere: boolean }[];
  /** Whether only projects that name it use it. */
  readonly needsExplicitChoice: boolean;
}

/** Describes one server as it is on this machine, for the user with this configuration. Reads a few small files. */
export function describeServer(spec: ServerSpec, place: ServerPlace, user: UserConfig): ServerDescription {
  const source = pinnedSource(spec);
  const plan = source && planFor(spec.id, source);
  const artefacts = plan?.placements?.map(({ artefact }) => artefact);
  return {
    id: spec.id,
    name: spec.name,
    homepage: spec.homepage,
    languages: [...new Set(Object.values(spec.files))],
    suffixes: Object.keys(spec.files),
    from: spec.install.map(({ from }) => from),
    version: plan?.entry.version ?? null,
    ...stateOf(spec, { source, plan }, { place, user }),
    downloadBytes: sumOf(artefacts?.map(({ sizeBytes }) => sizeBytes)),
    unpackedBytes: sumOf(artefacts?.map(({ unpackedBytes }) => unpackedBytes)),
    licence: spec.licence ?? null,
    isRedistributable: spec.redistributable !== false,
    needs: (spec.requires ?? []).map(({ program }) => {
      return { program, isHere: findProgram(program, place.env) !== undefined };
    }),
    needsExplicitChoice: spec.needsExplicitChoice === true,
  };
}

function planFor(id: string, source: PinnedSource): Plan | undefined {
  try {
    return planOf({ id, source });
  } catch {
    // Nothing is published for this kind of machine.
    return undefined;
  }
}

function stateOf(
  spec: ServerSpec,
  { source, plan }: { source: PinnedSource | undefined; plan: Plan | undefined },
  { place, user }: { place: ServerPlace; user: UserConfig },
): { readonly state: ServerState; readonly program: string | null } {
  const settings = parseServerSettings(user.ls_specific_settings[spec.id]);
  const own = settings.ls_base_cmd?.[0] ?? settings.ls_path;
  if (own !== undefined) return { state: 'configured', program: own };
  const bins = spec.install.flatMap((candidate) => (candidate.from === 'path' ? candidate.bins : []));
  const onPath = bins.map((bin) => findProgram(bin, place.env)).find((path) => path !== undefined);
  if (onPath !== undefined) return { state: 'on PATH', program: onPath };
  if (source === undefined) return { state: 'to be installed by hand', program: null };
  if (plan === undefined) return { state: 'not for this machine', program: null };
  const call = { signal: new AbortController().signal, progress: () => undefined };
  const installed = findInstalled(installRequest(spec, source, { place, call, settings }));
  if (installed !== undefined) {
    const isOurs = installed.folder.startsWith(serverFolders(place.home).root);
    return { state: isOurs ? 'installed' : 'in a store', program: installed.program };
  }
  const isReady = plan.placements !== undefined && missingArtefacts(plan, place).length === 0;
  return { state: isReady ? 'ready' : 'to be fetched', program: null };
}

function sumOf(sizes: readonly (number | undefined)[] | undefined): number | null {
  if (sizes === undefined || sizes.length === 0) return null;
  return sizes.reduce<number | null>((sum, size) => (sum === null || size === undefined ? null : sum + size), 0);
}
