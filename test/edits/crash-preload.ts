// Loaded before undo-child.ts: edits then use crashing-fs.ts in place of `node:fs`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plugin } from 'bun';

const standIn = fileURLToPath(new URL('crashing-fs.ts', import.meta.url));

await plugin({
  name: 'crashing file system',
  setup(build) {
    build.onLoad({ filter: /src\/(?:edits|base)\/[\w-]+\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll("from 'node:fs'", `from '${standIn}'`),
      loader: 'ts',
    }));
  },
});
