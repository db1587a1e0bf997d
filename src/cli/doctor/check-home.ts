import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { counted } from '../../base/counted.ts';
import { messageOf } from '../../base/errors.ts';
import { requireUsableHome } from '../../base/home.ts';
import { megabytes } from '../../install/failures.ts';
import { isOffline } from '../../install/fetch/network.ts';
import { listInstallations, namesIn, sizeOf } from '../../install/store/installations.ts';
import { directoriesBelow, serverDirectories, storeDirectories } from '../../install/store/layout.ts';
import type { Environment } from '../environment.ts';
import { type Finding, problemOf } from './finding.ts';

/** The largest server needs about this much while it is unpacked. */
const neededBytes = 300e6;

/** Checks the directory that holds configuration, memories and language servers, and the stores. */
export function checkHome(home: string, environment: Environment): Finding[] {
  try {
    requireUsableHome(home);
    const found: Finding[] = existsSync(home)
      ? [accessOf(home), ...modeOf(home)]
      : [{ area: 'home', status: 'ok', what: `${home} does not exist yet; it is created at first use` }];
    return [...found, ...spaceOf(home), ...checkBlobs(home), ...checkStores(environment), ...checkOffline(environment)];
  } catch (error) {
    return [problemOf('home', error)];
  }
}

function accessOf(home: string): Finding {
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return { area: 'home', status: 'ok', what: `${home} is readable and writable` };
  } catch (error) {
    const fix = `make it writable: chmod u+rwx ${home}`;
    return { area: 'home', status: 'problem', what: `${home} is not writable: ${messageOf(error)}`, fix };
  }
}

/** Checks permissions: anyone who can write here can replace programs that run as this user. */
function modeOf(home: string, platform = process.platform): Finding[] {
  if (platform === 'win32') return [];
  const { mode, uid } = statSync(home);
  const found: Finding[] = [];
  if (mode & 0o002) {
    const what = `any user of this machine can write to ${home}, which holds programs that run as you`;
    found.push({ area: 'home', status: 'problem', what, fix: `run: chmod o-w ${home}` });
  }
  if (uid !== process.getuid?.()) {
    const fix = 'set `SERENA_HOME` to a directory of your own, unless this is intended';
    found.push({ area: 'home', status: 'note', what: `${home} belongs to another user`, fix });
  }
  return found;
}

function spaceOf(home: string): Finding[] {
  const { bavail, bsize } = statfsSync(nearestDirectory(home));
  const freeBytes = bavail * bsize;
  const what = `${(freeBytes / 1e9).toFixed(1)} GB are free for language servers`;
  if (freeBytes >= neededBytes) return [{ area: 'home', status: 'ok', what }];
  const fix = 'free some space, or set `SERENA_HOME` to a directory on another disk';
  return [{ area: 'home', status: 'problem', what, fix }];
}

function nearestDirectory(path: string): string {
  return existsSync(path) ? path : nearestDirectory(dirname(path));
}

function checkStores({ env }: Environment): Finding[] {
  return storeDirectories(env).map((directory) => {
    if (existsSync(directory)) {
      const what = `store ${directory}: ${contentOf(directory)}`;
      return { area: 'home', status: 'ok', what };
    }
    const fix = 'correct or unset `SERENA_STORE`';
    return { area: 'home', status: 'problem', what: `the store ${directory} does not exist`, fix };
  });
}

/** Reports installations and downloaded files below the home directory. */
function checkBlobs(home: string): Finding[] {
  const { root, blobs } = serverDirectories(home);
  if (!existsSync(blobs)) return [];
  return [{ area: 'home', status: 'ok', what: `language servers: ${contentOf(root)}` }];
}

function contentOf(root: string): string {
  const { blobs } = directoriesBelow(root);
  const blobCount = namesIn(blobs).reduce((sum, algorithm) => sum + namesIn(join(blobs, algorithm)).length, 0);
  return `${listInstallations(root).length} installed, ${counted(blobCount, 'file')} (${megabytes(sizeOf(blobs))}) to install from`;
}

function checkOffline({ env }: Environment): Finding[] {
  if (!isOffline(env)) return [];
  const fix = 'unset it, or install missing language servers with `serena servers unpack <bundle> --install`';
  return [{ area: 'home', status: 'note', what: '`SERENA_OFFLINE` is set: nothing is downloaded', fix }];
}
