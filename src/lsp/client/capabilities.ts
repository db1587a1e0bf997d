import { ownValue } from '../../base/own-value.ts';
import { field } from '../readiness/readiness.ts';

/** Providers whose names do not follow from those of their methods. */
const irregularProviders: Readonly<Record<string, string>> = {
  formatting: 'documentFormatting',
  rangeFormatting: 'documentRangeFormatting',
  onTypeFormatting: 'documentOnTypeFormatting',
  prepareCallHierarchy: 'callHierarchy',
  incomingCalls: 'callHierarchy',
  outgoingCalls: 'callHierarchy',
  prepareTypeHierarchy: 'typeHierarchy',
  supertypes: 'typeHierarchy',
  subtypes: 'typeHierarchy',
  full: 'semanticTokens',
};

/** A server's capabilities: those of the handshake, and those registered and unregistered since. */
export class Capabilities {
  #declared: unknown;
  /** Methods by the id of their registration. */
  readonly #registered = new Map<string, string>();

  /** Stores the `ServerCapabilities` of the handshake, unchecked. */
  initialize(capabilities: unknown): void {
    this.#declared = capabilities;
  }

  /** Handles a request from the server that may change its capabilities. */
  notice(method: string, params: unknown): void {
    if (method === 'client/registerCapability') {
      for (const { id, method: registered } of entriesOf(params, 'registrations')) this.#registered.set(id, registered);
    }
    // Sic: LSP's spelling.
    if (method === 'client/unregisterCapability') {
      for (const { id } of entriesOf(params, 'unregisterations')) this.#registered.delete(id);
    }
  }

  /**
   * True if the server answers `method`, such as `textDocument/implementation`. With an `option`, true if the handshake
   * declared that option of the method's provider; for requests about files, such as `workspace/willRenameFiles`, if they
   * may be about a `file` or a `directory`; for `workspace/executeCommand`, if it declared that command.
   */
  supports(method: string, option?: string): boolean {
    const operation = /^workspace\/(\w+)Files$/.exec(method)?.[1];
    if (operation !== undefined) return this.#supportsFiles(operation, option) || this.#isRegistered(method);
    // The option of commands is a command that the handshake declared.
    if (method === 'workspace/executeCommand' && option !== undefined) return this.#commands.includes(option);
    const provider = this.optionsOf(method);
    if (option !== undefined) return field(provider, option) === true;
    return (provider !== undefined && provider !== null && provider !== false) || this.#isRegistered(method);
  }

  /** Returns the options with which the handshake declared the provider of `method`; `undefined` if it did not. */
  optionsOf(method: string): unknown {
    return field(this.#declared, providerOf(method));
  }

  get #commands(): readonly unknown[] {
    const commands: unknown = field(field(this.#declared, 'executeCommandProvider'), 'commands');
    return Array.isArray(commands) ? commands : [];
  }

  #supportsFiles(operation: string, kind: string | undefined): boolean {
    const declared = field(field(field(this.#declared, 'workspace'), 'fileOperations'), operation);
    const filters: unknown = field(declared, 'filters');
    if (!Array.isArray(filters)) return false;
    return filters.some((filter: unknown) => {
      const matches = field(field(filter, 'pattern'), 'matches');
      if (kind === undefined || matches === undefined) return true;
      return (matches === 'file') === (kind === 'file');
    });
  }

  #isRegistered(method: string): boolean {
    return [...this.#registered.values()].includes(method);
  }
}

function providerOf(method: string): string {
  const name = method.slice(method.lastIndexOf('/') + 1);
  return `${ownValue(irregularProviders, name) ?? name}Provider`;
}

function entriesOf(params: unknown, key: string): { id: string; method: string }[] {
  const entries = field(params, key);
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: unknown) => ({ id: String(field(entry, 'id')), method: String(field(entry, 'method')) }));
}
