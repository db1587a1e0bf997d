import { join } from 'node:path';
import { integrityOfFile } from '../lock/integrity.ts';
import { blobName } from './blobs.ts';
import { type InstallationDirectory, listInstallations, namesIn } from './installations.ts';
import { directoriesBelow, serverDirectories, storeDirectories } from './layout.ts';
import { changedFiles, readReceipt } from './receipt.ts';

/** The result of verifying one installation or blob. */
interface Verdict {
  readonly kind: 'installation' | 'blob';
  /** Absolute path. */
  readonly path: string;
  /** `undefined` if nothing is wrong. */
  readonly problem: string | undefined;
  /** Names what could not be verified. */
  readonly note?: string | undefined;
}

interface VerifyRequest {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True to read every file of every installation. */
  readonly isDeep: boolean;
  readonly signal: AbortSignal;
  onProgress?(message: string): void;
}

/** Verifies that all blobs and installations, below SERENA_HOME and in stores, are unchanged. */
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
  if (receipt === undefined) return { ...verdict, problem: 'it is incomplete: it has no receipt' };
  if (receipt.id !== id || receipt.key !== key || name !== `${receipt.version}-${receipt.key}`) {
    return { ...verdict, problem: 'its receipt belongs to another installation' };
  }
  if (!isDeep) return { ...verdict, problem: undefined };
  onProgress?.(`Reading ${id} ${receipt.version}`);
  const changes = await changedFiles(directory, signal);
  if (changes === undefined) {
    return {
      ...verdict,
      problem: undefined,
      note: 'its files cannot be verified: an older version installed it and recorded no hashes',
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
    return { kind: 'blob', path, problem: isWhole ? undefined : 'its content does not match the hash in its name' };
  } catch (error) {
    return { kind: 'blob', path, problem: `it cannot be read: ${String(error)}` };
  }
}
