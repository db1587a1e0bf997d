import { catalog } from '../../languages/servers.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printLines } from '../output.ts';
import { usageError } from '../report.ts';
import { stableCommand } from '../stable-command.ts';
import { type Addition, addToFile, changeNotes } from './change-file.ts';
import { type Client, clients, type LspClient, lspFile } from './clients.ts';
import { entryAddition, isOwnEntry } from './entry.ts';
import { jsonFormat } from './json-format.ts';
import { projectFile } from './project-file.ts';

/**
 * Makes a client start `serena lsp` for the files of every language, or with `isPrint` prints the configuration.
 *
 * @throws {ExpectedError} `usage.invalid` for a client without LSP support, and as {@link addToFile}.
 */
export async function setUpLsp(
  client: Client,
  environment: Environment,
  { isPrint }: { isPrint: boolean },
): Promise<void> {
  const found = lspAddition(client, environment);
  if (found === undefined) {
    const ids = clients.flatMap(({ id, lsp }) => (lsp ? [id] : []));
    throw usageError(`\`--lsp\` does not support \`${client.id}\``, [`use one of: ${ids.join(', ')}`]);
  }
  const { file, addition } = found;
  if (isPrint) {
    ownCaller.print(addition.add(''));
    ownCaller.report(`For ${client.name}, in \`${file}\`\n`);
    return;
  }
  const { outcome, ...change } = addToFile(file, addition);
  printLines([
    `${outcome === 'unchanged' ? 'Unchanged' : 'Added the language server'}: \`${file}\``,
    ...changeNotes(change),
    ...(outcome === 'unchanged' ? [] : [`Restart ${client.name}`]),
  ]);
}

/** Returns the language server as an addition to the file in which a client looks for it; `undefined` if there is none. */
export function lspAddition(
  client: Client,
  environment: Environment,
): { readonly file: string; readonly addition: Addition } | undefined {
  const { lsp } = client;
  if (lsp === undefined) return undefined;
  const file = lsp.inProject === undefined ? lspFile(client, environment) : projectFile(environment, lsp.inProject);
  if (file === undefined) return undefined;
  const own = stableCommand(environment);
  const isOwn = (value: unknown) => isOwnEntry(value, own, 'lsp');
  const entry = lsp.entry([...own, 'lsp'], languagesByExtension());
  const addition = entryAddition({ file, format: jsonFormat, path: lsp.path, isOwn }, entry);
  return { file, addition: lsp.around === undefined ? addition : insideFile(addition, lsp.around) };
}

/** Returns an addition to a file that has nothing else, besides `around`, if setup creates it. */
function insideFile(addition: Addition, around: NonNullable<LspClient['around']>): Addition {
  const bare = `${JSON.stringify(around, undefined, 2)}\n`;
  return { ...addition, add: (text) => addition.add(text.trim() === '' ? bare : text) };
}

/** Returns the LSP language id of each extension of program sources, sorted. */
function languagesByExtension(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(catalog.codeLanguages).sort(([a], [b]) => (a < b ? -1 : 1)));
}
