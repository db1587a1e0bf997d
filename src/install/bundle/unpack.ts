import { createReadStream, lstatSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { writeFailure } from '../failures.ts';
import { prepareDirectories, serverDirectories } from '../store/layout.ts';
import { stagingDirectory } from '../store/staging.ts';
import { BundleReader, type UnpackRequest, type UnpackResult } from './bundle-reader.ts';
import { badBundle, manifestName, sumsName } from './manifest.ts';
import { readBundleTar } from './read-tar.ts';
import { sumsOf } from './tar.ts';

/**
 * Stores the pinned blobs of a bundle below SERENA_HOME. Verifies the whole bundle first: a bundle that is damaged or
 * changed anywhere leaves nothing behind.
 *
 * @throws {ExpectedError} `install.bad-bundle`, `install.hash-mismatch`, `install.no-space`, `install.home-unusable`;
 *   the signal's reason.
 */
export async function unpackBundle(request: UnpackRequest): Promise<UnpackResult> {
  const { bundle, home, signal } = request;
  const isDirectory = kindOf(bundle) === 'directory';
  const { staging: stagingRoot } = prepareDirectories(home);
  const staging = stagingDirectory(stagingRoot);
  const bundleReader = new BundleReader(request, staging);
  try {
    mkdirSync(staging);
    if (isDirectory) await takeFromDirectory(bundle, bundleReader, signal);
    else await readBundleTar(bundle, bundleReader, signal);
    return bundleReader.keep();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ExpectedError) throw error;
    const failure = writeFailure(error, { home, directory: serverDirectories(home).blobs });
    throw failure instanceof ExpectedError ? failure : badBundle(bundle, messageOf(error), error);
  } finally {
    rmSync(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}

function kindOf(bundle: string): 'file' | 'directory' {
  const stat = statSync(bundle, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return 'directory';
  if (stat?.isFile()) return 'file';
  throw new ExpectedError('file.not-found', `cannot find the bundle \`${bundle}\``, {
    hints: ['make one with `serena servers pack -o <file> <server>…` on a machine with network access'],
  });
}

async function takeFromDirectory(directory: string, bundleReader: BundleReader, signal: AbortSignal): Promise<void> {
  const read = (name: string) => {
    const path = join(directory, name);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) throw badBundle(directory, `it has no file \`${name}\``);
    return readFileSync(path, 'utf8');
  };
  const text = read(manifestName);
  // If the directory was extracted from a tar, its sums have another line about the tar.
  if (!read(sumsName).startsWith(sumsOf(text))) {
    throw badBundle(directory, `its \`${manifestName}\` does not match its \`${sumsName}\``);
  }
  for (const file of bundleReader.begin(text).blobs) {
    signal.throwIfAborted();
    const path = join(directory, file.path);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size !== file.size) {
      throw badBundle(directory, `\`${file.path}\` is not a file of ${file.size} bytes`);
    }
    await bundleReader.take(file, createReadStream(path));
  }
}
