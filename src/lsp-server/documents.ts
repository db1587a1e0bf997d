import { resolve } from 'node:path';
import { z } from 'zod';
import { isExpected } from '../base/errors.ts';
import { withContentChanges } from '../text/content-changes.ts';
import { markLength, normalizeNewlines } from '../text/lines.ts';
import { type TextLines, textLines } from '../text/text-lines.ts';
import { rangeSchema } from './params.ts';
import type { LocatedFile, Workspace } from './workspace.ts';

/** A document that the client has open. */
export interface ClientDocument extends LocatedFile {
  /** As the client writes it. */
  readonly uri: string;
  readonly version: number;
  /** The text as the client has it. */
  readonly sent: string;
  /** Without byte order mark, with `\n` line breaks. */
  readonly text: TextLines;
}

const openedSchema = z.object({ textDocument: z.object({ uri: z.string(), version: z.number(), text: z.string() }) });
const changedSchema = z.object({
  textDocument: z.object({ uri: z.string(), version: z.number() }),
  contentChanges: z.array(z.object({ range: rangeSchema.optional(), text: z.string() })),
});

/** The documents that the client has open, as it sees them. */
export class ClientDocuments {
  readonly #workspace: Workspace;
  /** By absolute path. */
  readonly #open = new Map<string, ClientDocument>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  get all(): readonly ClientDocument[] {
    return [...this.#open.values()];
  }

  /** Handles `textDocument/didOpen`; returns the document unless it is in no project. */
  open(params: unknown): ClientDocument | undefined {
    const { uri, version, text } = openedSchema.parse(params).textDocument;
    return this.#put(uri, version, text);
  }

  /** Handles `textDocument/didChange`; clients may send ranges although whole texts are declared. */
  change(params: unknown): ClientDocument | undefined {
    const { textDocument, contentChanges } = changedSchema.parse(params);
    const { uri, version } = textDocument;
    const located = this.#workspace.locate(uri);
    const known = located && this.at(located);
    return known && this.#put(uri, version, withContentChanges(known.sent, contentChanges));
  }

  /** Handles `textDocument/didClose`; returns the document that was open. */
  close(uri: string): ClientDocument | undefined {
    const located = this.#workspace.locate(uri);
    const known = located && this.at(located);
    if (known) this.#open.delete(pathOf(known));
    return known;
  }

  at(located: LocatedFile): ClientDocument | undefined {
    return this.#open.get(pathOf(located));
  }

  /** Returns the texts of a project's documents that differ from the disk; `textOf` reads a file of the project. */
  unsaved(root: string, textOf: (file: string) => TextLines): ReadonlyMap<string, string> {
    const own = this.all.filter((document) => document.root === root);
    return new Map(own.flatMap(({ file, text }) => (isSaved(text.text, file, textOf) ? [] : [[file, text.text]])));
  }

  #put(uri: string, version: number, text: string): ClientDocument | undefined {
    const located = this.#workspace.locate(uri);
    if (located === undefined) return undefined;
    const document = { ...located, uri, version, sent: text, text: textLines(normalizeNewlines(withoutMark(text))) };
    this.#open.set(pathOf(located), document);
    return document;
  }
}

function pathOf({ root, file }: LocatedFile): string {
  return resolve(root, file);
}

function isSaved(text: string, file: string, textOf: (file: string) => TextLines): boolean {
  try {
    return withoutMark(textOf(file).text) === text;
  } catch (error) {
    // Not written yet, or removed.
    if (isExpected(error)) return false;
    throw error;
  }
}

function withoutMark(text: string): string {
  return text.slice(markLength(text));
}
