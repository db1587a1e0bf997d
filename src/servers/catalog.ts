import { profileOf } from '../languages/profiles.ts';
import type { ServerSpec } from './spec.ts';

export class ServerCatalog {
  /** Of two that claim a file, the first gets it. */
  readonly servers: readonly ServerSpec[];
  readonly #otherIds: Readonly<Record<string, string>>;
  readonly #withoutServer: Readonly<Record<string, string>>;
  #codeLanguages: Readonly<Record<string, string>> | undefined;

  /**
   * `otherIds` has ids by which configurations may name a server besides its own one; `withoutServer` the extensions of
   * program sources that no server reads, with their LSP language ids.
   */
  constructor(
    servers: readonly ServerSpec[],
    { otherIds, withoutServer }: Readonly<Record<'otherIds' | 'withoutServer', Readonly<Record<string, string>>>>,
  ) {
    this.servers = servers;
    this.#otherIds = otherIds;
    this.#withoutServer = withoutServer;
  }

  /** Returns the server with this id (aliases and any case accepted), or `undefined`. */
  find(id: string): ServerSpec | undefined {
    const canonical = this.#otherIds[id.toLowerCase()] ?? id.toLowerCase();
    return this.servers.find((server) => server.id === canonical);
  }

  /**
   * File extension → LSP language id of program sources, whether or not a project has a language server for them: answers
   * name such files instead of dropping them. Data and markup are excluded, because a name in them is not a symbol.
   */
  get codeLanguages(): Readonly<Record<string, string>> {
    this.#codeLanguages ??= Object.fromEntries([
      ...this.servers
        .filter(({ isMarkupOrData }) => isMarkupOrData !== true)
        .flatMap(({ files }) => Object.entries(files))
        .filter(([, language]) => profileOf(language)?.lexis !== undefined),
      ...Object.entries(this.#withoutServer),
    ]);
    return this.#codeLanguages;
  }
}
