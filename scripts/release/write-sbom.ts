import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { run } from '../support/run.ts';
import { readSource } from '../support/tracked-files.ts';
import type { Artefact } from './artefact.ts';
import { runtimePackage } from './fetch-runtime.ts';
import type { Place } from './place.ts';
import { productionPackages } from './production-packages.ts';
import type { ReleaseTarget } from './targets.ts';

const Component = z.looseObject({ 'bom-ref': z.string() });
const Dependency = z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) });
const Bom = z.looseObject({
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(Dependency),
});
type Bom = z.infer<typeof Bom>;

/** Writes which packages and which runtime the programs are made of, as CycloneDX. npm tells the packages. */
export async function writeSbom(place: Place): Promise<Artefact[]> {
  const file = 'serena.cdx.json';
  const bom = reproducible(withRuntimes(await packages(), place.targets), place);
  writeFileSync(join(place.published, file), `${JSON.stringify(bom, undefined, 2)}\n`);
  return [{ file, kind: 'sbom' }];
}

async function packages(): Promise<Bom> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const flags = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const told = await run(npm, ['sbom', ...flags, '--loglevel=error']);
  if (told.exitCode !== 0) throw new Error(`npm does not list the packages: ${told.stderr}`);
  return forProduction(Bom.parse(JSON.parse(told.stdout)));
}

/** npm's own `--omit=dev` (11.19) leaves out what a package for development needs as well: the MCP SDK, zod, yaml. */
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

/** To npm the runtime is a tool for development; it is most of what we ship. */
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

/** npm writes the time, a random number, its own version, the name of the directory, and addresses of the registry at hand. */
function reproducible(bom: Bom, { facts }: Place): object {
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

/** A UUID of version 8, which may hold what its maker likes. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
