import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What contenders and their language servers write beside the sources. */
const skipped = new Set(['.serena', '.git', 'node_modules', '__pycache__', 'target']);

/** Relative path → content, one character per byte. */
type Snapshot = ReadonlyMap<string, string>;

/** A copy of a package that contenders change, and its original content. */
export class Scratch {
  readonly directory: string;
  readonly original: Snapshot;
  /** How often files had to be restored. */
  restorations = 0;

  constructor(source: string, directory: string) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(dirname(directory), { recursive: true });
    cpSync(source, directory, { recursive: true, filter: (path) => !/[\\/](\.serena|__pycache__)$/.test(path) });
    this.directory = directory;
    this.original = this.read();
  }

  /** Returns the present content of all files. */
  read(): Snapshot {
    const files = new Map<string, string>();
    const walk = (under: string) => {
      for (const entry of readdirSync(join(this.directory, under), { withFileTypes: true })) {
        const path = join(under, entry.name);
        if (skipped.has(entry.name)) continue;
        if (entry.isDirectory()) walk(path);
        else if (entry.isFile()) files.set(path, readFileSync(join(this.directory, path), 'latin1'));
      }
    };
    walk('');
    return files;
  }

  /** Returns the relative paths of all files that differ from the original, or that only one of the two has. */
  changed(now: Snapshot = this.read()): string[] {
    const paths = new Set([...this.original.keys(), ...now.keys()]);
    return [...paths].filter((path) => this.original.get(path) !== now.get(path)).sort();
  }

  /** Writes the original content of all changed files. */
  restore(): void {
    const changed = this.changed();
    if (changed.length > 0) this.restorations++;
    for (const path of changed) {
      const content = this.original.get(path);
      if (content === undefined) rmSync(join(this.directory, path));
      else writeFileSync(join(this.directory, path), content, 'latin1');
    }
  }
}
