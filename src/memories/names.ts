import { ExpectedError } from '../base/errors.ts';

/** A memory's name, checked: topics and the name proper, joined by `/`. */
export interface MemoryName {
  /** As lists and answers show it; a global one begins with `global/`. */
  readonly text: string;
  readonly isGlobal: boolean;
  /** The file's path below the directory of its scope, with `/` and `.md`. */
  readonly file: string;
}

/** A part of the memories: those whose names begin with a topic. */
export interface MemoryTopic {
  readonly isGlobal: boolean;
  /** Path below the directory of its scope, with `/`; `''` for all of it. */
  readonly directory: string;
}

const globalTopic = 'global';
const extension = '.md';

/** File systems take 255 bytes; `.md` and what a file is called while it is written need some of them. */
const maxSegmentBytes = 200;
const maxNameChars = 1000;

/**
 * Returns the memory that `given` names. A leading `mem:` and a trailing `.md` fall off, and `\` stands for `/`, on every
 * system (`spec/tools.md` §11.1).
 *
 * @throws {ExpectedError} `memory.bad-name`.
 */
export function parseMemoryName(given: string): MemoryName {
  const name = cleaned(given);
  const problem = problemOf(name) ?? (name === globalTopic ? 'it is the topic of all global memories' : undefined);
  if (problem !== undefined) throw badName(given, problem);
  return nameOf(name);
}

/**
 * Returns the topic that `given` names; `global` is that of all global memories.
 *
 * @throws {ExpectedError} `memory.bad-name`.
 */
export function parseMemoryTopic(given: string): MemoryTopic {
  const topic = cleaned(given).replace(/(?<=[^/])\/$/, '');
  const problem = problemOf(topic);
  if (problem !== undefined) throw badName(given, problem);
  const isGlobal = isBelow(topic, globalTopic);
  return { isGlobal, directory: isGlobal ? topic.slice(globalTopic.length + 1) : topic };
}

/** Returns the name of the memory in `file`, a path below the directory of its scope, with `/` and `.md`. */
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
  if (!name.isWellFormed()) return 'it is no valid Unicode';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'it is absolute';
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
    `Cannot use \`${shown.replaceAll(/\p{Cc}/gu, '?')}\` as a memory's name: ${problem}`,
    {
      hints: ['Pass a name such as `core` or `auth/login`; `global/<name>` is for every project'],
    },
  );
}
