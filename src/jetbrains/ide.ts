import type { z } from 'zod';
import type { Call } from '../base/call.ts';
import { ExpectedError } from '../base/errors.ts';
import {
  anything,
  fileContent,
  fileOverview,
  type HierarchyNode,
  hierarchy,
  type IdeSymbol,
  inspectionList,
  symbolList,
} from './answers.ts';
import type { FoundIde, IdeFinder } from './find-ide.ts';
import { ask, type HttpAnswer } from './http.ts';
import { withPlainText } from './plain-text.ts';
import { withSnakeCaseKeys } from './snake-case.ts';
import { isAtLeast } from './version.ts';

/** Inspections and refactorings of a large project take minutes. */
const requestTimeoutMs = 300_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** Plugins before this one answer every failure as if it were a fault of theirs. */
const firstWithCodes = '2023.2.6';

/** A symbol of a file, or with a null `namePath` the file or directory itself. */
export interface IdeTarget {
  readonly namePath: string | null;
  readonly relativePath: string;
}

/** One request, besides what it asks for. */
interface Endpoint {
  readonly path: string;
  /** The first version of the plugin that has it. */
  readonly since?: string | undefined;
  /** The answer's keys are data, such as names of inspections, and are left as they are. */
  readonly keysAreData?: boolean;
}

/**
 * The IDE that has one project open, for one call. It is looked for with the first request (`spec/tools.md` §15.1).
 *
 * Lines and columns are 0-based, paths project-relative or `<ext:…>`. Every request throws `ide.not-found`;
 * `ide.outdated` where the plugin lacks it; `ide.refused` with the IDE's own words; `ide.failed`; `ide.unreachable`.
 */
export class Ide {
  readonly #finder: IdeFinder;
  readonly #host: string;
  readonly #root: string;
  readonly #call: Call;
  #found: Promise<FoundIde> | undefined;

  constructor(options: { finder: IdeFinder; host: string; root: string; call: Call }) {
    this.#finder = options.finder;
    this.#host = options.host;
    this.#root = options.root;
    this.#call = options.call;
  }

