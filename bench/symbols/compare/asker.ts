import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readTextIfExists } from '../../../src/base/files.ts';
import { projectState } from '../../../src/config/data-directory.ts';
import { type Answer, startClient, type TestClient } from '../../../test/support/client.ts';
import { benchHome } from '../../speed/ours.ts';
import { hashOfFile } from '../running/hash-of-file.ts';
import { type Question, textOf } from './questions.ts';
import type { Prepared } from './subjects.ts';

const Stored = z.object({ question: z.string(), answer: z.string() });

const callTimeoutMs = 300_000;

/** Asks one build about one project, in as few sessions as possible, and stores the answers. */
export class Asker {
  readonly #binary: string;
  readonly #prepared: Prepared;
  readonly #path: string;
  readonly #answers = new Map<string, readonly string[]>();
  #client: TestClient | undefined;
  /** Number of calls so far. */
  calls = 0;

  private constructor(binary: string, prepared: Prepared, path: string) {
    this.#binary = binary;
    this.#prepared = prepared;
    this.#path = path;
  }

  /** Reads the stored answers of this content of the program about this content of the project. */
  static async of(binary: string, prepared: Prepared, cache: string): Promise<Asker> {
    const path = join(cache, 'answers', await hashOfFile(binary), `${prepared.key}.jsonl`);
    const asker = new Asker(binary, prepared, path);
    for (const line of (readTextIfExists(path) ?? '').split('\n')) {
      const stored = parseStored(line);
      if (stored !== undefined) asker.#add(stored.question, stored.answer);
    }
    return asker;
  }

  /** Returns the different answers so far, the first one first. */
  known(question: Question): readonly string[] {
    return this.#answers.get(textOf(question)) ?? [];
  }

  /** Returns the first answer; asks if there is none. */
  async answer(question: Question): Promise<string> {
    if (this.known(question).length === 0) await this.askAgain(question);
    return this.known(question)[0] ?? '';
  }

  /** Asks in any case. A call that fails is no answer: the next run repeats it. */
  async askAgain(question: Question): Promise<void> {
    this.calls++;
    const text = textOf(question);
    const client = await this.#session();
    const startedAt = performance.now();
    try {
      const answer = this.#normalized(await client.call(question.tool, question.args, { timeoutMs: callTimeoutMs }));
      mkdirSync(dirname(this.#path), { recursive: true });
      const ms = Math.round(performance.now() - startedAt);
      appendFileSync(this.#path, `${JSON.stringify({ question: text, ms, answer })}\n`);
      this.#add(text, answer);
    } catch (error) {
      await this.stop();
      this.#add(text, `no answer: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close();
  }

  #add(question: string, raw: string): void {
    const answer = withoutOrder(`${raw}\n`);
    const answers = this.#answers.get(question) ?? [];
    if (!answers.includes(answer)) this.#answers.set(question, [...answers, answer]);
  }

  /** Starts the build on the project, without what another build has stored about it, unless it runs. */
  async #session(): Promise<TestClient> {
    if (this.#client !== undefined) return this.#client;
    const { directory } = this.#prepared.copy;
    rmSync(projectState(benchHome, directory).cache, { recursive: true, force: true });
    const args = ['--project', directory, '--log-level', 'ERROR'];
    this.#client = await startClient({
      binary: this.#binary,
      args,
      symbolSource: 'configured',
      env: { SERENA_HOME: benchHome },
    });
    return this.#client;
  }

  /** Returns the whole answer without what differs between two runs of the same build. */
  #normalized({ blocks, isError }: Answer): string {
    const [first = '', ...others] = blocks;
    const lines = isError ? [withoutTimes(`error: ${blocks.join('\n')}`)] : [first, ...others.map(withoutTimes)];
    const text = lines.join('\n').replaceAll(this.#prepared.copy.directory, '<project>');
    return text.replaceAll(benchHome, '<home>').replaceAll(/(?<=language_servers\/run\/)\d+-\w+/g, '<process>');
  }
}

/** A line that an interrupted run did not write completely is no answer. */
function parseStored(line: string): z.infer<typeof Stored> | undefined {
  try {
    return Stored.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Durations in errors and notes are not the same twice. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\d+(\.\d+)? ?(ms|s|seconds?|minutes?)\b/g, '<time>');
}

/**
 * Returns an answer, which ends with a line break, with sorted files and problems of a dry run, and sorted gaps: some
 * language servers report them in another order each time.
 */
function withoutOrder(answer: string): string {
  const sections = answer.split(/^(?=--- |[^\s+@\\-])/m);
  if (!answer.startsWith('Nothing was changed.')) return sections.map(withSortedLines).join('');
  const files = sections.filter(isFile).sort();
  return sections.map((section) => (isFile(section) ? (files.shift() ?? '') : withSortedLines(section))).join('');
}

function isFile(section: string): boolean {
  return section.startsWith('--- ');
}

function withSortedLines(section: string): string {
  if (!/^(New problems|Incomplete:)/.test(section)) return section;
  const [title, ...lines] = section.trimEnd().split('\n');
  return `${[title, ...lines.sort()].join('\n')}\n`;
}
