import type { Call } from '../../base/call.ts';
import { pause } from '../../base/deadline.ts';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import { log } from '../../base/log.ts';
import type { SyntaxLanguage } from '../../languages/profiles.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { type FileSymbols, isServerFailure, isUnavailable } from './file-symbols.ts';
import type { SymbolNode } from './symbol.ts';
import { syntaxLanguageOf } from './syntax-language.ts';
import type { SyntaxTree } from './tree.ts';

/** What provides symbol trees; `auto`: the syntax tree while the language server cannot answer. */
export type SymbolSource = 'auto' | 'server' | 'syntax';

/** How long a call waits for a server that runs but is not ready. */
const patienceMs = 150;

/** When and where a {@link TreeProvider} parses. */
interface ProviderOptions {
  /** What provides the trees; `syntax` never asks a server about a file that can be parsed. */
  readonly source: SymbolSource;
  /** True if `auto` waits for a server that can be had. */
  readonly isPatient?: boolean;
  /** True if `auto` does not wait at all for a server that is not ready. */
  readonly isHasty?: boolean;
  /** True if `auto` neither waits for a server nor starts one. */
  readonly isPassive?: boolean;
  /** Returns false for languages whose files are not parsed; absent: all are. */
  readonly accepts?: (language: SyntaxLanguage) => boolean;
}

/**
 * Provides the symbol trees of one call, from language servers or from syntax trees. Files without a syntax table always
 * come from their server.
 */
export class TreeProvider {
  readonly #files: FileSymbols;
  readonly #call: Call;
  readonly #source: SymbolSource;
  readonly #isPatient: boolean;
  readonly #isHasty: boolean;
  readonly #isPassive: boolean;
  readonly #accepts: (language: SyntaxLanguage) => boolean;
  /** Why the files of a server come from syntax trees; `undefined` if they come from the server. */
  readonly #decisions = new Map<ActiveServer, Promise<string | undefined>>();
  readonly #reasons = new Set<string>();
  readonly #fromSyntax = new Map<string, TextLines>();
  readonly #withErrors = new Set<string>();

  constructor({ files, call }: { readonly files: FileSymbols; readonly call: Call }, options: ProviderOptions) {
    this.#files = files;
    this.#call = call;
    this.#source = options.source;
    this.#isPatient = options.isPatient ?? false;
    this.#isHasty = options.isHasty ?? false;
    this.#isPassive = options.isPassive ?? false;
    this.#accepts = options.accepts ?? (() => true);
  }

