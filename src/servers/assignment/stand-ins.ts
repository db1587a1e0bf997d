import type { ServerSpec } from '../spec.ts';
import { packageVersion, type ReadProjectFile } from './package-version.ts';

/** A server that a project uses without naming it, and why if the project decides that. */
interface UsualServer {
  readonly spec: ServerSpec;
  /** As the end of a sentence that begins with the server's id. */
  readonly reason?: string;
}

/**
 * Returns `usual` with each server replaced by the one of `all` that stands in for it in this project; see
 * {@link ServerSpec.standsInFor}. A server stays if `isKept`, for example because the user configured it.
 */
export function withStandIns(
  usual: readonly ServerSpec[],
  { all, read, isKept }: { all: readonly ServerSpec[]; read: ReadProjectFile; isKept: (id: string) => boolean },
): UsualServer[] {
  return usual.map((spec) => {
    const other = all.find(({ standsInFor }) => standsInFor?.id === spec.id);
    const rule = other?.standsInFor;
    if (other === undefined || rule === undefined || isKept(spec.id)) return { spec };
    const found = packageVersion(rule.npmPackage, read);
    if (found === undefined || found.major < rule.fromMajor) return { spec };
    const depends = `the project depends on ${rule.npmPackage} ${found.version} (\`${found.file}\`)`;
    const obstacle = rule.unless?.(read);
    return obstacle === undefined
      ? { spec: other, reason: depends }
      : { spec, reason: `${depends}, but ${obstacle}, which \`${other.id}\` does not support` };
  });
}
