import { basename } from 'node:path';
import { counted } from '../../base/counted.ts';
import { detectServers } from '../../servers/assignment/detect.ts';
import { rememberProject } from '../../session/remember-project.ts';
import type { Environment } from '../environment.ts';
import type { Workplace } from '../with-session.ts';

/** Writes the files of a new project and tells about it. `root` is absolute. */
export async function makeProject(
  root: string,
  wanted: { readonly name?: string | undefined; readonly ids: readonly string[]; readonly json?: boolean | undefined },
  { environment, place }: { environment: Environment; place: Workplace },
): Promise<void> {
  const { home, user, projects, call } = place;
  // Refuses a directory that is not there before anything is written.
  const probe = await projects.open(root, { user });
  await rememberProject(probe, {
    ...{ home, env: environment.env, isKnown: user.projects.includes(root) },
    ...{ name: wanted.name ?? basename(root), servers: wanted.ids, mayWalk: true },
  });
  await projects.release(probe);
  const open = await projects.open(root, { user });
  const shares = detectServers(open.sources, await open.project.scanner.suffixCounts(call.signal));
  const found = shares.map(({ server, fileCount }) => `${server.spec.id} (${counted(fileCount, 'file')})`);
  // Whoever asks for JSON gets nothing else.
  const output = wanted.json ? process.stderr : process.stdout;
  output.write(
    [
      `Created the project \`${open.project.name}\`: ${open.project.config.path}`,
      found.length > 0
        ? `Language servers: ${found.join(', ')}`
        : 'No file of it belongs to a language server: the symbol tools will find nothing',
      '',
    ].join('\n'),
  );
  await projects.release(open);
}
