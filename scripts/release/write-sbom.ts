import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { run } from '../support/run.ts';
import { readSource } from '../support/tracked-files.ts';
import type { Artifact } from './artifact.ts';
import { runtimePackage } from './fetch-runtime.ts';
import { productionPackages } from './production-packages.ts';
import type { Release } from './release.ts';
import type { ReleaseTarget } from './targets.ts';

const Component = z.looseObject({ 'bom-ref': z.string() });
const Dependency = z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) });
const Bom = z.looseObject({
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(Dependency),
});
type Bom = z.infer<typeof Bom>;

/** Writes the packages, as npm lists them, and the runtime of the programs as a CycloneDX SBOM. */
export async function writeSbom(release: Release): Promise<Artifact[]> {
  const file = 'serena.cdx.json';
  const bom = reproducible(withRuntimes(await packages(), release.targets), release);
  writeFileSync(join(release.published, file), `${JSON.stringify(bom, undefined, 2)}\n`);
  return [{ file, kind: 'sbom' }];
}

async function packages(): Promise<Bom> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const flags = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const listed = await run(npm, ['sbom', ...flags, '--loglevel=error']);
  if (listed.exitCode !== 0) throw new Error(`npm could not list the packages: ${listed.stderr}`);
  return forProduction(Bom.parse(JSON.parse(listed.stdout)));
}

/** Removes development packages. npm's `--omit=dev` (11.19) also removes shared dependencies: the MCP SDK, zod, yaml. */
function forProduction(bom: Bom): Bom {
  const refs = new Set([bom.metadata.component['bom-ref'], ...productionPackages().map(({ ref }) => ref)]);
  return {
    ...bom,
    components: bom.components.filter((component) => refs.has(component['bom-ref'])),
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => refs.has(name)) })),
  };
}

/** Adds the runtimes: npm considers Bun a development dependency, but the program contains it. */
function withRuntimes(bom: Bom, targets: readonly ReleaseTarget[]): Bom {
  const runtimes = targets.map((target) => {
    const { name, version, integrity } = runtimePackage(target);
    const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
    return {
      'bom-ref': `${name}@${version}`,
      type: 'framework',
      name,
      version,
      scope: 'required',
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      hashes: [{ alg: 'SHA-512', content }],
      licenses: [{ license: { id: 'MIT' } }],
    };
  });
  const own = bom.metadata.component['bom-ref'];
  const refs = runtimes.map((runtime) => runtime['bom-ref']);
  const dependencies = bom.dependencies.map(({ ref, dependsOn }) => ({
    ref,
    dependsOn: ref === own ? [...dependsOn, ...refs] : dependsOn,
  }));
  return {
    ...bom,
    components: [...bom.components, ...runtimes],
    dependencies: [...dependencies, ...refs.map((ref) => ({ ref, dependsOn: [] }))],
  };
}

/** Makes the SBOM reproducible: npm adds the time, a random id, its version, the directory name and registry URLs. */
function reproducible(bom: Bom, { facts }: Release): object {
  const { name } = z.object({ name: z.string() }).parse(JSON.parse(readSource('package.json')));
  const byRef = <T>(items: readonly T[], ref: (item: T) => string) =>
    [...items].sort((a, b) => (ref(a) < ref(b) ? -1 : 1));
  const sorted = {
    ...bom,
    metadata: {
      ...bom.metadata,
      timestamp: facts.date === '' ? undefined : facts.date,
      tools: undefined,
      component: { ...bom.metadata.component, name, version: facts.version },
    },
    components: byRef(
      bom.components.map((component) => ({ ...component, externalReferences: undefined })),
      (component) => component['bom-ref'],
    ),
    dependencies: byRef(
      bom.dependencies.map(({ ref, dependsOn }) => ({ ref, dependsOn: [...dependsOn].sort() })),
      ({ ref }) => ref,
    ),
    serialNumber: undefined,
  };
  return { ...sorted, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(sorted))}` };
}

/** Returns a UUID of version 8, whose content is free, from the hash of a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
