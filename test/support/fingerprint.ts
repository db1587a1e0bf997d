import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns what there is below a directory given by absolute path, a line each, sorted: path, kind, mode, and a hash of a
 * file's content. What `isLeftOut` says of a path (relative, with `/`) is not looked at.
 */
export function fingerprint(directory: string, isLeftOut: (path: string) => boolean = () => false): string {
  const lines: string[] = [];
  const visit = (path: string) => {
    if (isLeftOut(path)) return;
    const absolute = join(directory, path);
    const stats = lstatSync(absolute);
    const content = stats.isFile() ? hashOf(absolute) : stats.isSymbolicLink() ? readlinkSync(absolute) : '';
    lines.push(`${path} ${stats.mode.toString(8)} ${content}`);
    if (stats.isDirectory()) for (const name of readdirSync(absolute)) visit(path === '' ? name : `${path}/${name}`);
  };
  visit('');
  return lines.sort().join('\n');
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
