import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { type Plan, planOf } from '../../install/source/plan.ts';
import { type Target, targetName } from '../../install/target.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import type { Choice } from './choice.ts';
import { requirePinned } from './require-source.ts';

/** Installation plans, and the servers that were skipped. */
export interface Plans {
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
