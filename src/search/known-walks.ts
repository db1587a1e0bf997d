import { LRUCache } from 'lru-cache';
import type { ScanScope } from './scan-protocol.ts';
import type { Entry, Snapshot } from './snapshot.ts';

/** What a walk found. */
export interface WalkedFiles {
  /** The entries of all files in scope, sorted by path. */
  readonly entries: readonly Entry[];
  /** Relative paths of directories that could not be read. */
  readonly unreadable: readonly string[];
}

/** Questions alternate between few scopes: the files of one language server, of all, and those in one directory. */
const maxWalks = 4;

/** The walks of earlier requests, which need not be repeated while watches prove that they would find the same files. */
export class KnownWalks {
  readonly #snapshot: Snapshot;
  /** By the scope as JSON, each with the id of the request that made it. */
  readonly #walks = new LRUCache<string, { readonly files: WalkedFiles; readonly request: number }>({ max: maxWalks });

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** Returns what `walk` would find in a scope: the same object as before while nothing has changed. */
  find(scope: Omit<ScanScope, 'asOf'>, walk: () => WalkedFiles): WalkedFiles {
    const key = JSON.stringify(scope);
    const known = this.#walks.get(key);
    if (known !== undefined && this.#snapshot.hasSameFilesAs(known.request)) return known.files;
    const files = walk();
    const request = this.#snapshot.steadyRequest;
    if (request === undefined) this.#walks.delete(key);
    else this.#walks.set(key, { files, request });
    return files;
  }
}
