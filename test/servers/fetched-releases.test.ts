import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Artifact, UnpackKind } from '../../src/install/source/artifact.ts';
import { assetFor } from '../../src/install/source/placements.ts';
import { planOf } from '../../src/install/source/plan.ts';
import type { ArchiveSource } from '../../src/install/source/source.ts';
import { currentTarget } from '../../src/install/target.ts';
import { servers } from '../../src/languages/servers.ts';
import { asNamed, type ServerSpec } from '../../src/servers/spec.ts';
import { type ArchiveFiles, makeTarGz, makeZip } from '../support/archives.ts';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { stubCommand } from '../support/stubs.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** No version of any server. */
const version = '99.9.9';
const timeoutMs = 120_000;
const shell = `#!/bin/sh\nexec ${stubCommand('well-behaved').join(' ')}\n`;
const [bun, ...stubArgs] = stubCommand('well-behaved');
// One of its flags would prevent loading from the stub's directory.
const script = `require('node:child_process').spawn(${JSON.stringify(bun)}, ${JSON.stringify(stubArgs)}, {
  stdio: 'inherit',
  env: { ...process.env, BUN_OPTIONS: '' },
});\n`;

/** Files on the site of releases, by path. */
const published = new Map<string, Uint8Array>();
const asked: string[] = [];
const site = createServer((request, response) => {
  asked.push(request.url ?? '');
  const content = published.get(request.url ?? '');
  response.writeHead(content === undefined ? 404 : 200).end(content);
});
let siteUrl = '';
let bin = '';

beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  siteUrl = `http://127.0.0.1:${address.port}/`;
  bin = makeTempDir('bin');
  // The runtimes of servers are the stub server here; programs that servers only require do nothing.
  for (const name of ['java', 'php', 'pwsh']) program(name, shell);
  for (const name of ['matlab', 'haxe', 'elixir', 'erl', 'dotnet']) program(name, '#!/bin/sh\n');
});

afterAll(() => {
  site.close();
});

function program(name: string, text: string): void {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
}

interface Release {
  readonly spec: ServerSpec;
  readonly source: ArchiveSource;
}

const releases = servers.flatMap((spec): (Release & { id: string })[] => {
  const source = spec.install.find(({ from }) => from === 'archive');
  if (source?.from !== 'archive' || assetFor(source, currentTarget()) === undefined) return [];
  return [{ id: spec.id, spec: asNamed(spec), source }];
});

/** Content of the server's release, at the paths of the real one. */
function filesOf({ spec, source }: Release, programPath: string): ArchiveFiles {
  if (spec.id === 'java') {
    return {
      'extension/jre/21.0.9-any/bin/java': shell,
      'extension/lombok/lombok-1.jar': '',
      [`${programPath}/org.eclipse.equinox.launcher_1.jar`]: '',
    };
  }
  const text = source.runs === 'js' ? script : typeof source.runs === 'object' ? 'run by another program' : shell;
  return { 'README.md': 'A release.\n', [programPath]: text };
}

async function packed(kind: UnpackKind, files: ArchiveFiles, programPath: string): Promise<Uint8Array> {
  if (kind === 'zip') return makeZip(files);
  if (kind === 'tar.gz') return makeTarGz(files);
  if (kind === 'raw') return Buffer.from(files[programPath] ?? '');
  throw new Error(`No server is published as ${kind}`);
}

/** Publishes a release of the server and returns the settings and the environment that make it the one to fetch. */
async function publish(release: Release) {
  const { spec, source } = release;
  const key = spec.versionKey ?? '';
  const plan = planOf({ id: spec.id, source, choice: { key, version, isUnverified: true } });
  const [placement] = plan.placements ?? [];
  const url = placement === undefined ? undefined : urlOf(placement.artifact);
  if (placement === undefined || url === undefined) throw new Error(`${spec.id} is not fetched from an address`);
  const content = await packed(placement.unpack, filesOf(release, plan.program), plan.program);
  published.set(`/${spec.id}${url.pathname}`, content);
  return {
    path: `/${spec.id}${url.pathname}`,
    settings: { [key]: version, integrity: createHash('sha256').update(content).digest('hex') },
    env: {
      SERENA_URL_REWRITE: JSON.stringify({ [`${url.origin}/`]: `${siteUrl}${spec.id}/` }),
      SERENA_ALLOW_HTTP: '1',
    },
  };
}

function urlOf({ origin }: Artifact): URL | undefined {
  return origin.kind === 'url' ? new URL(origin.url) : undefined;
}

function start(release: Release, settings: unknown, env: Readonly<Record<string, string>>) {
  const { spec } = release;
  const extension = Object.keys(spec.files)[0] ?? '';
  const project = makeWorkspace({
    '.serena/project.yml': `project_name: p\nlanguage_servers: [${spec.id}]\n`,
    [`a${extension}`]: 'class shared\n  def inner\n',
  });
  const home = makeHome({ ls_specific_settings: { [spec.id]: settings } });
  const path = `${bin}:/usr/bin:/bin`;
  const client = startClient({ args: ['--project', project.root], env: { SERENA_HOME: home, PATH: path, ...env } });
  return { client, home, file: `a${extension}` };
}

describe('a release is fetched, verified, unpacked, started and asked', () => {
  test.each(releases)(
    '$id',
    async (release) => {
      const { path, settings, env } = await publish(release);
      const started = start(release, settings, env);
      await using client = await started.client;
      const answer = await client.call('get_symbols_overview', { relative_path: started.file, depth: 1 });
      expect({ isError: answer.isError, text: answer.text }).toMatchObject({
        isError: false,
        text: expect.stringMatching(/shared.*inner/s),
      });
      expect(asked.filter((address) => address === path)).toHaveLength(1);
    },
    timeoutMs,
  );
});

describe('another file published in its place', () => {
  const release = releases.find(({ id }) => id === 'clojure') ?? releases[0];
  if (release === undefined) throw new Error('No server is published for this machine');

  test(
    'is not run, because its hash differs',
    async () => {
      const { settings, env } = await publish(release);
      const started = start(release, { ...settings, integrity: '0'.repeat(64) }, env);
      await using client = await started.client;
      const answer = await client.call('get_symbols_overview', { relative_path: started.file });
      expect(answer.isError).toBe(true);
      expect(answer.text).toMatch(/expected: .*\n.*found: {4}/);
      expect(existsSync(join(started.home, 'language_servers', 'servers', release.id))).toBe(false);
    },
    timeoutMs,
  );
});
