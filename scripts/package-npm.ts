// usage: bun scripts/package-npm.ts [--target <name>[,…]] [--programs <directory>] [--out <directory>]
// Creates npm packages from compiled programs (scripts/release-build.ts): one per platform, and a launcher with all of them
// as optional dependencies, of which npm installs the matching one. Prints their directories in publishing order.
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
  mcpName: z.string(),
  repository: z.unknown().optional(),
});

const ownPackage = Package.parse(JSON.parse(readSource('package.json')));
const common = {
  version: ownPackage.version,
  license: ownPackage.license,
  ...(ownPackage.repository === undefined ? {} : { repository: ownPackage.repository }),
};

/** Uses the launcher's name as the scope, so that nobody else can publish a similar package. */
function packageName({ id }: ReleaseTarget): string {
  return `@${ownPackage.name}/${id}`;
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
      `\`${program}\` does not exist: run \`npm run release:build -- --stage compile --target ${target.id}\``,
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
    description: `The ${ownPackage.name} program for ${target.id}`,
    os: [os],
    // Windows on ARM runs programs for x64.
    cpu: os === 'win32' ? [cpu, 'arm64'] : [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    // Makes package managers that keep archives packed unpack this one.
    preferUnplugged: true,
    publishConfig: { access: 'public' },
  };
  write(
    directory,
    manifest,
    `# ${manifest.name}\n\n${manifest.description}. Install \`${ownPackage.name}\` instead.\n`,
  );
  return directory;
}

function writeLauncher(targets: readonly ReleaseTarget[], out: string): string {
  const directory = join(out, ownPackage.name);
  mkdirSync(directory, { recursive: true });
  for (const file of ['launcher.mjs', 'hooks-launcher.mjs']) {
    copyFileSync(join(root, 'scripts/release', file), join(directory, file));
    chmodSync(join(directory, file), 0o755);
  }
  const manifest = {
    name: ownPackage.name,
    ...common,
    description: ownPackage.description,
    mcpName: ownPackage.mcpName,
    bin: { serena: 'launcher.mjs', 'serena-hooks': 'hooks-launcher.mjs' },
    engines: { node: '>=18' },
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageName(target), ownPackage.version])),
    publishConfig: { access: 'public' },
  };
  const use = `    npm install --global ${ownPackage.name}\n    serena setup <client>`;
  const text = 'There is no install script; the program for your platform is an optional dependency.';
  write(directory, manifest, `# ${ownPackage.name}\n\n${ownPackage.description}\n\n${use}\n\n${text}\n`);
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
