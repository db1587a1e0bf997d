import { chmodSync, cpSync, createReadStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { z } from 'zod';
import { run } from '../../scripts/support/run.ts';

const GoDownload = z.object({ Dir: z.string() });

/** Runs a program in `cwd`, with `input` if given, and returns its stdout. @throws {Error} with the last line of stderr if it fails. */
export async function mustRun(command: string, args: readonly string[], cwd: string, input?: string): Promise<string> {
  const ran = await run(command, args, { cwd, ...(input === undefined ? {} : { input }) });
  if (ran.exitCode === 0) return ran.stdout;
  const reason = ran.stderr.trim().split('\n').at(-1) ?? '';
  throw new Error(`\`${command} ${args.join(' ')}\` failed: ${reason}`);
}

/** Unpacks the downloaded archive of this extension in its directory, without its top directory, and removes it. */
export async function unpackArchive(directory: string, extension: string): Promise<void> {
  const archive = readdirSync(directory).find((name) => name.endsWith(extension));
  if (archive === undefined) throw new Error(`No ${extension} was downloaded`);
  const path = join(directory, archive);
  await pipeline(createReadStream(path), createGunzip(), unpackTar(directory, { strip: 1 }));
  rmSync(path);
}

/** Copies a Go module (`path@version`) into `directory` and downloads its dependencies. */
export async function fetchGoModule(directory: string, module: string): Promise<void> {
  const { Dir } = GoDownload.parse(JSON.parse(await mustRun('go', ['mod', 'download', '-json', module], directory)));
  cpSync(Dir, directory, { recursive: true });
  // Go's module cache is read-only, and so is a copy of it.
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
  // Its dependencies, so that it can be type-checked later without a network.
  await mustRun('go', ['mod', 'download'], directory);
}
