import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printLines } from '../output.ts';
import { usageError } from '../report.ts';
import { type Client, clients, type SubagentClient, subagentFile } from './clients.ts';
import { hasEntry } from './entry.ts';
import { removeSealed, sealed, writeSealed } from './sealed-file.ts';

/** Tools that read, in the order in which the text names them. */
const tools = [
  ...['explore_symbol', 'find_symbol', 'get_symbols_overview', 'find_referencing_symbols', 'symbol_hierarchy'],
  ...['find_implementations', 'find_declaration', 'changed_symbols', 'get_diagnostics_for_file'],
];

const description =
  'Answers questions about code without changing it: where something is defined, who uses or calls it, what implements it, ' +
  'what a change affects, which tests reach it. Use it for exploration that needs several questions.';

const text = `You answer questions about the code of a project, and change nothing.

| question | tool of Serena | in a shell |
| --- | --- | --- |
| A symbol: source, callers, callees, types, tests | \`explore_symbol\` | \`serena explore <symbol>\` |
| Where is it defined? | \`find_symbol\` | \`serena find <symbol> --body\` |
| What is in this file or directory? | \`get_symbols_overview\` | \`serena overview <path>\` |
| Who uses it? | \`find_referencing_symbols\` | \`serena refs <symbol>\` |
| Callers, callees, types over several levels | \`symbol_hierarchy\` | \`serena hierarchy callers <symbol> --depth 3\` |
| What implements it? | \`find_implementations\` | \`serena implementations <symbol>\` |
| What changed, and whom does it affect? | \`changed_symbols\` | \`serena changed\`, \`serena affected --tests\` |

Use the tools if you have them, else the commands. Text search mixes up symbols of one name: use it for text that is no name. A symbol
is a name path such as \`Basket/total\`, or \`<file>#<name path>\`. An answer is complete unless it says \`Incomplete:\`: then look at the
lines that it names. Report files, lines and name paths, and what you could not find out.
`;

/**
 * Writes the definition of a sub-agent that explores code with this program, or with `isPrint` prints it. A file that this
 * program did not write, or that was edited since, is not replaced.
 *
 * @throws {ExpectedError} `usage.invalid` for a client without such definitions; `file.exists`.
 */
export async function setUpSubagent(
  client: Client,
  environment: Environment,
  { isPrint }: { isPrint: boolean },
): Promise<void> {
  const path = subagentFile(client, environment);
  if (path === undefined || client.subagents === undefined) {
    const ids = clients.flatMap(({ id, subagents }) => (subagents ? [id] : []));
    throw usageError(`\`--subagent\` does not support \`${client.id}\``, [`use one of: ${ids.join(', ')}`]);
  }
  const definition = sealed(definitionFor(client.subagents));
  if (isPrint) {
    ownCaller.print(definition);
    return;
  }
  const lines = [`${writeSealed(path, definition) ? 'Wrote' : 'Unchanged'}: \`${path}\``];
  if (!(await hasEntry(client, environment)))
    lines.push(
      `Without the server it uses the commands; to offer the tools as well, run \`serena setup ${client.id}\``,
    );
  printLines(lines);
}

function definitionFor({ header }: SubagentClient): string {
  const lines = ['name: serena', `description: ${JSON.stringify(description)}`, ...(header?.(tools) ?? [])];
  return `---\n${lines.join('\n')}\n---\n\n${text}`;
}

/** Removes the definition that {@link setUpSubagent} wrote, unless it was edited since. Returns true if there was one. */
export function removeSubagent(client: Client, environment: Environment): boolean {
  return removeSealed(subagentFile(client, environment), 'the sub-agent');
}
