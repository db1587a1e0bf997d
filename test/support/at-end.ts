// `bunfig.toml` preloads this file, so that its hook runs after the last test of the process, not of a file.
import { afterAll } from 'bun:test';

const ends = new Set<() => Promise<void>>();

afterAll(async () => {
  await Promise.all([...ends].map((end) => end()));
}, 60_000);

/** Has `end` called once, after the last test of the process. */
export function atEnd(end: () => Promise<void>): void {
  ends.add(end);
}
