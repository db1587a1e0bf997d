import { basename } from 'node:path';
import { isMap } from './with-value.ts';

/** Returns the command of an entry, program first, or no words if it names none; other parts of it may be secret. */
export function entryCommand(entry: unknown): string[] {
  if (!isMap(entry)) return [];
  return [entry.command ?? entry.cmd, entry.args].flat().filter((word) => typeof word === 'string');
}

/** True if an entry starts this program: it has the command `own` up to the subcommand, or one of this program elsewhere. */
export function isOwnEntry(entry: unknown, own: readonly string[]): boolean {
  const words = entryCommand(entry);
  const subcommand = words.indexOf('start-mcp-server');
  const program = words.slice(0, subcommand);
  const isHere = program.length > 0 && program.every((word, index) => word === own[index]);
  return isHere || (subcommand === 1 && /^serena(\.exe)?$/i.test(basename((words[0] ?? '').replaceAll('\\', '/'))));
}
