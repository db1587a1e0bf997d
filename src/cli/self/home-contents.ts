import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { homePaths } from '../../base/home.ts';
import { serverDirectories } from '../../install/store/layout.ts';

/** A file or directory in SERENA_HOME that this program, or the user for it, writes into. */
export interface HomeContent {
  readonly what: string;
  /** Absolute. */
  readonly path: string;
  /**
   * True for a file or directory that this program wrote, by its path relative to `path` with `/`; the path itself is ''.
   * Everything in such a directory counts as well.
   */
  isOwn(relative: string): boolean;
}

const projectKey = '[^/]+-[0-9a-f]{16}';
const commitId = String.raw`\d+-[0-9a-f]{12}`;

/**
 * Returns what this program creates again when it is needed, by the names that it gives. A directory that has the name of
 * a part proves nothing: `SERENA_HOME` may be set to a project with a `cache` and `logs` of its own.
 */
export function createdContents(home: string): readonly HomeContent[] {
  const { configLock, edits, caches, logs, hooks } = homePaths(home);
  const dashboard = join(home, 'dashboard');
  return [
    ...serverContents(home),
    named('symbol caches', caches, `${projectKey}/(symbols|words)-v\\d+[^/]*\\.sqlite[^/]*`),
    named(
      'undo history of edits',
      edits,
      `(${projectKey}|memories)/(lock(\\.pid)?|${commitId}/\\.?(journal|temporary|reserve)\\.json[^/]*)`,
      `(${projectKey}|memories)/history/(\\d+-\\d+-${commitId}\\.(json|pending)|contents/[0-9a-f]{64})(\\.\\d+)?`,
    ),
    named('logs', logs, String.raw`\d{4}-\d{2}-\d{2}/[\w-]+_\d{8}-\d{6}_\d+\.txt`),
    named('state of hooks', hooks, String.raw`[^/]+/\.?tool_use_counter\.json[^/]*`),
    named(
      'state of the background service',
      join(home, 'service'),
      String.raw`[^/]+-[0-9a-f]{12}\.(sock|key|lock|edits)`,
    ),
    {
      what: 'login page of the dashboard',
      path: dashboard,
      isOwn: (relative) => relative === 'open.html' && isLoginPage(join(dashboard, relative)),
    },
    { what: 'lock', path: configLock, isOwn: (relative) => relative === '' && isEmpty(configLock) },
  ];
}

/** Returns what the user makes for this program. */
export function userContents(home: string): readonly HomeContent[] {
  const { config, contexts, modes, prompts, globalMemories } = homePaths(home);
  return [
    { what: 'your configuration', path: config, isOwn: (relative) => relative === '' },
    named('your contexts', contexts, String.raw`.+\.yml`),
    named('your modes', modes, String.raw`.+\.yml`),
    named('your prompts', prompts, String.raw`.+\.yml`),
    named('your global memories', globalMemories, String.raw`.+\.md`),
  ];
}

function serverContents(home: string): HomeContent[] {
  const { servers, blobs, staging, running, caches, locks, npm, emptyConfig, shims, codeCache, pythonCache } =
    serverDirectories(home);
  const what = 'language servers';
  return [
    named(what, servers, String.raw`[\w.-]+/[^/]+-[0-9a-f]{12}`),
    named(what, blobs, String.raw`\w+/[0-9a-f]{40,}`),
    named(what, staging, String.raw`\d+-[0-9a-f]+-[0-9a-f]{8}`),
    named(what, running, String.raw`\d+-[0-9a-f]{8}`),
    named(what, caches, String.raw`[\w.-]+/[0-9a-f]{16}-\d+(\.lock)?`),
    named(what, locks, String.raw`[\w.-]+-[0-9a-f]{12}\.(lock|use)(\.pid)?`),
    named(what, npm),
    { what, path: emptyConfig, isOwn: (relative) => relative === '' && isEmpty(emptyConfig) },
    named(what, shims, String.raw`[\w-]+-[0-9a-f]{12}\.cjs`),
    named(what, codeCache, String.raw`[^/]+\.pile`),
    named(what, pythonCache, String.raw`.+\.pyc(\.\d+)?`),
  ];
}

function named(what: string, path: string, ...patterns: readonly string[]): HomeContent {
  const own = new RegExp(`^(?:${patterns.join('|') || '(?!)'})$`);
  return { what, path, isOwn: (relative) => own.test(relative) };
}

function isEmpty(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0;
}

function isLoginPage(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').startsWith('<!doctype html><meta http-equiv="refresh"');
  } catch {
    return false;
  }
}
