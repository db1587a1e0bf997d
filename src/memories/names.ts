import { ExpectedError } from '../base/errors.ts';
import { windowsPathProblem } from '../base/windows-names.ts';

/** A valid name of a memory: its topics and its own name, joined by `/`. */
export interface MemoryName {
  /** The full name in lists and answers; that of a global memory begins with `global/`. */
  readonly text: string;
  readonly isGlobal: boolean;
  /** Path of the file in the project's or the global directory of memories, with `/` and `.md`. */
  readonly file: string;
}

/** A topic: selects the memories whose names begin with it. */
export interface MemoryTopic {
  readonly isGlobal: boolean;
  /** Path in the project's or the global directory of memories, with `/`; `''` for the whole directory. */
  readonly directory: string;
}

const globalTopic = 'global';
const extension = '.md';

/** File systems allow 255 bytes; `.md` and the names of temporary files need some of them. */
const maxSegmentBytes = 200;
const maxNameChars = 1000;

/**
 * Parses the name of a memory. A leading `mem:` and a trailing `.md` are dropped, and `\` is read as `/` on all
 * platforms: see docs/compatibility.md, Memory names.
 *
 * @throws {ExpectedError} `memory.bad-name`.
 */
export function parseMemoryName(given: string, platform = process.platform): MemoryName {
  const name = cleaned(given);
  const problem =
    problemOf(name) ??
    (name === globalTopic ? 'it is the topic of all global memories' : undefined) ??
    windowsPathProblem(name + extension, platform);
  if (problem !== undefined) throw badName(given, problem);
  return nameOf(name);
}

/**
 * Parses a topic; `global` selects all global memories.
 *
 * @throws {ExpectedError} `memory.bad-name`.
 */
export function parseMemoryTopic(given: string, platform = process.platform): MemoryTopic {
  const topic = cleaned(given).replace(/(?<=[^/])\/$/, '');
  const problem = problemOf(topic) ?? windowsPathProblem(topic, platform);
  if (problem !== undefined) throw badName(given, problem);
  const isGlobal = isBelow(topic, globalTopic);
  return { isGlobal, directory: isGlobal ? topic.slice(globalTopic.length + 1) : topic };
}

/**
 * Returns the name of the memory in `file`, a path in the project's or the global directory of memories, with `/` and
 * `.md`.
 */
export function memoryInFile(file: string, { isGlobal }: { isGlobal: boolean }): MemoryName {
  const name = file.slice(0, -extension.length);
  return { text: isGlobal ? `${globalTopic}/${name}` : name, isGlobal, file };
}

function nameOf(name: string): MemoryName {
  const isGlobal = isBelow(name, globalTopic);
  return memoryInFile(`${isGlobal ? name.slice(globalTopic.length + 1) : name}${extension}`, { isGlobal });
}

function isBelow(name: string, topic: string): boolean {
  return name === topic || name.startsWith(`${topic}/`);
}

function cleaned(given: string): string {
  const name = given.replaceAll('\\', '/').replace(/^mem:/, '');
  return name.endsWith(extension) ? name.slice(0, -extension.length) : name;
}

/** Returns why no memory can be called `name`, or `undefined`. */
function problemOf(name: string): string | undefined {
  if (name.length > maxNameChars) return `it has ${name.length} characters, the limit is ${maxNameChars}`;
  if (/\p{Cc}/u.test(name)) return 'it contains a control character';
  if (!name.isWellFormed()) return 'it is not valid Unicode';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'it is an absolute path';
  for (const segment of name.split('/')) {
    if (segment === '') return name === '' ? 'it is empty' : 'a part between `/` is empty';
    if (segment === '.' || segment === '..') return `it contains the part \`${segment}\``;
    if (Buffer.byteLength(segment) > maxSegmentBytes) return `a part is longer than ${maxSegmentBytes} bytes`;
  }
  return undefined;
}

function badName(given: string, problem: string): ExpectedError {
  const shown = given.length > 60 ? `${given.slice(0, 60)}…` : given;
  return new ExpectedError(
    'memory.bad-name',
    `cannot use \`${shown.replaceAll(/\p{Cc}/gu, '?')}\` as the name of a memory: ${problem}`,
    {
      hints: ['pass a name such as `core` or `auth/login`, or `global/<name>` for all projects'],
    },
  );
}
