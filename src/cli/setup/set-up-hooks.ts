import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { usageError } from '../usage.ts';
import { addToFile, hardLinkNote } from './clients/change-file.ts';
import type { Client } from './clients/client.ts';
import { clients } from './clients/clients.ts';
import { hasEntry } from './clients/entry.ts';
import { hooksFile } from './clients/present.ts';
import { hooksAddition, ownHooks } from './hooks-addition.ts';

/**
 * Adds the hooks to the file from which a client reads them, or with `isPrint` prints the content of such a file.
 *
 * @throws {ExpectedError} `usage.invalid` for a client without hooks, and what {@link addToFile} throws.
 */
export async function setUpHooks(
  client: Client,
  environment: Environment,
  { isPrint }: { isPrint: boolean },
): Promise<void> {
  const file = hooksFile(client, environment);
  if (file === undefined) {
    const ids = clients.flatMap(({ id, hooks }) => (hooks ? [id] : []));
    throw usageError(`\`--hooks\` does not support \`${client.id}\``, [`use one of: ${ids.join(', ')}`]);
  }
  const addition = await hooksAddition(client, file, environment);
  if (isPrint) {
    ownCaller.print(addition.add(''));
    ownCaller.report(`For ${client.name}, in \`${file}\`\n`);
    return;
  }
  const { outcome, backup, otherNames = 0 } = addToFile(file, addition);
  const { note } = ownHooks(client, environment);
  const lines = [`${outcome === 'unchanged' ? 'Unchanged' : 'Added the hooks'}: \`${file}\``];
  if (backup !== undefined) lines.push(`Backup of the file: \`${backup}\``);
  if (otherNames > 0) lines.push(hardLinkNote(otherNames));
  if (outcome !== 'unchanged' && note !== undefined) lines.push(note);
  if (!(await hasEntry(client, environment))) {
    lines.push(
      `${client.name} does not start the server yet, whose tools the hooks name; run \`serena setup ${client.id}\``,
    );
  }
  ownCaller.print(`${lines.join('\n')}\n`);
}
