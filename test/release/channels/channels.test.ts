import { beforeAll, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ChannelFacts } from '../../../scripts/release/channels/channel.ts';
import { channelFacts, channels } from '../../../scripts/release/channels/channels.ts';
import type { Release } from '../../../scripts/release/release.ts';
import { root } from '../../../scripts/support/paths.ts';
import { run } from '../../../scripts/support/run.ts';
import { currentTarget, targetName } from '../../../src/install/target.ts';
import { startClient } from '../../support/client.ts';
import { placeProgram } from '../../support/place-program.ts';
import { testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeTempDir, sharedHome } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';
import { ReleaseServer } from '../release-server.ts';
import { makeSampleRelease, sampleBase } from './sample-release.ts';

/** Includes the download of schemas. */
const timeoutMs = 240_000;

let release: Release;
let facts: ChannelFacts;

beforeAll(async () => {
  const made = await makeSampleRelease();
  release = made.release;
  facts = channelFacts(release, made.artifacts);
}, timeoutMs);

/** Writes the files of a channel to a new directory and returns its absolute path. */
function write(name: string): string {
  const directory = makeTempDir('channel');
  for (const { path, text } of channels[name]?.(facts) ?? []) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

const read = (directory: string, path: string) => readFileSync(join(directory, path), 'utf8');
const readJson = (directory: string, path: string) => JSON.parse(read(directory, path));
const manifestOf = (bundle: string) =>
  JSON.parse(
    Buffer.from(unzipSync(readFileSync(join(release.published, bundle)))['manifest.json'] ?? []).toString('utf8'),
  );
const sha256Of = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(release.published, file)))
    .digest('hex');
const urlOf = (file: string) => `${sampleBase}/v1.2.3/${file}`;

test.each(Object.keys(channels))('%s names only published files, each with its hash', (name) => {
  const texts = channels[name]?.(facts).filter(({ path }) => !/install.*\.(sh|ps1)$/.test(path)) ?? [];
  const text = texts.map((file) => file.text).join('\n');
  for (const [, file = ''] of text.matchAll(/\/v1\.2\.3\/([\w.-]+)/g)) {
    const hex = sha256Of(file);
    const base64 = Buffer.from(hex, 'hex').toString('base64');
    expect([hex, hex.toUpperCase(), base64].some((hash) => text.includes(hash))).toBe(true);
  }
  expect(text).not.toContain('undefined');
});

describe('.mcpb bundles', () => {
  test('exist for each platform except musl, with the program and its licenses', () => {
    expect(facts.bundles.map(({ file }) => file)).toEqual(
      ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64'].map((id) => `serena-${id}.mcpb`),
    );
    const files = unzipSync(readFileSync(join(release.published, 'serena-windows-x64.mcpb')));
    expect(Object.keys(files)).toEqual(['manifest.json', 'server/serena.exe', 'LICENSE', 'THIRD-PARTY-NOTICES.txt']);
  });

  testUnless(whyNoProgram('tar'))(
    'have a manifest that follows the schema of version 0.4',
    async () => {
      const directory = makeTempDir('mcpb');
      const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
      const packed = await run(npm, ['pack', '@anthropic-ai/mcpb@2.1.2', '--prefer-offline'], { cwd: directory });
      expect(packed.exitCode).toBe(0);
      spawnSync('tar', ['-xzf', packed.stdout.trim()], { cwd: directory });
      const published = readJson(directory, 'package/dist/mcpb-manifest-v0.4.schema.json');
      // The validator here does not know references into properties, which only `platform_overrides` has.
      const known = JSON.stringify(published, (key, value) => (key === '$ref' ? undefined : value));
      const schema = z.fromJSONSchema(JSON.parse(known));
      for (const { file } of facts.bundles) {
        const manifest = manifestOf(file);
        expect(manifest.manifest_version).toBe('0.4');
        expect(schema.safeParse(manifest).error).toBeUndefined();
        expect(schema.safeParse({ ...manifest, unknown: 1 }).success).toBe(false);
      }
    },
    timeoutMs,
  );

  const here = `serena-${targetName(currentTarget()).replace('win32', 'windows')}.mcpb`;
  const whyNot = currentTarget().libc === 'musl' ? 'there is no bundle for musl' : undefined;
  testUnless(whyNot)(
    'start as a client would start them',
    async () => {
      const directory = makeTempDir('extension');
      const { command, args } = manifestOf(here).server.mcp_config;
      const program = command.replace(`\${__dirname}`, directory);
      placeProgram(program);
      expect(args[0]).toBe('start-mcp-server');
      await using client = await startClient({ binary: program, args: args.slice(1) });
      expect((await client.tools()).length).toBeGreaterThan(10);
    },
    timeoutMs,
  );
});

