import { field } from '../readiness/readiness.ts';

/** What a server can do: as it told in the handshake, and as it registered and unregistered since. */
export class Capabilities {
  #told: unknown;
  /** Methods by the id of their registration. */
  readonly #registered = new Map<string, string>();

  /** Takes the `ServerCapabilities` of the handshake, unchecked. */
  tell(capabilities: unknown): void {
    this.#told = capabilities;
  }

  /** Takes notice of a request from the server that may change what it can do. */
  notice(method: string, params: unknown): void {
    if (method === 'client/registerCapability') {
      for (const { id, method: can } of entriesOf(params, 'registrations')) this.#registered.set(id, can);
    }
    // LSP's own spelling.
    if (method === 'client/unregisterCapability') {
      for (const { id } of entriesOf(params, 'unregisterations')) this.#registered.delete(id);
    }
  }

  /**
   * Returns whether the server answers `method`, such as `textDocument/implementation`; given an `option` of it, whether it
   * said in the handshake that it has that.
   */
  supports(method: string, option?: string): boolean {
    const provider = field(this.#told, `${method.slice(method.lastIndexOf('/') + 1)}Provider`);
    if (option !== undefined) return field(provider, option) === true;
    return (provider !== undefined && provider !== null && provider !== false) || this.#isRegistered(method);
  }

  #isRegistered(method: string): boolean {
    return [...this.#registered.values()].includes(method);
  }
}

function entriesOf(params: unknown, key: string): { id: string; method: string }[] {
  const entries = field(params, key);
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: unknown) => ({ id: String(field(entry, 'id')), method: String(field(entry, 'method')) }));
}
