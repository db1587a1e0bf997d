import { basename } from 'node:path';
import { counted } from '../../base/counted.ts';
import { detectServers } from '../../servers/assignment/detect.ts';
import { rememberProject } from '../../session/remember-project.ts';
import type { CommandContext } from '../command-context.ts';

/** Writes the files of a new project and prints a summary. `root` is absolute. */
export async function makeProject(
  root: string,
  settings: {
    readonly name?: string | undefined;
    readonly ids: readonly string[];
    readonly json?: boolean | undefined;
  },
  { home, env, user, projects, call }: CommandContext,
): Promise<void> {
  // Throws for a missing directory before anything is written.
  const probe = await projects.open(root, { user });
  await rememberProject(probe, {
    ...{ home, env, isKnown: user.projects.includes(root) },
    ...{ name: settings.name ?? basename(root), servers: settings.ids, mayWalk: true },
  });
  await projects.release(probe);
  const open = await projects.open(root, { user });
  const shares = detectServers(open.sources, await open.project.scanner.extensionCounts(call.signal));
  const found = shares.map(({ server, fileCount }) => `${server.spec.id} (${counted(fileCount, 'file')})`);
  // With `--json`, stdout has nothing but JSON.
  const output = settings.json ? process.stderr : process.stdout;
  output.write(
    [
      `Created the project \`${open.project.name}\`: ${open.project.config.path}`,
      found.length > 0
        ? `Language servers: ${found.join(', ')}`
        : 'No language server covers any file: symbol tools will find nothing',
      '',
    ].join('\n'),
  );
  await projects.release(open);
}
