import { ExpectedError, isExpected, messageOf } from '../../base/errors.ts';
import { type Plan, planOf } from '../../install/source/plan.ts';
import { type Target, targetName } from '../../install/target.ts';
import type { ServerSpec } from '../../servers/catalog/spec.ts';
import { requirePinned } from './by-hand.ts';
import type { Choice } from './choice.ts';

/** What is to be carried, and what of it cannot be. */
export interface Plans {
  readonly plans: readonly Plan[];
  /** Why others were passed over; empty where all were asked for by name. */
  readonly left: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Returns what the chosen servers consist of on each of `targets`.
 *
 * @throws {ExpectedError} `install.not-pinned` and others of `install.*`, for a server that was named and cannot be had there.
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
    `Cannot carry ${plan.title} to ${targetName(target)}: this program pins no ready-made one for it`,
    { hints: [`Leave \`${spec.id}\` out, and build it there with \`serena servers install ${spec.id}\``] },
  );
}
