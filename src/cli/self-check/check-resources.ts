import type { Environment } from '../environment.ts';
import { digestOf, type Texts } from './embedded.ts';
import { replaceFix, type SelfCheckFinding } from './finding.ts';

/** Compares the embedded resources with the digests recorded by the build. */
export function checkResources({ build }: Environment, embedded: Texts): SelfCheckFinding[] {
  if (build === undefined) return [];
  const found = parse(digestOf(embedded));
  const built = parse(build.resources);
  const names = [...new Set([...found.keys(), ...built.keys()])];
  const different = names.filter((name) => found.get(name) !== built.get(name)).sort();
  if (different.length === 0) {
    return [
      { check: 'resources', status: 'ok', what: `${names.length} embedded resources are unchanged since the build` },
    ];
  }
  const what = `Embedded resources have changed since the build: ${different.join(', ')}`;
  return [{ check: 'resources', status: 'FAILED', what, fix: replaceFix }];
}

function parse(digest: string): Map<string, string> {
  const entries = digest.split(',').map((entry): [string, string] => {
    const at = entry.lastIndexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return new Map(entries);
}
