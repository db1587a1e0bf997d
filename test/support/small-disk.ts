import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyNoProgram } from './skip.ts';
import { makeTempDir } from './temp.ts';

/** A file system of its own, whose directory is removed by `await using`. */
export interface SmallDisk {
  /** Absolute path. */
  readonly directory: string;
  /** Fills the file system so that `freeKb` remain; an earlier filling is removed. */
  fill(freeKb: number): void;
  /** As {@link fill}, but files and directories remain to be created. */
  fillInodes(free: number): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Returns why no small file system can be mounted, or `undefined`. */
export function whyNoMount(): string | undefined {
  const whyNot = whyNoProgram('mount');
  if (whyNot !== undefined) return whyNot;
  const directory = makeTempDir('mount');
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory]).status !== 0)
    return 'mounting is not permitted here';
  spawnSync('umount', [directory]);
  return undefined;
}

/** Mounts a file system of this size, for example `400k`; `options` are further mount options. */
export function mountSmall(size: string, ...options: readonly string[]): SmallDisk {
  const directory = makeTempDir('small');
  spawnSync('mount', ['-t', 'tmpfs', '-o', [`size=${size}`, ...options].join(), 'tmpfs', directory]);
  const filling = join(directory, '.filling');
  return {
    directory,
    fill: (freeKb) => {
      rmSync(filling, { force: true, recursive: true });
      const { bavail, bsize } = statfsSync(directory);
      writeFileSync(filling, Buffer.alloc(Math.max(0, bavail * bsize - freeKb * 1024)));
    },
    fillInodes: (free) => {
      rmSync(filling, { force: true, recursive: true });
      mkdirSync(filling);
      for (let left = statfsSync(directory).ffree; left > free; left--) writeFileSync(join(filling, `${left}`), '');
    },
    [Symbol.asyncDispose]: () => {
      spawnSync('umount', ['--lazy', directory]);
      return Promise.resolve();
    },
  };
}
