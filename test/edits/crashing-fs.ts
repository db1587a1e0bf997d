// Stand-ins for functions of `node:fs` in which the process kills itself before a change of the file system; see crash-preload.ts.
import * as fs from 'node:fs';

let left: number | undefined;

/** Makes the process kill itself before its `count`-th change from now on; never if `undefined`. */
export function crashBefore(count: number | undefined): void {
  left = count;
}

function crashing<Args extends unknown[], Result>(change: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    if (left !== undefined && --left <= 0) process.kill(process.pid, 'SIGKILL');
    return change(...args);
  };
}

export const linkSync = crashing(fs.linkSync);
export const mkdirSync = crashing((path: string, options?: fs.MakeDirectoryOptions) => fs.mkdirSync(path, options));
export const openSync = crashing(fs.openSync);
export const renameSync = crashing(fs.renameSync);
export const rmSync = crashing(fs.rmSync);
export const rmdirSync = crashing((path: string) => fs.rmdirSync(path));
export const writeFileSync = crashing(fs.writeFileSync);
export const writeSync = crashing((file: number, bytes: Uint8Array, offset?: number) =>
  fs.writeSync(file, bytes, offset),
);