  /** A `*` in the name path stands for any part of one name. A null path stands for all of the project. */
  async findSymbols(query: {
    readonly namePath: string;
    readonly relativePath: string | null;
    readonly depth: number;
    readonly includeBody: boolean;
    readonly includeQuickInfo: boolean;
    readonly includeDocumentation: boolean;
    readonly searchDeps: boolean;
  }): Promise<readonly IdeSymbol[]> {
    const since = query.namePath.includes('*') ? '2023.3.1' : undefined;
    const body = { ...query, includeLocation: false, includeNumUsages: false };
    return (await this.#ask({ path: '/findSymbol', since }, body, symbolList)).symbols;
  }

  async findReferences(target: IdeTarget): Promise<readonly IdeSymbol[]> {
    const body = { ...target, includeQuickInfo: false };
    return (await this.#ask({ path: '/findReferences' }, body, symbolList)).symbols;
  }

  overview(query: { relativePath: string; depth: number; includeFileDocumentation: boolean }) {
    return this.#ask({ path: '/getSymbolsOverview' }, query, fileOverview);
  }

  /** Returns the types above or below a type; a depth of null or 0 is no limit. */
  async typeHierarchy(
    direction: 'super' | 'sub',
    query: IdeTarget & { readonly depth: number | null },
  ): Promise<{ readonly nodes: readonly HierarchyNode[]; readonly levelsLeftOut: number | undefined }> {
    const path = direction === 'super' ? '/getSupertypes' : '/getSubtypes';
    const answer = await this.#ask({ path, since: '2023.2.6' }, { ...query, limitChildren: null }, hierarchy);
    return { nodes: answer.hierarchy ?? [], levelsLeftOut: answer.num_levels_not_included };
  }

  findDeclaration(query: { relativePath: string; line: number; col: number; includeBody: boolean }) {
    const body = { ...query, includeQuickInfo: false };
    return this.#ask({ path: '/findDeclaration', since: '2023.2.14' }, body, symbolList);
  }

  findImplementations(target: IdeTarget) {
    const body = { ...target, includeQuickInfo: false };
    return this.#ask({ path: '/findImplementations', since: '2023.2.14' }, body, symbolList);
  }

  rename(
    query: IdeTarget & {
      readonly newName: string;
      readonly renameInComments: boolean;
      readonly renameInTextOccurrences: boolean;
    },
  ): Promise<unknown> {
    return this.#ask({ path: '/renameSymbol' }, query, anything);
  }

  move(
    query: IdeTarget & { readonly targetParentNamePath: string | null; readonly targetRelativePath: string | null },
  ): Promise<unknown> {
    return this.#ask({ path: '/moveSymbol', since: '2023.2.14' }, query, anything);
  }

  safeDelete(query: IdeTarget & { readonly deleteEvenIfUsed: boolean; readonly propagate: boolean }): Promise<unknown> {
    return this.#ask({ path: '/safeDelete', since: '2023.2.14' }, query, anything);
  }

  inline(query: IdeTarget & { readonly keepDefinition: boolean }): Promise<unknown> {
    return this.#ask({ path: '/inlineSymbol', since: '2023.2.14' }, query, anything);
  }

  evaluate(query: { readonly replKey: string; readonly expression: string }): Promise<unknown> {
    return this.#ask({ path: '/debugReplEval', since: '2023.2.16' }, query, anything);
  }

  closeRepl(query: { readonly replKey: string }): Promise<unknown> {
    return this.#ask({ path: '/debugReplClose', since: '2023.2.16' }, query, anything);
  }

  /** Lines are 1-based here. What is absent is left to the IDE. The answer's keys are the IDE's. */
  runInspections(query: {
    readonly relativePath: string;
    readonly minSeverity?: string;
    readonly inspectionNames?: readonly string[];
    readonly startLine?: number;
    readonly endLine?: number;
  }): Promise<unknown> {
    return this.#ask({ path: '/runInspectionsOnFile', since: '2023.2.14', keysAreData: true }, query, anything);
  }

  listInspections(query: { readonly language?: string; readonly groupPathContains?: string }) {
    return this.#ask({ path: '/listInspections', since: '2023.2.14' }, query, inspectionList);
  }

  /** Returns the text of a file, which may be one of a library. */
  async readFile(relativePath: string): Promise<string> {
    return (await this.#ask({ path: '/readFile', since: '2023.3.3' }, { relativePath }, fileContent)).content;
  }

  async #ask<T>(endpoint: Endpoint, body: object, answer: z.ZodType<T>): Promise<T> {
    this.#found ??= this.#finder.find({ host: this.#host, root: this.#root, signal: this.#call.signal });
    const { port, pluginVersion } = await this.#found;
    const { path, since } = endpoint;
    if (since !== undefined && !isAtLeast(pluginVersion, since)) throw outdated(path, since, pluginVersion);
    const question = { method: 'POST', path, body: JSON.stringify(body), maxBytes: maxAnswerBytes } as const;
    const limits = { timeoutMs: requestTimeoutMs, signal: this.#call.signal };
    const given = await ask({ host: this.#host, port }, { ...question, ...limits });
    if (given.status !== 200) throw failure(path, given, pluginVersion);
    const content = parsed(given.body);
    const read = answer.safeParse(endpoint.keysAreData ? content : await withPlainText(withSnakeCaseKeys(content)));
    if (read.success) return read.data;
    throw notUnderstood(path, given.body, read.error);
  }
}

/** A body that is no JSON is a text by itself. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return { response: body };
  }
}

function outdated(path: string, since: string, installed: string): ExpectedError {
  return new ExpectedError(
    'ide.outdated',
    `The IDE's Serena plugin has no \`${path}\` as it is needed here: that takes version ${since}, installed is ${installed}`,
    { hints: ['Ask the user to update the plugin in the IDE'] },
  );
}

function failure(path: string, { status, body }: HttpAnswer, pluginVersion: string): ExpectedError {
  const words = errorText(body);
  if (status === 400 || !isAtLeast(pluginVersion, firstWithCodes)) {
    return new ExpectedError('ide.refused', words === '' ? `The IDE refused \`${path}\`` : words);
  }
  const detail = words === '' ? '' : `: ${words}`;
  return new ExpectedError(
    'ide.failed',
    `The IDE's Serena plugin answered \`${path}\` with status ${status}${detail}`,
    {
      hints: ['Ask the user to look into the log of the IDE, and to report this to the makers of the plugin'],
    },
  );
}

const maxShownChars = 2_000;

function errorText(body: string): string {
  const content = parsed(body);
  const isObject = typeof content === 'object' && content !== null;
  const words = isObject && 'error' in content && typeof content.error === 'string' ? content.error : body;
  return words.trim().slice(0, maxShownChars);
}

function notUnderstood(path: string, body: string, cause: unknown): ExpectedError {
  const shown = body.trim().slice(0, maxShownChars);
  return new ExpectedError('ide.failed', `The IDE's Serena plugin answered \`${path}\` in an unknown form: ${shown}`, {
    hints: ['Ask the user to update the plugin in the IDE, or this program'],
    cause,
  });
}
