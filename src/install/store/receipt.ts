import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { attempt } from '../../base/attempt.ts';
import { namesIn, readTextIfExists } from '../../base/files.ts';
import { Slices } from '../../base/yielding.ts';
import { integrityOfFile } from '../lock/integrity.ts';
import { blobName } from './blobs.ts';
import { type InstallationDirectory, listInstallations } from './installations.ts';
import { directoriesBelow, receiptFile, serverDirectories, storeDirectories } from './layout.ts';

/** Describes an installation. It is written last, so a directory with a receipt is complete. */
interface Receipt {
  readonly id: string;
  readonly version: string;
  readonly key: string;
  /** The entry script or binary, relative to the directory, with `/`. */
  readonly program: string;
  /** `name@version` of every package or module in it. */
  readonly contents: readonly string[];
  readonly target: string;
  /** ISO 8601, UTC. */
  readonly installedAt: string;
}

/** Matches programs that our own runtime runs. */
const isScript = /\.[cm]?js$/;

/** Writes the receipt of the finished installation in `directory`. */
export function writeReceipt(directory: string, receipt: Receipt): void {
  writeFileSync(join(directory, receiptFile), `${JSON.stringify(receipt, null, 2)}\n`);
}

/**
 * Returns the receipt in `directory`, or `undefined` if it is missing or invalid. @throws system errors other than a
 * missing file.
 */
function readReceipt(directory: string): Receipt | undefined {
  const text = readTextIfExists(join(directory, receiptFile));
  return text === undefined ? undefined : parseReceipt(text);
}

/**
 * True if `directory` contains the complete installation with this key and program: its receipt has the key, and the
 * program exists. A receipt of another program counts too: several servers may run programs of the same packages, and
 * installing again would replace the files of a running one.
 *
 * @throws system errors other than a missing file, such as missing permissions.
 */
export function isComplete(directory: string, { key, program }: Pick<Receipt, 'key' | 'program'>): boolean {
  const receipt = readReceipt(directory);
  const path = join(directory, program);
  if (receipt?.key !== key || !existsSync(path)) return false;
  return receipt.program === program || isScript.test(program) || isExecutable(path);
}

/** Installing makes only the program of the receipt executable. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function parseReceipt(text: string): Receipt | undefined {
  const schema = z.object({
    id: z.string(),
    version: z.string(),
    key: z.string(),
    program: z.string(),
    contents: z.array(z.string()),
    target: z.string(),
    installedAt: z.string(),
  });
  return attempt(() => schema.safeParse(JSON.parse(text)).data, undefined);
}

/**
 * The list of installed files, beside the receipt. It is not part of the receipt because that is read at every start.
 */
const listFile = '.files.json';

/** How a file differs from the installed one. */
type FileChange = 'changed' | 'missing' | 'added';

/**
 * Records a hash of every file of the finished installation in `directory` (absolute), for {@link changedFiles}. Yields
 * to other calls in between.
 *
 * @throws the signal's reason; system errors.
 */
export async function writeFileList(directory: string, signal: AbortSignal): Promise<void> {
  const files = Object.fromEntries(await describeAll(directory, signal));
  writeFileSync(join(directory, listFile), `${JSON.stringify(files)}\n`);
}

/**
 * Returns the files of an installation that changed since it was made, by path relative to it, with `/`; `undefined` if
 * it has no list of files.
 *
 * @throws the signal's reason; system errors.
 */
async function changedFiles(
  directory: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileChange> | undefined> {
  const text = readTextIfExists(join(directory, listFile));
  const listed = text === undefined ? undefined : parse(text);
  if (listed === undefined) return undefined;
  const found = await describeAll(directory, signal);
  const changes = new Map<string, FileChange>();
  for (const [path, description] of Object.entries(listed)) {
    const now = found.get(path);
    if (now !== description) changes.set(path, now === undefined ? 'missing' : 'changed');
  }
  for (const path of found.keys()) {
    // Python writes bytecode beside the sources.
    if (!Object.hasOwn(listed, path) && !/(^|\/)__pycache__\//.test(path)) changes.set(path, 'added');
  }
  return changes;
}

function parse(text: string): Record<string, string> | undefined {
  return attempt(() => z.record(z.string(), z.string()).safeParse(JSON.parse(text)).data, undefined);
}

/**
 * Returns a description of every file by path: `- <sha-256>`, `x <sha-256>` for a program, `-> <target>` for a link.
 */
async function describeAll(directory: string, signal: AbortSignal): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const slices = new Slices(signal);
  for (const path of pathsBelow(directory, '')) {
    if (slices.isOver) await slices.pause();
    found.set(path, describeFile(join(directory, path)));
  }
  return found;
}

function* pathsBelow(directory: string, below: string): Generator<string> {
  for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (path === receiptFile || path === listFile) continue;
    if (entry.isDirectory()) yield* pathsBelow(directory, path);
    else yield path;
  }
}

export function describeFile(path: string, platform = process.platform): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (!stat.isFile()) return 'neither file nor directory';
  // Windows has no execute bit.
  const isProgram = platform !== 'win32' && (stat.mode & 0o111) !== 0;
  return `${isProgram ? 'x' : '-'} ${createHash('sha256').update(readFileSync(path)).digest('base64')}`;
}

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
