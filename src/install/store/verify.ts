import { join } from 'node:path';
import { integrityOfFile } from '../lock/integrity.ts';
import { blobName } from './blobs.ts';
import { changedFiles } from './file-list.ts';
import { type InstallationDirectory, listInstallations, namesIn } from './installations.ts';
import { directoriesBelow, serverDirectories, storeDirectories } from './layout.ts';
import { readReceipt } from './receipt.ts';

/** One thing that was looked at. */
export interface Verdict {
  readonly kind: 'installation' | 'blob';
  /** Absolute. */
  readonly path: string;
  /** What is wrong with it; `undefined` where all is well. */
  readonly problem: string | undefined;
  /** What could not be looked at. */
  readonly note?: string | undefined;
}

/** What to look at. */
export interface VerifyRequest {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether to read every file of every installation. */
  readonly isDeep: boolean;
  readonly signal: AbortSignal;
  onProgress?(message: string): void;
}

/** Looks at all blobs and installations, in our home directory and in stores: whether they are what they were when they came. */
export async function verifyAll(request: VerifyRequest): Promise<Verdict[]> {
  const roots = [...storeDirectories(request.env), serverDirectories(request.home).root];
  const verdicts: Verdict[] = [];
  for (const root of roots) {
    for (const installation of listInstallations(root)) verdicts.push(await verifyInstallation(installation, request));
    const { blobs } = directoriesBelow(root);
    for (const algorithm of ['sha256', 'sha512']) {
      for (const hex of namesIn(join(blobs, algorithm))) {
        verdicts.push(await verifyBlob(join(blobs, algorithm, hex), `${algorithm}/${hex}`, request));
      }
    }
  }
  return verdicts;
}

async function verifyInstallation(
  { directory, id, name, key }: InstallationDirectory,
  request: VerifyRequest,
): Promise<Verdict> {
  const { signal, isDeep, onProgress } = request;
  signal.throwIfAborted();
  const verdict = { kind: 'installation', path: directory } as const;
  const receipt = readReceipt(directory);
  if (receipt === undefined) return { ...verdict, problem: 'it has no receipt: it is not complete' };
  if (receipt.id !== id || receipt.key !== key || name !== `${receipt.version}-${receipt.key}`) {
    return { ...verdict, problem: 'its receipt is that of another installation' };
  }
  if (!isDeep) return { ...verdict, problem: undefined };
  onProgress?.(`Reading ${id} ${receipt.version}`);
  const changes = await changedFiles(directory, signal);
  if (changes === undefined) {
    return {
      ...verdict,
      problem: undefined,
      note: 'what its files were is not written down: it was installed by an older version',
    };
  }
  if (changes.size === 0) return { ...verdict, problem: undefined };
  const [first] = [...changes].map(([path, what]) => `\`${path}\` is ${what}`);
  const others = changes.size === 1 ? '' : `, and ${changes.size - 1} more`;
  return { ...verdict, problem: `${first}${others}` };
}

async function verifyBlob(path: string, name: string, { signal, onProgress }: VerifyRequest): Promise<Verdict> {
  signal.throwIfAborted();
  onProgress?.('Reading blobs');
  const [algorithm] = name.split('/');
  try {
    const isWhole = blobName(await integrityOfFile(path, `${algorithm}-`)) === name;
    return { kind: 'blob', path, problem: isWhole ? undefined : 'its content is not what its name says' };
  } catch (error) {
    return { kind: 'blob', path, problem: `it cannot be read: ${String(error)}` };
  }
}
