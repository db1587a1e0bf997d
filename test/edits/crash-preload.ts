// Loaded before undo-child.ts: edits then use the functions of crashing-fs.ts in place of those of `node:fs`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plugin } from 'bun';
import * as standIns from './crashing-fs.ts';

const standIn = fileURLToPath(new URL('crashing-fs.ts', import.meta.url));

/** Splits an import of `node:fs` into the names that have a stand-in, and the others. */
function withStandIns(_import: string, list: string): string {
  const names = list.split(',').map((name) => name.trim());
  const [replaced, kept] = [true, false].map((isReplaced) => names.filter((name) => name in standIns === isReplaced));
  return `import { ${replaced} } from '${standIn}'; import { ${kept} } from 'node:fs';`;
}

await plugin({
  name: 'crashing file system',
  setup(build) {
    build.onLoad({ filter: /src\/(?:edits|base)\/[\w-]+\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/import \{([^}]*)\} from 'node:fs';/, withStandIns),
      loader: 'ts',
    }));
  },
});
