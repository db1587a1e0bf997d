import { parse } from 'yaml';
import type { Texts } from '../../src/cli/self-check/self-check.ts';
import { listTrackedFiles, readSource } from './tracked-files.ts';

const textDirectories = ['contexts', 'dashboard', 'modes', 'prompts', 'templates'];
/** Embedded as parsed content, because they are read at every start and loading the YAML parser takes time. */
const parsedDirectories = ['contexts', 'modes', 'internal', 'prompts'];
/** Extensions of files that are embedded as text. */
export const textExtensions = ['.yml', '.md', '.txt', '.css', '.js'];

/** Returns the paths of the files below `resources/` that are embedded as text, relative to the checkout. */
export async function textResources(): Promise<string[]> {
  return await resourcePaths(textDirectories, textExtensions);
}

/** Returns the paths of the files below `resources/` that are embedded as parsed content, relative to the checkout. */
export async function parsedResources(): Promise<string[]> {
  return await resourcePaths(parsedDirectories, ['.yml']);
}

/** Returns the same as `embeddedTexts()` in the program, but from the files below `resources/`. */
export async function readResources(): Promise<Texts> {
  const name = (path: string) => path.slice('resources/'.length);
  const texts = (await textResources()).map((path) => [name(path), readSource(path)]);
  const parsed = (await parsedResources()).map((path) => [
    `parsed ${name(path)}`,
    JSON.stringify(parse(readSource(path))),
  ]);
  return {
    ...Object.fromEntries(texts),
    ...Object.fromEntries(parsed),
    'server-lock.json': JSON.stringify(JSON.parse(readSource('resources/server-lock.json'))),
    'shims/heap-statistics.cjs.txt': readSource('resources/shims/heap-statistics.cjs.txt'),
    'shims/own-code.cjs.txt': readSource('resources/shims/own-code.cjs.txt'),
    'shims/own-plugins.cjs.txt': readSource('resources/shims/own-plugins.cjs.txt'),
  };
}

async function resourcePaths(directories: readonly string[], extensions: readonly string[]): Promise<string[]> {
  const files = await listTrackedFiles(...directories.map((directory) => `resources/${directory}`));
  return files.filter((path) => extensions.some((extension) => path.endsWith(extension)));
}
