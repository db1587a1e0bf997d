import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { type Place, placeKey } from '../../text/place.ts';
import type { SymbolNode } from '../model/symbol.ts';
import type { Occurrence } from './occurrence.ts';

/** What an occurrence of a symbol's name means: the symbol, something else, or nothing that is known. */
export type Verdict = 'own' | 'other' | 'open';

/** What a judge says about an occurrence. */
export interface Ruling {
  readonly verdict: Verdict;
  /** A clause: `the receiver has no known type`. */
  readonly reason: string;
}

export interface Entry extends Occurrence, Ruling {
  readonly judge: string;
  /** True if the server lists it as a reference. */
  readonly isListed: boolean;
}

export interface Candidate extends Occurrence {
  readonly isListed: boolean;
  /** Returns the places that the server resolves an unlisted occurrence to, as keys (see {@link placeKey}). */
  definitions(): Promise<readonly string[]>;
  /** Returns what these say of it; see `definitionJudge`. */
  byDefinition(): Promise<Ruling | undefined>;
}

export interface Judge<Scope> {
  /** For people: `serena refs --explain` shows it. */
  readonly name: string;
  /**
   * Prepares what all occurrences of a symbol need. Returns a function that rules on one; `undefined` if there is nothing
   * to decide for this symbol. Of listed occurrences it should decide only that they are another symbol.
   *
   * @throws {ExpectedError} `server.*`, `file.*`.
   */
  open(scope: Scope, inquiry: Inquiry): Promise<Rule | undefined>;
}

/** Returns `undefined` if another judge has to decide. The file of an unlisted occurrence is open in the server. */
export type Rule = (candidate: Candidate) => Promise<Ruling | undefined>;

/** A question about a symbol to the server of its file. */
export interface SymbolQuestion {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  /** In an open document. */
  readonly target: SymbolNode;
}

export interface NameQuestion extends SymbolQuestion {
  /** The name as written in the target's file. */
  readonly name: string;
  /** Returns the occurrences of the name in code; `undefined` if code cannot be searched for it. */
  readonly text: (() => Promise<IdentifierResult>) | undefined;
}

/** The answer to a request that was sent before the project's changed files were reported to the language server. */
export interface EarlyAnswer<T> {
  /**
   * Returns the answer, or `undefined` if the server received a notification since the request or became busy. The
   * caller must then repeat the request.
   *
   * @throws {ExpectedError} errors of the request.
   */
  current(): Promise<T | undefined>;
}

/** A query for the references to a symbol. */
export interface ReferencesQuestion extends NameQuestion {
  /** The server's references, if they were requested early. */
  readonly early?: EarlyAnswer<readonly Place[]> | undefined;
  /** True if references under other names are wanted too: to read them, not to rename them. */
  readonly followsAliases?: boolean;
}

/** A symbol whose occurrences judges decide, with the facts that all of them need. */
export interface Inquiry extends ReferencesQuestion {
  /** The places that the server lists. For unlisted occurrences, only those that are references. */
  readonly listed: readonly Place[];
  /** Definitions of the symbol's name in its scope, itself included. */
  readonly overloads: readonly SymbolNode[];
  /** Other declarations of the symbol, such as specializations of a template: uses of them are uses of the symbol. */
  readonly declarations: readonly SymbolNode[];
  /** Known only for unlisted occurrences, of a server that finds definitions. */
  readonly own: OwnPositions;
}

/** Places (see {@link placeKey}) that count as the symbol when an occurrence resolves to them. */
export interface OwnPositions {
  /**
   * Its declarations and constructors, and its implementations if the server resolves to them. They are not references
   * themselves.
   */
  readonly declarations: ReadonlySet<string>;
  /** Its known references, such as imports. */
  readonly references: ReadonlySet<string>;
}

export interface LedgerLimits {
  /** Maximum number of occurrences to resolve. */
  readonly occurrences: number;
  /** Time in ms after which no further file is checked. */
  readonly ms: number;
  /** The share of the time that the call has left, if that is more. */
  readonly share: number;
}

/** Limits for queries that only read. A server resolves about one occurrence per ms in files that it has read. */
export const readLimits: LedgerLimits = { occurrences: 400, ms: 15_000, share: 0 };
/** Limits before an edit, which a missed reference would make wrong. */
export const editLimits: LedgerLimits = { occurrences: 2_000, ms: 60_000, share: 0.3 };

const weights = { own: 2, open: 1, other: 0 } as const;

/** The judge of occurrences that were not resolved because of {@link LedgerLimits}. */
export const limitJudge = 'limit';

/** The occurrences of a symbol's name, without its declaration, each with what it means. */
export class Ledger {
  readonly entries: readonly Entry[];
  /** Files that may contain the name but could not be read. */
  readonly unread: readonly string[];
  /** Occurrences of the name in code; absent if the text was not searched. */
  readonly text: IdentifierResult | undefined;

  constructor(parts: Pick<Ledger, 'entries' | 'unread' | 'text'>) {
    this.entries = parts.entries;
    this.unread = parts.unread;
    this.text = parts.text;
  }

  /** The references, those listed by the server first. */
  get own(): readonly Entry[] {
    return this.#of('own');
  }

  /** References that the server did not list. */
  get missed(): readonly Entry[] {
    return this.own.filter(({ isListed }) => !isListed);
  }

  /** Occurrences that the server did not list and that are something else. */
  get others(): readonly Entry[] {
    return this.#of('other').filter(({ isListed }) => !isListed);
  }

  /** What the server lists although it is another symbol. */
  get mistaken(): readonly Entry[] {
    return this.#of('other').filter(({ isListed }) => isListed);
  }

  /** Occurrences about which nothing is known. */
  get open(): readonly Entry[] {
    return this.#of('open');
  }

  /** Open occurrences that were examined. */
  get unresolved(): readonly Entry[] {
    return this.open.filter(({ judge }) => judge !== limitJudge);
  }

  /** Open occurrences that were not examined, because there are too many. */
  get unchecked(): readonly Entry[] {
    return this.open.filter(({ judge }) => judge === limitJudge);
  }

  /**
   * Returns a ledger with further entries. Of two at one place, `own` counts before `open`, and `open` before `other`: an
   * occurrence may be open for one server and a reference for another.
   */
  with(more: readonly Entry[]): Ledger {
    const byPlace = new Map(this.entries.map((entry) => [placeKey(entry), entry]));
    for (const entry of more) {
      const earlier = byPlace.get(placeKey(entry));
      if (earlier === undefined || weights[entry.verdict] >= weights[earlier.verdict]) {
        byPlace.set(placeKey(entry), entry);
      }
    }
    return new Ledger({ ...this, entries: [...byPlace.values()] });
  }

  /** Returns a ledger of two symbols that have the same name. */
  joined(other: Ledger): Ledger {
    return new Ledger({ ...this.with(other.entries), unread: [...new Set([...this.unread, ...other.unread])] });
  }

  /** Returns a ledger with only those of the open occurrences that matter. */
  withOpen(open: readonly Occurrence[]): Ledger {
    const kept = new Set(open.map(placeKey));
    const entries = this.entries.filter((entry) => entry.verdict !== 'open' || kept.has(placeKey(entry)));
    return new Ledger({ ...this, entries });
  }

  #of(verdict: Verdict): readonly Entry[] {
    return this.entries.filter((entry) => entry.verdict === verdict);
  }
}

/** Returns entries of places without a ruling of their own. */
export function entriesAt(places: readonly Place[], ruling: Ruling & { readonly judge: string }): Entry[] {
  return places.map(({ file, range }) => ({ file, range, qualifier: '', ...ruling, isListed: false }));
}