describe('server.json', () => {
  test('names the npm package, which names it, and the bundles', () => {
    const description = readJson(write('mcp-registry'), 'server.json');
    expect(description).toMatchObject({ name: facts.mcpName, version: '1.2.3' });
    expect(readJson(root, 'package.json').mcpName).toBe(facts.mcpName);
    expect(description.packages[0]).toMatchObject({ registryType: 'npm', identifier: 'serena-in-one-file' });
    expect(description.packages[1]).toMatchObject({
      ...{ registryType: 'mcpb', identifier: urlOf('serena-linux-x64.mcpb') },
      fileSha256: sha256Of('serena-linux-x64.mcpb'),
    });
    expect(description.description.length).toBeLessThanOrEqual(100);
  });

  testUnless(whyNoProgram('go'))(
    'follows the schema that it names, as the registry publishes it',
    async () => {
      const module = 'github.com/modelcontextprotocol/registry@v1.8.8';
      const fetched = await run('go', ['mod', 'download', '-json', module], { cwd: makeTempDir('go') });
      expect(fetched).toMatchObject({ exitCode: 0 });
      const { Dir } = z.object({ Dir: z.string() }).parse(JSON.parse(fetched.stdout));
      const description = readJson(write('mcp-registry'), 'server.json');
      const [version = ''] = /\d{4}-\d\d-\d\d/.exec(description.$schema) ?? [];
      const published = readJson(join(Dir, 'internal/validators/schemas'), `${version}.json`);
      expect(published.$id).toBe(description.$schema);
      // The validator here does not know `not`, with which the schema forbids the version `latest` and nothing else.
      const known = JSON.stringify(published, (key, value) => (key === 'not' ? undefined : value));
      const schema = z.fromJSONSchema(JSON.parse(known));
      expect(schema.safeParse(description).error).toBeUndefined();
      expect(schema.safeParse({ ...description, version: 1 }).success).toBe(false);
    },
    timeoutMs,
  );
});

test('the plugin of Claude Code has the server, the skill and the hooks', () => {
  const directory = write('claude-plugin');
  expect(readdirSync(directory).sort()).toEqual(['.claude-plugin', '.mcp.json', 'README.md', 'hooks', 'skills']);
  expect(readJson(directory, '.claude-plugin/plugin.json')).toMatchObject({ name: 'serena', version: '1.2.3' });
  expect(readJson(directory, '.claude-plugin/marketplace.json').plugins).toMatchObject([
    { name: 'serena', source: './' },
  ]);
  expect(readJson(directory, '.mcp.json').mcpServers.serena.args).toContain('--context=claude-code');
  expect(Object.keys(readJson(directory, 'hooks/hooks.json').hooks)).toContain('PreToolUse');
  expect(read(directory, 'skills/serena/SKILL.md')).toStartWith('---\nname: serena\n');
});

