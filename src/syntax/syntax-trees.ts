import { WorkerHost } from '../base/worker-host.ts';
import type { JavaType } from '../languages/java/types.ts';
import type { SyntaxLanguage } from '../languages/profiles.ts';
import type { FixtureFacts } from '../languages/python/fixture-facts.ts';
import type { DerivedName, LateDeclaration } from '../languages/python/tree-facts.ts';
import type { Position } from '../text/position.ts';
import type { RuleWithParts } from './code-rule.ts';
import type { Identifier, NameOccurrence } from './identifiers.ts';
import type { CodeMatch } from './match-pattern.ts';
import type { SignatureSite } from './signatures.ts';
import type { ParseError } from './syntax-errors-in.ts';
import type { Outline, RuleWords, SyntaxOperations, SyntaxQuery } from './syntax-protocol.ts';

/** Compiled grammars take 5 to 40 MB each. */
const maxGrammars = 4;

/** Texts of several megabytes take a second. */
const deadlineMs = 30_000;

/** In a program with everything in one file, URLs are relative to its entry point. */
const workerUrl = new URL(process.env.SERENA_BUILD_VERSION ? './syntax/worker.ts' : './worker.ts', import.meta.url);

function newHost(): WorkerHost<SyntaxOperations> {
  const loads = { of: ({ language }: SyntaxQuery) => language, max: maxGrammars };
  return new WorkerHost({ workerUrl, deadlineMs, endsWhenIdle: true, loads });
}

/**
 * Parses texts in a worker thread, which starts with {@link start} or the first question and ends when none has come for
 * a while. A loaded grammar cannot be removed from a thread: for more than four, a new thread replaces the old one.
 */
export class SyntaxTrees {
  #host = newHost();

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
   * Returns where a text of Python defines fixtures of pytest with a name and asks for them; positions as above.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async fixtures(language: 'python', text: string, name: string): Promise<FixtureFacts> {
    return await this.#ask('fixtures', language, text, { name });
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
    return await this.#ask('occurrences', language, text, { name });
  }

  /**
   * Returns whether the names at positions of a text declare a function, call it or are something else, with their
   * parameters or arguments. Offsets are those of a text whose lines end with `\n`; positions as above.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async signatures(
    language: SyntaxLanguage,
    text: string,
    places: readonly Position[],
  ): Promise<readonly SignatureSite[]> {
    return await this.#ask('signatures', language, text, { places });
  }

  /**
   * Returns the words of a rule about code, or why it is not valid in the language, as a clause; see {@link CodeRule}.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async rule(language: SyntaxLanguage, rule: RuleWithParts): Promise<RuleWords | string> {
    return await this.#ask('rule', language, '', { rule });
  }

  /**
   * Returns the pieces of code in a text that match a valid rule, in its order; offsets are those of a text whose lines
   * end with `\n`.
   *
   * @throws {Error} if the thread fails, or does not answer within 30 seconds.
   */
  async matches(language: SyntaxLanguage, text: string, rule: RuleWithParts): Promise<readonly CodeMatch[]> {
    return await this.#ask('matches', language, text, { rule });
  }

  /** Starts the thread, without a grammar, unless it runs. */
  start(): void {
    this.#host.start();
  }

  /** Ends the thread; a later question starts another one. Questions without an answer are rejected. */
  async close(): Promise<void> {
    const closing = this.#host;
    this.#host = newHost();
    await closing.close(new Error('the parser was closed'));
  }

  #ask<Kind extends keyof SyntaxOperations>(
    kind: Kind,
    language: SyntaxLanguage,
    text: string,
    about: Pick<SyntaxQuery, 'name' | 'places' | 'rule'> = {},
  ): Promise<SyntaxOperations[Kind]['answer']> {
    // Parsers know no line that ends with `\r` alone.
    const query = { language, ...about, text: text.replace(/\r(?!\n)/g, '\n') };
    const onTimeout = () => new Error(`the parser did not answer within ${deadlineMs / 1000} s`);
    return this.#host.send(kind, query, { onTimeout });
  }
}

/** The process's parser: grammars are the same for all projects. */
export const syntaxTrees = new SyntaxTrees();
