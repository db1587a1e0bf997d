import type { z } from 'zod';
import { attempt } from '../base/attempt.ts';
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
  withPlainText,
  withSnakeCaseKeys,
} from './answers.ts';
import type { IdeFinder, LocatedIde } from './find-ide.ts';
import { type HttpResponse, sendRequest } from './http.ts';

/** Inspections and refactorings of a large project take minutes. */
const requestTimeoutMs = 300_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** Older plugins answer every failure with status 500, as if the plugin had failed. */
const firstWithCodes = '2023.2.6';

/** A symbol of a file; with a null `namePath` the file or directory itself. */
export interface IdeTarget {
  readonly namePath: string | null;
  readonly relativePath: string;
}

/** One kind of request that the plugin serves. */
interface Endpoint {
  readonly path: string;
  /** First version of the plugin that serves it. */
  readonly since?: string | undefined;
  /** True if keys of the response are data, such as names of inspections, and must not be rewritten. */
  readonly keysAreData?: boolean;
}

/**
 * The IDE that has a project open, for one tool call. The first request locates it: see docs/compatibility.md,
 * JetBrains IDEs.
 *
 * Lines and columns are 0-based, paths project-relative or `<ext:…>`. Every request may throw `ide.not-found`,
 * `ide.outdated` if the plugin does not serve it, `ide.refused` with the message of the IDE, `ide.failed`, and
 * `ide.unreachable`.
 */
export class Ide {
  readonly #finder: IdeFinder;
  readonly #host: string;
  readonly #root: string;
  readonly #call: Call;
  #ide: Promise<LocatedIde> | undefined;

  constructor(options: { finder: IdeFinder; host: string; root: string; call: Call }) {
    this.#finder = options.finder;
    this.#host = options.host;
    this.#root = options.root;
    this.#call = options.call;
  }

  /** `*` in the name path matches any part of one name. A null path searches the whole project. */
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

  /** Returns the supertypes or subtypes of a type. A depth of null or 0 means unlimited. */
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

  /** Lines are 1-based here. The IDE supplies defaults for absent values. Keys of the answer are not rewritten. */
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

  /** Returns the text of a file of the project or of a library. */
  async readFile(relativePath: string): Promise<string> {
    return (await this.#ask({ path: '/readFile', since: '2023.3.3' }, { relativePath }, fileContent)).content;
  }

  async #ask<T>(endpoint: Endpoint, body: object, answer: z.ZodType<T>): Promise<T> {
    this.#ide ??= this.#finder.find({ host: this.#host, root: this.#root, signal: this.#call.signal });
    const { port, pluginVersion } = await this.#ide;
    const { path, since } = endpoint;
    if (since !== undefined && !isAtLeast(pluginVersion, since)) throw outdated(path, since, pluginVersion);
    const request = { method: 'POST', path, body: JSON.stringify(body), maxBytes: maxAnswerBytes } as const;
    const limits = { timeoutMs: requestTimeoutMs, signal: this.#call.signal };
    const response = await sendRequest({ host: this.#host, port }, { ...request, ...limits });
    if (response.status !== 200) throw failure(path, response, pluginVersion);
    const content = parsed(response.body);
    const result = answer.safeParse(endpoint.keysAreData ? content : await withPlainText(withSnakeCaseKeys(content)));
    if (result.success) return result.data;
    throw unexpectedResponse(path, response.body, result.error);
  }
}

/** Returns the leading numbers of a version: 2023, 2 and 14 for `2023.2.14-eap`. */
function numbersOf(version: string): number[] {
  return (/^\s*v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '').split('.').filter(Boolean).map(Number);
}

/** True if `version` is `minimum` or later by its leading numbers. A version without numbers is before any other. */
export function isAtLeast(version: string, minimum: string): boolean {
  const numbers = numbersOf(version);
  for (const [index, number] of numbersOf(minimum).entries()) {
    const own = numbers[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

/** Parses a body; one that is not JSON is returned as text. */
function parsed(body: string): unknown {
  return attempt(() => JSON.parse(body), { response: body });
}

function outdated(path: string, since: string, installed: string): ExpectedError {
  return new ExpectedError(
    'ide.outdated',
    `the request \`${path}\` needs version ${since} of the IDE's Serena plugin; version ${installed} is installed`,
    { hints: ['ask the user to update the plugin in the IDE'] },
  );
}

function failure(path: string, { status, body }: HttpResponse, pluginVersion: string): ExpectedError {
  const problem = errorText(body);
  if (status === 400 || !isAtLeast(pluginVersion, firstWithCodes)) {
    return new ExpectedError('ide.refused', problem === '' ? `the IDE refused \`${path}\`` : problem);
  }
  const detail = problem === '' ? '' : `: ${problem}`;
  return new ExpectedError(
    'ide.failed',
    `the IDE's Serena plugin failed on \`${path}\` with status ${status}${detail}`,
    {
      hints: ['ask the user to check the log of the IDE and to report this to the developers of the plugin'],
    },
  );
}

const maxShownChars = 2_000;

function errorText(body: string): string {
  const content = parsed(body);
  const isObject = typeof content === 'object' && content !== null;
  const text = isObject && 'error' in content && typeof content.error === 'string' ? content.error : body;
  return text.trim().slice(0, maxShownChars);
}

function unexpectedResponse(path: string, body: string, cause: unknown): ExpectedError {
  const shown = body.trim().slice(0, maxShownChars);
  return new ExpectedError(
    'ide.failed',
    `the IDE's Serena plugin answered \`${path}\` in an unexpected format: ${shown}`,
    {
      hints: ['ask the user to update the plugin in the IDE and this program'],
      cause,
    },
  );
}
