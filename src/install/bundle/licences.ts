import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { z } from 'zod';
import type { Artefact } from '../artefact.ts';
import { integrityOf } from '../integrity.ts';
import type { BundledFile } from './manifest.ts';
import type { TarContent } from './tar.ts';

interface Licensed {
  /** As the package itself says it; `undefined` where it says nothing that we can read. */
  readonly licence: string | undefined;
  /** Its licence texts by file name. */
  readonly texts: Readonly<Record<string, Uint8Array>>;
}

const textNames = /^(licen[cs]e|copying|notice|thirdparty\w*|third.party.\w*)([.-][\w.-]*)?$/i;
// Larger ones are no licence texts.
const maxTextBytes = 2e6;

/**
 * Returns the files of a bundle's `LICENSES/`: the licence texts that the packages of npm carry, and a list of all
 * packages with what they say their licence is. `artefacts` has the absolute path of each.
 */
export async function licenceFiles(artefacts: ReadonlyMap<Artefact, string>): Promise<(BundledFile & TarContent)[]> {
  const files = new Map<string, Uint8Array>();
  const lines: string[] = [];
  for (const [{ title, origin }, path] of artefacts) {
    const found = origin.kind === 'npm' ? await readPackage(path) : { licence: undefined, texts: {} };
    lines.push(`${title}\t${found.licence ?? 'see its files'}\n`);
    const folder = title.replaceAll('/', '+');
    for (const [name, text] of Object.entries(found.texts)) files.set(`LICENSES/${folder}/${name}`, text);
  }
  files.set('LICENSES/packages.tsv', Buffer.from(lines.sort().join('')));
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, source]) => ({ path, source, size: source.length, integrity: integrityOf(source, 'sha256') }));
}

async function readPackage(path: string): Promise<Licensed> {
  const archive = await promisify(gunzip)(await readFile(path));
  const isWanted = (name: string) => /^[^/]+\/package\.json$/.test(name) || textNames.test(name.split('/')[1] ?? '');
  const entries = await unpackTar(archive, {
    filter: ({ name, type, size }) => type === 'file' && size < maxTextBytes && isWanted(name) && !/\/.*\//.test(name),
  });
  const texts: Record<string, Uint8Array> = {};
  let licence: string | undefined;
  for (const { header, data } of entries) {
    const name = header.name.split('/')[1] ?? '';
    if (data === undefined) continue;
    if (name === 'package.json') licence = licenceIn(Buffer.from(data).toString('utf8'));
    else texts[name] = data;
  }
  return { licence, texts };
}

function licenceIn(packageJson: string): string | undefined {
  const schema = z.object({ license: z.union([z.string(), z.object({ type: z.string() })]).optional() });
  try {
    const { license } = schema.parse(JSON.parse(packageJson));
    return typeof license === 'string' ? license : license?.type;
  } catch {
    return undefined;
  }
}
