// usage: bun scripts/package-npm.ts [--target <name>[,…]] [--programs <directory>] [--out <directory>]
// Makes npm packages of compiled programs (scripts/release-build.ts): one per kind of machine, and a small one that depends
// on all of them optionally, of which npm installs the one that fits. Prints their directories in the order to publish them.
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { noticesText } from './release/notices-text.ts';
import { programName, type ReleaseTarget, targetsNamed } from './release/targets.ts';
import { root } from './support/paths.ts';
import { readSource } from './support/tracked-files.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    programs: { type: 'string', default: join(root, 'dist/release/programs') },
    out: { type: 'string', default: join(root, 'dist/release/npm') },
  },
});

const Package = z.looseObject({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  repository: z.unknown().optional(),
});

const ours = Package.parse(JSON.parse(readSource('package.json')));
const common = {
  version: ours.version,
  license: ours.license,
  ...(ours.repository === undefined ? {} : { repository: ours.repository }),
};

/** A scope of the launcher's name, so that nobody else can publish a package that looks like one of these. */
function packageName({ id }: ReleaseTarget): string {
  return `@${ours.name}/${id}`;
}

function write(directory: string, manifest: object, readme: string): void {
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  writeFileSync(join(directory, 'README.md'), readme);
  copyFileSync(join(root, 'LICENSE'), join(directory, 'LICENSE'));
}

function writeProgram(target: ReleaseTarget, out: string, notices: string): string {
  const program = join(resolve(values.programs), target.id, programName(target));
  if (!existsSync(program)) {
    throw new Error(
      `There is no \`${program}\`: run \`npm run release:build -- --stage compile --target ${target.id}\``,
    );
  }
  const directory = join(out, target.id);
  mkdirSync(join(directory, 'bin'), { recursive: true });
  const copy = join(directory, 'bin', programName(target));
  copyFileSync(program, copy);
  chmodSync(copy, 0o755);
  writeFileSync(join(directory, 'THIRD-PARTY-NOTICES.txt'), notices);
  const { os, cpu, libc } = target;
  const manifest = {
    name: packageName(target),
    ...common,
    description: `The program of ${ours.name} for ${target.id}`,
    os: [os],
    // Windows on ARM runs programs for x64.
    cpu: os === 'win32' ? [cpu, 'arm64'] : [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    // Package managers that keep archives packed have to unpack this one.
    preferUnplugged: true,
    publishConfig: { access: 'public' },
  };
  write(directory, manifest, `# ${manifest.name}\n\n${manifest.description}. Install \`${ours.name}\`, not this.\n`);
  return directory;
}

function writeLauncher(targets: readonly ReleaseTarget[], out: string): string {
  const directory = join(out, ours.name);
  mkdirSync(directory, { recursive: true });
  for (const file of ['launcher.mjs', 'hooks-launcher.mjs']) {
    copyFileSync(join(root, 'scripts/release', file), join(directory, file));
    chmodSync(join(directory, file), 0o755);
  }
  const manifest = {
    name: ours.name,
    ...common,
    description: ours.description,
    bin: { serena: 'launcher.mjs', 'serena-hooks': 'hooks-launcher.mjs' },
    engines: { node: '>=18' },
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageName(target), ours.version])),
    publishConfig: { access: 'public' },
  };
  const use = `    npm install --global ${ours.name}\n    serena setup <client>`;
  const text = 'No install script runs; the program comes in a package for your machine, as an optional dependency.';
  write(directory, manifest, `# ${ours.name}\n\n${ours.description}\n\n${use}\n\n${text}\n`);
  return directory;
}

function main(): void {
  const targets = targetsNamed((values.target ?? []).flatMap((list) => list.split(',')));
  const out = resolve(values.out);
  rmSync(out, { recursive: true, force: true });
  const notices = noticesText();
  for (const target of targets) console.log(writeProgram(target, out, notices));
  console.log(writeLauncher(targets, out));
}

main();
