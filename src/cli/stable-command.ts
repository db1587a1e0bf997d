import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { findProgram } from '../base/process/find-program.ts';
import type { Environment } from './environment.ts';
import type { OwnCommand } from './own-command.ts';

const versionTimeoutMs = 10_000;

/**
 * Returns how to start this program from a configuration that outlives an upgrade: by the link that a package manager moves
 * to each new version, or by the command that fetches it, instead of a path that an upgrade deletes.
 */
export function stableCommand({ command, env, version, build }: Environment): OwnCommand {
  const [program, ...args] = command;
  // The sources run: they stay where they are.
  if (build === undefined || args.length > 0) return command;
  const [, npmPackage] = /[\\/]_npx[\\/].*[\\/]node_modules[\\/]@([^\\/]+)[\\/]/.exec(program) ?? [];
  // The cache of npx is emptied at any time.
  if (npmPackage !== undefined) return [findProgram('npx', env) ?? 'npx', '--yes', npmPackage];
  const onPath = findProgram('serena', env);
  if (onPath !== undefined && isSame(onPath, program)) return [onPath];
  const link = links(program).find((path) => isSame(path, program));
  if (link !== undefined) return [link];
  const isVersioned = program.split(/[\\/@+]/).includes(version);
  // Such as the script of pnpm. It may be another program of that name, which `serena-agent` has as well.
  if (isVersioned && onPath !== undefined && !onPath.includes(version) && isOurs(onPath, version)) return [onPath];
  return command;
}

/** Returns where Homebrew and Scoop keep a link to the version of a program that is installed now. */
function links(program: string): string[] {
  const places = [
    program.replace(/^(.*)\/Cellar\/([^/]+)\/[^/]+\//, '$1/opt/$2/'),
    program.replace(/^(.*[\\/]apps[\\/][^\\/]+[\\/])[^\\/]+([\\/])/, '$1current$2'),
  ];
  return places.filter((path) => path !== program);
}

function isSame(path: string, program: string): boolean {
  try {
    return realpathSync(path) === realpathSync(program);
  } catch {
    return false;
  }
}

function isOurs(path: string, version: string): boolean {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: versionTimeoutMs });
  return status === 0 && stdout.trim() === `Serena ${version}`;
}