  /** Why some trees come from syntax trees, in plain words; empty if none does. */
  get reasons(): readonly string[] {
    return [...this.#reasons];
  }

  /** What the syntax trees so far may lack. */
  get gaps(): readonly Gap[] {
    if (this.#withErrors.size === 0) return [];
    return [
      {
        missing: `Definitions in ${namedFiles([...this.#withErrors])} may be missing`,
        reason: 'the file has syntax errors, or syntax that the parser does not support',
        next: 'Read the file, or retry when the language server is ready',
      },
    ];
  }

  /** Returns the text whose syntax the last tree of a file came from; `undefined` if a server reported the tree. */
  parsedTextOf(file: string): TextLines | undefined {
    return this.#fromSyntax.get(file);
  }

  /** True if the last tree of a file came from its syntax, which has errors: its ranges may be wrong. */
  isUncertain(file: string): boolean {
    return this.#withErrors.has(file);
  }

  /**
   * Makes the files of a server come from their syntax, because a question about `file` failed with `error`. Returns
   * false if they do not: the file cannot be parsed, or the server may answer later.
   */
  replaces(file: string, error: unknown): boolean {
    if (!isUnavailable(error) || this.#languageOf(file) === undefined) return false;
    const reason = this.#files.whyFailed(file, error);
    this.#decisions.set(this.#files.sources.requireServer(file), Promise.resolve(reason));
    this.#reasons.add(reason);
    return true;
  }

  /**
   * Returns the symbol tree of a project-relative file. With `fingerprint` from a scan, the file is one of many.
   *
   * @throws {ExpectedError} as {@link FileSymbols.treeOf}.
   */
  async treeOf(
    file: string,
    options: { readonly fingerprint?: string | undefined } = {},
  ): Promise<readonly SymbolNode[]> {
    const fromServer = () => this.#files.treeOf(file, this.#call, options);
    const language = this.#languageOf(file);
    if (language === undefined) {
      this.#requireReady(file);
      return await fromServer();
    }
    if (this.#source === 'auto') {
      const stored = await this.#files.storedTreeOf(file, options);
      if (stored) return stored;
    }
    const reason = await this.#reasonFor(file, language, { isAlone: options.fingerprint === undefined });
    if (reason !== undefined) return await this.#parsed(file, language, reason);
    try {
      return await fromServer();
    } catch (error) {
      this.#call.signal.throwIfAborted();
      if (!isServerFailure(error) || (this.#isPatient && !isUnavailable(error))) throw error;
      const failed = this.#files.whyFailed(file, error);
      this.#decisions.set(this.#files.sources.requireServer(file), Promise.resolve(failed));
      return await this.#parsed(file, language, failed);
    }
  }

  /** @throws {ExpectedError} `server.missing` if the server would have to be waited for. */
  #requireReady(file: string): void {
    if (!this.#isPassive || this.#files.warmServers.isReady(file)) return;
    throw new ExpectedError('server.missing', this.#files.whyNotReady(file));
  }

  #languageOf(file: string): SyntaxLanguage | undefined {
    if (this.#source === 'server') return undefined;
    const language = syntaxLanguageOf(this.#files.sources.requireServer(file).spec, file);
    return language !== undefined && this.#accepts(language) ? language : undefined;
  }

  /** Returns why a file comes from its syntax tree, `undefined` if it does not; the same for all files of a server. */
  #reasonFor(file: string, language: SyntaxLanguage, { isAlone }: { isAlone: boolean }): Promise<string | undefined> {
    const active = this.#files.sources.requireServer(file);
    const decision = this.#decisions.get(active) ?? this.#decide(file, language, { isAlone });
    this.#decisions.set(active, decision);
    return decision;
  }

  async #decide(
    file: string,
    language: SyntaxLanguage,
    { isAlone }: { isAlone: boolean },
  ): Promise<string | undefined> {
    if (this.#source === 'syntax') return '`symbol_source` is `syntax`';
    if (this.#isPatient) return undefined;
    const { warmServers } = this.#files;
    if (warmServers.isReady(file)) return undefined;
    if (this.#isPassive) return this.#files.whyNotReady(file);
    const active = this.#files.sources.requireServer(file);
    const isRunning = this.#files.symbolServerOf(file) !== undefined;
    const isParsed = this.#files.parsed.treeOf(file, this.#files.textOf(file), language).then(
      () => true,
      () => false,
    );
    // Starting a server takes the processor time of the first answer, and never ends in time for it.
    if (!isRunning && warmServers.lastOutcome(active) === undefined && (await isParsed)) {
      warmServers.warmUpLater(active, file, this.#call);
      return this.#files.whyNotReady(file);
    }
    let isWaiting = true;
    const progress = (message: string) => {
      if (isWaiting) this.#call.progress(message);
    };
    const asked = warmServers.warmUp(active, file, { ...this.#call, progress }).then(
      () => ({ error: undefined }),
      (error: unknown) => ({ error }),
    );
    // An error shows up when the tree is needed.
    const parsed = isParsed.then(() => undefined);
    const waited = pause(patienceMs, this.#call.signal);
    // A server that is only being started takes longer than that almost always, and so does one that loads the project.
    const mayAnswer = isRunning && !this.#isHasty && (isAlone || !warmServers.isSlow(file));
    const outcome = await Promise.race([asked, waited, ...(mayAnswer ? [] : [parsed])]);
    if (isRunning && !isAlone && outcome === undefined) warmServers.noteSlow(file);
    isWaiting = false;
    // A repeated attempt takes time to fail again.
    const error = outcome?.error ?? (mayAnswer ? undefined : warmServers.lastOutcome(active)?.error);
    if (isServerFailure(error)) return this.#files.whyFailed(file, error);
    // An error of the file itself shows up again.
    const isAnswered = outcome !== undefined && (isAlone || outcome.error !== undefined);
    return isAnswered || warmServers.isReady(file) ? undefined : this.#files.whyNotReady(file);
  }

  async #parsed(file: string, language: SyntaxLanguage, reason: string): Promise<readonly SymbolNode[]> {
    let tree: SyntaxTree;
    const text = this.#files.textOf(file);
    try {
      tree = await this.#files.parsed.treeOf(file, text, language);
    } catch (error) {
      if (this.#source === 'syntax') throw error;
      this.#call.signal.throwIfAborted();
      log('symbols').warn(`cannot parse \`${file}\`: ${messageOf(error)}`);
      return await this.#files.treeOf(file, this.#call);
    }
    this.#reasons.add(reason);
    this.#fromSyntax.set(file, text);
    if (tree.hasError) this.#withErrors.add(file);
    return tree.nodes;
  }
}
