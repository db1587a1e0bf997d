import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns one line for each entry below `directory` (absolute), sorted: path, mode (which includes the type), and the
 * hash of a file or the target of a link. Skips entries, with what is below them, whose relative path (with `/`)
 * `isLeftOut` accepts.
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
