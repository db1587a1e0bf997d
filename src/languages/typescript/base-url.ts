import { posix } from 'node:path';

/** A hostile project may have any number of files that extend each other. */
const maxFiles = 20;

const key = /"baseUrl"\s*:/;
const extended = /"extends"\s*:\s*(\[[^\]]{0,2000}\]|"[^"\n]{0,500}")/;
const referenced = /"path"\s*:\s*"([^"\n]*)"/g;

/**
 * TypeScript 7.0 does not resolve imports by `baseUrl`:
 *
 * ```json
 * { "compilerOptions": { "baseUrl": "src" } }
 * ```
 *
 * Returns the project-relative path of the first configuration of a project that sets it. Follows relative `extends` and
 * `references` from the root directory; a key in a comment counts. Covered by `test/servers/assignment/stand-ins.test.ts`.
 */
export function configurationWithBaseUrl(read: (path: string) => string | undefined): string | undefined {
  const paths = new Set(['tsconfig.json', 'jsconfig.json']);
  for (const path of paths) {
    const text = read(path);
    if (text === undefined) continue;
    if (key.test(text)) return path;
    for (const next of nextPaths(text, posix.dirname(path))) if (paths.size < maxFiles) paths.add(next);
  }
  return undefined;
}

function nextPaths(text: string, directory: string): string[] {
  const bases = [...(extended.exec(text)?.[1] ?? '').matchAll(/"([^"\n]*)"/g)].map(([, path = '']) =>
    withJson(path, '.json'),
  );
  const projects = [...text.matchAll(referenced)].map(([, path = '']) => withJson(path, '/tsconfig.json'));
  return [...bases, ...projects]
    .filter((path) => path.startsWith('.'))
    .map((path) => posix.join(directory, path))
    .filter((path) => !path.startsWith('..'));
}

function withJson(path: string, ending: string): string {
  return path.endsWith('.json') ? path : path + ending;
}