describe('the formula for Homebrew', () => {
  test('has an archive for each platform', () => {
    const text = read(write('homebrew'), 'Formula/serena.rb');
    for (const id of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']) {
      expect(text).toContain(
        `url "${urlOf(`serena-${id}.tar.gz`)}"\n      sha256 "${sha256Of(`serena-${id}.tar.gz`)}"`,
      );
    }
  });

  testUnless(whyNoProgram('ruby'))('is valid Ruby', () => {
    const { status, stderr } = spawnSync('ruby', ['-wc', join(write('homebrew'), 'Formula/serena.rb')], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

test('the manifests of Scoop and WinGet name the archive for Windows', () => {
  const archive = { url: urlOf('serena-windows-x64.zip'), hash: sha256Of('serena-windows-x64.zip') };
  expect(readJson(write('scoop'), 'bucket/serena.json').architecture).toEqual({ '64bit': archive });
  const directory = join(write('winget'), 'manifests/s/SerenaInOneFile/Serena/1.2.3');
  const manifests = readdirSync(directory).map((file) => parse(read(directory, file)));
  expect(manifests.map(({ ManifestType }) => ManifestType).sort()).toEqual(['defaultLocale', 'installer', 'version']);
  for (const manifest of manifests) {
    expect(manifest).toMatchObject({ PackageIdentifier: 'SerenaInOneFile.Serena', PackageVersion: '1.2.3' });
  }
  const [installer] = manifests.flatMap(({ Installers }) => Installers ?? []);
  expect(installer).toEqual({
    ...{ Architecture: 'x64', InstallerUrl: archive.url, InstallerSha256: archive.hash.toUpperCase() },
  });
});

describe('the package for Arch', () => {
  testUnless(process.platform === 'win32' ? 'there is no bash' : (whyNoProgram('bash') ?? whyNoProgram('tar')))(
    'installs the program with a shell',
    () => {
      const directory = write('aur');
      const source = join(directory, 'src');
      mkdirSync(source);
      spawnSync('tar', ['-xzf', join(release.published, 'serena-linux-x64.tar.gz'), '-C', source]);
      const script = `set -eu; srcdir=${source}; pkgdir=${directory}/pkg; cd "$srcdir"; . ${directory}/PKGBUILD; package
      echo "$pkgname $pkgver \${sha256sums_x86_64[0]} \${options[*]}"`;
      const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toBe(`serena-in-one-file-bin 1.2.3 ${sha256Of('serena-linux-x64.tar.gz')} !strip !debug\n`);
      expect(spawnSync(join(directory, 'pkg/usr/bin/serena-hooks'), { encoding: 'utf8' }).stdout).toBe(
        'Serena 1.2.3\n',
      );
      expect(read(directory, 'pkg/usr/share/man/man1/serena.1')).toContain('.TH');
    },
  );

  test('has the same facts in .SRCINFO', () => {
    const lines = read(write('aur'), '.SRCINFO').split('\n');
    expect(lines).toContain(`\tsha256sums_aarch64 = ${sha256Of('serena-linux-arm64.tar.gz')}`);
    expect(lines).toContain('\toptions = !strip');
  });
});

testUnless(whyNoProgram('nix-instantiate'))('the flake is valid Nix', () => {
  const { status, stderr } = spawnSync('nix-instantiate', ['--parse', join(write('nix'), 'flake.nix')], {
    encoding: 'utf8',
  });
  expect({ status, isError: stderr.includes('error:') }).toEqual({ status: 0, isError: false });
});

describe('the feature and the action', () => {
  test('the feature runs the published installer of its version', () => {
    const directory = join(write('devcontainer'), 'src/serena');
    expect(readJson(directory, 'devcontainer-feature.json')).toMatchObject({
      ...{ id: 'serena', version: '1.2.3', options: { version: { default: '1.2.3' } } },
    });
    expect(read(directory, 'install-serena.sh')).toBe(readFileSync(join(release.published, 'install.sh'), 'utf8'));
    expect(spawnSync('sh', ['-n', join(directory, 'install.sh')]).status).toBe(0);
  });

  test('the action passes its input as a variable only', () => {
    const { runs } = parse(read(write('github-action'), 'action.yml'));
    expect(runs.using).toBe('composite');
    for (const { run: command } of runs.steps) expect(command).not.toContain('${{');
  });

  testUnless(process.platform === 'win32' ? 'install.ps1 is tested elsewhere' : whyNoProgram('curl'))(
    'the step of the action installs the program and extends PATH',
    async () => {
      const directory = write('github-action');
      const [step] = parse(read(directory, 'action.yml')).runs.steps;
      await using server = await ReleaseServer.start(release.directory);
      const bin = join(makeTempDir('runner'), 'serena-bin');
      const paths = join(directory, 'paths');
      const done = await run('sh', ['-ec', step.run], {
        env: {
          ...{ GITHUB_ACTION_PATH: directory, GITHUB_PATH: paths, SERENA_VERSION: '1.2.3', SERENA_INSTALL_DIR: bin },
          SERENA_BASE_URL: server.url,
        },
      });
      expect(done).toMatchObject({ exitCode: 0, stderr: '' });
      expect(read(directory, 'paths')).toBe(`${bin}\n`);
      expect(spawnSync(join(bin, 'serena'), { encoding: 'utf8' }).stdout).toBe('Serena 1.2.3\n');
    },
    timeoutMs,
  );

  testUnless(process.platform === 'win32' ? 'the runners have bash' : whyNoProgram('bash'))(
    'the steps of the action list the tests of a change, annotate what it breaks, and fail then',
    async () => {
      const steps = parse(read(write('github-action'), 'action.yml')).runs.steps.slice(2);
      const bin = makeTempDir('bin');
      placeProgram(join(bin, 'serena'));
      const shop = 'def price(n):\n    return n\n';
      await using project = makeWorkspace({
        '.serena/project.yml': 'symbol_source: server\n',
        'shop.py': shop,
        'test_shop.py': 'from shop import price\n\n\ndef test_price():\n    assert price(1) == 1\n',
      });
      project.initGit();
      const output = join(makeTempDir('runner'), 'output');
      const play = async (step: { run: string }) => {
        const own = { GITHUB_OUTPUT: output, SERENA_VERIFY_BASE: 'HEAD', SERENA_HOME: sharedHome() };
        const env = { ...own, PATH: `${bin}:${process.env.PATH}` };
        return await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
          ...{ cwd: project.root, env, timeoutMs },
        });
      };
      const tests = () => readFileSync(output, 'utf8').split('\n').slice(1, -2);
      const [affected, verify] = steps;
      expect([await play(affected), await play(verify)]).toMatchObject([{ exitCode: 0 }, { exitCode: 0, stdout: '' }]);
      expect(tests()).toEqual([]);

      writeFileSync(output, '');
      project.write('shop.py', shop.replace('(n)', '(n, unit)'));
      expect(await play(affected)).toMatchObject({ exitCode: 0 });
      expect(tests()).toEqual(['test_shop.py']);
      const { exitCode, stdout } = await play(verify);
      expect(stdout).toStartWith('::error file=test_shop.py,line=5::');
      expect(exitCode).toBe(1);
      expect(await play({ run: affected.run.replace('--tests', '--nonsense') })).toMatchObject({ exitCode: 1 });
    },
    timeoutMs,
  );
});
