import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import type { ServerSpec } from '../spec.ts';

interface ServerProgram {
  /** Absolute path of the install directory; `undefined` for a user's own program. */
  readonly directory: string | undefined;
  /** The program and the arguments that precede the server's. */
  readonly command: readonly string[];
  /** Absolute path of the project. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTrusted: boolean;
  /** Installs the server if needed and returns its install directory. */
  readonly install: () => Promise<string | undefined>;
}

/**
 * Returns the absolute paths of `spec.quirks?.projectCodeSubstitutes`, by placeholder name. For a user's own program they are
 * searched beside it, then in an installation. In a trusted project, whose code may run, a user's own program gets
 * none.
 *
 * @throws {ExpectedError} `server.refused` if the server would run code of an untrusted project.
 */
export async function projectCodeSubstitutes(
  spec: ServerSpec,
  program: ServerProgram,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (spec.quirks?.projectCodeSubstitutes === undefined) return {};
  const paths = Object.entries(spec.quirks?.projectCodeSubstitutes.paths);
  const directory = program.directory ?? (program.isTrusted ? undefined : await directoryFor(spec, program));
  return Object.fromEntries(
    paths.map(([name, path]) => [name, directory === undefined ? undefined : join(directory, path)]),
  );
}

async function directoryFor(spec: ServerSpec, program: ServerProgram): Promise<string | undefined> {
  const { description = '', paths = {} } = spec.quirks?.projectCodeSubstitutes ?? {};
  const beside = directoryBeside(program, Object.values(paths));
  // A missing program fails to start; nothing is fetched for it.
  if (beside !== undefined || !exists(program)) return beside;
  try {
    return await program.install();
  } catch (error) {
    if (!isExpected(error)) throw error;
    throw new ExpectedError(
      'server.refused',
      `your own program for \`${spec.id}\` would run the ${description} of the project, which is not trusted; cannot install another: ${error.message}`,
      {
        hints: [
          `install ${description} beside your program, or remove \`ls_path\` or \`ls_base_cmd\` from \`ls_specific_settings.${spec.id}\``,
          'if you trust the project, add its path to `trusted_project_path_patterns` in `serena_config.yml`',
        ],
        cause: error,
      },
    );
  }
}

/** Returns the nearest directory above the program's files, outside the project, that contains all of `paths`. */
function directoryBeside({ command, env, root }: ServerProgram, paths: readonly string[]): string | undefined {
  const project = realOf(root);
  const isOfProject = (directory: string) => directory === project || directory.startsWith(project + sep);
  for (const file of filesOf(command, env)) {
    for (let directory = dirname(file); directory !== dirname(directory); directory = dirname(directory)) {
      if (!isOfProject(directory) && paths.every((path) => existsSync(join(directory, path)))) return directory;
    }
  }
  return undefined;
}

function exists({ command: [program = ''], env }: ServerProgram): boolean {
  return isAbsolute(program) ? existsSync(program) : findProgram(program, env) !== undefined;
}

/** Returns the real paths of the files in a command: the program need not be the server, as in `node server.js`. */
function filesOf(command: readonly string[], env: ServerProgram['env']): string[] {
  return command.flatMap((part, index) => {
    const path = isAbsolute(part) ? part : index === 0 ? findProgram(part, env) : undefined;
    return path !== undefined && existsSync(path) ? [realOf(path)] : [];
  });
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
