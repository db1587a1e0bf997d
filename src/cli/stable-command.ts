import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { attempt } from '../base/attempt.ts';
import { findProgram } from '../base/process/find-program.ts';
import type { OwnCommand } from '../base/process/own-command.ts';
import type { Environment } from './environment.ts';

const versionTimeoutMs = 10_000;

/**
 * Returns a command for configuration files that starts this program also after an upgrade. If the upgrade deletes the path
 * of this program, that is the package manager's link to its current version, or the command that downloads it.
 */
export function stableCommand({ command, env, version, build }: Environment): OwnCommand {
  const [program, ...args] = command;
  // Running from the sources, which do not move.
  if (build === undefined || args.length > 0) return command;
  const [, npmPackage] = /[\\/]_npx[\\/].*[\\/]node_modules[\\/]@([^\\/]+)[\\/]/.exec(program) ?? [];
  // The npx cache may be emptied at any time.
  if (npmPackage !== undefined) return [findProgram('npx', env) ?? 'npx', '--yes', npmPackage];
  const onPath = findProgram('serena', env);
  if (onPath !== undefined && isSame(onPath, program)) return [onPath];
  const link = links(program).find((path) => isSame(path, program));
  if (link !== undefined) return [link];
  const isVersioned = program.split(/[\\/@+]/).includes(version);
  // For example the script that pnpm creates. Verified, because `serena-agent` installs a `serena` command too.
  if (isVersioned && onPath !== undefined && !onPath.includes(version) && isThisVersion(onPath, version))
    return [onPath];
  return command;
}

/** Returns the paths where Homebrew and Scoop link the current version of a program. */
function links(program: string): string[] {
  const candidates = [
    program.replace(/^(.*)\/Cellar\/([^/]+)\/[^/]+\//, '$1/opt/$2/'),
    program.replace(/^(.*[\\/]apps[\\/][^\\/]+[\\/])[^\\/]+([\\/])/, '$1current$2'),
  ];
  return candidates.filter((path) => path !== program);
}

function isSame(path: string, program: string): boolean {
  return attempt(() => realpathSync(path) === realpathSync(program), false);
}

function isThisVersion(path: string, version: string): boolean {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: versionTimeoutMs });
  return status === 0 && stdout.trim() === `Serena ${version}`;
}

/** Returns a command quoted for a shell: `cmd` on Windows, else that of POSIX. */
export function commandLine(words: readonly string[], platform = process.platform): string {
  return words.map((word) => quoted(word, platform)).join(' ');
}

function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === 'win32' || !word.includes('\\'))) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
