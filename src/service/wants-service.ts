import { readTextIfExists } from '../base/files.ts';
import { homeDirectory, homePaths } from '../base/home.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Commands that ask about code and edit it. */
export const sharedCommands: readonly string[] = [
  'overview',
  'find',
  'explore',
  'refs',
  'implementations',
  'hierarchy',
  'path',
  'unused',
  'ast',
  'format',
  'changed',
  'verify',
  'affected',
  'declaration',
  'diagnostics',
  'rename',
  'move',
  'move-file',
  'delete',
  'signature',
  'replace',
  'apply',
  'undo',
  'redo',
  'search',
];

/** Arguments with which this process serves on its own: help, other transports, and the explicit wish. */
const sessionExcludes = /^(?:--no-service|--help|-h|--transport(?:=.*)?)$/;
/** A log on stderr is that of this process. */
const commandExcludes = /^(?:--help|-h|--log-level(?:=.*)?)$/;

/** True if the service can run the command line `args`, which calls one tool. */
export function isSharedCommand(args: readonly string[]): boolean {
  const [name = '', subcommand] = args;
  if (!sharedCommands.includes(name) && !(name === 'tools' && subcommand === 'call')) return false;
  return !args.some((arg) => commandExcludes.test(arg));
}

/**
 * True if the command line `args` is to be served by the background service. Decides without the configuration parser,
 * which would take longer than connecting; where the file is unusual, the answer is no.
 */
export function wantsService(args: readonly string[], env: Env, platform = process.platform): boolean {
  if (platform !== 'linux') return false;
  const isSession =
    (args[0] === 'start-mcp-server' || args[0] === 'lsp') && !args.some((arg) => sessionExcludes.test(arg));
  if (!isSession && !isSharedCommand(args)) return false;
  const explicit = env.SERENA_SERVICE?.trim() ?? '';
  if (explicit !== '') return explicit === 'auto';
  // A job in CI and a container end with their first process, so that a service would gain nothing.
  if (env.CI === 'true' || process.pid === 1) return false;
  return configured(homePaths(homeDirectory(env)).config) === 'auto';
}

function configured(path: string): unknown {
  try {
    const text = readTextIfExists(path) ?? '';
    if (text.trimStart().startsWith('{')) return Object(JSON.parse(text)).service ?? 'auto';
    const [, value] = /^service:[ \t]*["']?(\w+)/m.exec(text) ?? [];
    // Quoted or indented, for example.
    const isUnusual = /^[^#\n]*\bservice["']?[ \t]*:/m.test(text);
    return value ?? (isUnusual ? undefined : 'auto');
  } catch {
    return undefined;
  }
}
