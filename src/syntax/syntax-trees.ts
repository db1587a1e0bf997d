import { Worker } from 'node:worker_threads';
import { within } from '../base/deadline.ts';
import { messageOf } from '../base/errors.ts';
import { whenIdle } from '../base/when-idle.ts';
import type { JavaType } from '../languages/java/types.ts';
import type { SyntaxLanguage } from '../languages/profiles.ts';
import type { DerivedName, LateDeclaration } from '../languages/python/tree-facts.ts';
import type { Identifier, NameOccurrence } from './identifiers.ts';
import type { ParseError } from './syntax-errors-in.ts';
import type { Outline, SyntaxAnswers, SyntaxQuestion, SyntaxRequest, SyntaxResponse } from './syntax-protocol.ts';

/** Compiled grammars take 5 to 40 MB each. */
const maxGrammars = 4;

/** Texts of several megabytes take a second. */
const deadlineMs = 30_000;

/** In a program with everything in one file, URLs are relative to its entry point. */
const workerUrl = new URL(process.env.SERENA_BUILD_VERSION ? './syntax/worker.ts' : './worker.ts', import.meta.url);

interface Pending {
  settle(answer: SyntaxAnswers[SyntaxQuestion]): void;
  fail(error: Error): void;
}

/** A worker thread with the grammars that it has loaded, and the requests that it has not answered. */
interface ParserThread {
  readonly worker: Worker;
  readonly languages: Set<SyntaxLanguage>;
  readonly pending: Map<number, Pending>;
}

/**
 * Parses texts in a worker thread, which starts with {@link start} or the first question and ends when none has come for
 * a while. A loaded grammar cannot be removed from a thread: for more than four, a new thread replaces the old one.
 */
export class SyntaxTrees {
  #current: ParserThread | undefined;
  #lastId = 0;
  readonly #used = whenIdle(() => this.#endIdle());

  /**
   * Returns the definitions in a text; positions are those of LSP, whose lines may end with `\r`, `\n` or both.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async outline(language: SyntaxLanguage, text: string): Promise<Outline> {
    return await this.#ask('outline', language, text);
  }

  /**
   * Returns the identifiers in a text, in its order, without those in comments and strings; positions as above.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async identifiers(language: SyntaxLanguage, text: string): Promise<readonly Identifier[]> {
    return await this.#ask('identifiers', language, text);
  }

  /**
   * Returns the names in `global` and `nonlocal` statements of Python that are used before, which is a syntax error;
   * positions as above.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async lateDeclarations(language: 'python', text: string): Promise<readonly LateDeclaration[]> {
    return await this.#ask('lateDeclarations', language, text);
  }

  /**
   * Returns the uses of names in Python by which classes inherit from them and variables stand for them; positions as
   * above.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async derivedNames(language: 'python', text: string): Promise<readonly DerivedName[]> {
    return await this.#ask('derivedNames', language, text);
  }

  /**
   * Returns the types with a body in a text of Java, also anonymous ones, in its order; positions as above.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async javaTypes(text: string): Promise<readonly JavaType[]> {
    return await this.#ask('javaTypes', 'java', text);
  }

  /**
   * Returns the places in a text that the grammar does not accept, in its order, without those inside another one;
   * positions as above.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async errors(language: SyntaxLanguage, text: string): Promise<readonly ParseError[]> {
    return await this.#ask('errors', language, text);
  }

  /**
   * Returns the occurrences of a name that is not empty in a text, in its order, with their kind; empty for a text with
   * syntax errors. Positions as above.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async occurrences(language: SyntaxLanguage, text: string, name: string): Promise<readonly NameOccurrence[]> {
    return await this.#ask('occurrences', language, text, name);
  }

  /** Starts the thread, without a grammar, unless it runs. */
  start(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#start();
    this.#current.worker.unref();
    this.#used();
  }

  /** Ends the thread; a later question starts another one. Questions without an answer are rejected. */
  async close(): Promise<void> {
    const thread = this.#current;
    if (thread) await this.#end(thread, new Error('the parser was closed'));
  }

  async #ask<Q extends SyntaxQuestion>(
    question: Q,
    language: SyntaxLanguage,
    text: string,
    name?: string,
  ): Promise<SyntaxAnswers[Q]> {
    const thread = this.#threadFor(language);
    const id = ++this.#lastId;
    const answer = new Promise<SyntaxAnswers[Q]>((resolve, reject) => {
      thread.pending.set(id, { settle: (found: SyntaxAnswers[Q]) => resolve(found), fail: reject });
    });
    // Parsers know no line that ends with `\r` alone.
    const request: SyntaxRequest = { id, question, language, name, text: text.replace(/\r(?!\n)/g, '\n') };
    thread.worker.ref();
    thread.worker.postMessage(request);
    const tooSlow = () => new Error(`the parser did not answer within ${deadlineMs / 1000} s`);
    try {
      return await within(answer, { timeoutMs: deadlineMs, onTimeout: tooSlow });
    } catch (error) {
      // A thread that is stuck in one text answers nothing else.
      if (thread.pending.has(id)) await this.#end(thread, tooSlow());
      throw error;
    } finally {
      this.#rest(thread);
    }
  }

  #threadFor(language: SyntaxLanguage): ParserThread {
    const known = this.#current;
    if (known && (known.languages.has(language) || known.languages.size < maxGrammars)) {
      known.languages.add(language);
      return known;
    }
    this.#current = this.#start();
    this.#current.languages.add(language);
    if (known) this.#rest(known);
    return this.#current;
  }

  #start(): ParserThread {
    const worker = new Worker(workerUrl);
    const thread = { worker, languages: new Set<SyntaxLanguage>(), pending: new Map<number, Pending>() };
    worker.on('message', (response: SyntaxResponse) => {
      const pending = thread.pending.get(response.id);
      thread.pending.delete(response.id);
      if ('failure' in response) pending?.fail(new Error(response.failure));
      else pending?.settle(response.answer);
    });
    worker.on('error', (error) => void this.#end(thread, new Error(messageOf(error))));
    worker.on('exit', () => void this.#end(thread, new Error('the parser thread ended')));
    return thread;
  }

  /** Ends a thread that was replaced once it has answered everything; another one must not keep the process alive. */
  #rest(thread: ParserThread): void {
    if (thread.pending.size > 0) return;
    if (thread === this.#current) {
      thread.worker.unref();
      this.#used();
    } else void this.#end(thread, new Error('the parser thread was replaced'));
  }

  /** Ends the thread unless it has questions to answer, after which the wait begins again. */
  #endIdle(): void {
    const thread = this.#current;
    if (thread?.pending.size === 0) void this.#end(thread, new Error('the parser thread was idle'));
  }

  async #end(thread: ParserThread, reason: Error): Promise<void> {
    if (thread === this.#current) this.#current = undefined;
    for (const { fail } of thread.pending.values()) fail(reason);
    thread.pending.clear();
    await thread.worker.terminate();
  }
}

/** The process's parser: grammars are the same for all projects. */
export const syntaxTrees = new SyntaxTrees();
