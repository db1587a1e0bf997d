import { namePathAround } from '../contenders/serena-answers.ts';
import type { BenchSymbol } from '../model.ts';
import { sumOfCosts } from '../running/answer-cost.ts';
import type { Exchange, McpRun } from '../running/mcp-run.ts';
import { startSerenaAgent } from '../running/start-serena-agent.ts';
import type { EditAnswer, EditContender } from './model.ts';

/** Returns the reference product in one version. */
export function serenaEdits(version: string): EditContender {
  return {
    name: `serena-agent ${version}`,
    note:
      '`rename_symbol` and `safe_delete_symbol`. Where a name path has no or several matches, `find_symbol` looks up that of ' +
      'the declaration. It writes files with CRLF line ends (those of tinyxml2) with LF, which counts as a change of other text.',
    seesForeignChanges: false,
    version: async () => version,

    async start(pack, directory) {
      const run = await startSerenaAgent(version, pack, directory);
      return {
        canContinue: true,
        rename: (symbol, newName) =>
          askAbout(run, symbol, (namePath) => {
            const args = { name_path: namePath, relative_path: symbol.at.file, new_name: newName };
            return run.call('rename_symbol', args);
          }),
        safeDelete: (symbol) =>
          askAbout(run, symbol, (namePath) =>
            run.call('safe_delete_symbol', { name_path_pattern: namePath, relative_path: symbol.at.file }),
          ),
        stop: run.stop,
      };
    },
  };
}

async function askAbout(
  run: McpRun,
  { kind, name, namePath, at }: BenchSymbol,
  call: (namePath: string) => Promise<Exchange>,
): Promise<EditAnswer> {
  // A method of Go stands beside its type there.
  const first = await call(at.file.endsWith('.go') && kind === 'method' ? name : namePath);
  if (!first.isError) return toAnswer(first, [first]);
  const lookup = await run.call('find_symbol', { name_path_pattern: name, relative_path: at.file });
  const found = lookup.isError ? undefined : namePathAround(lookup.text, at);
  if (found === undefined) return toAnswer(first, [first, lookup]);
  const second = await call(found);
  return toAnswer(second, [first, lookup, second]);
}

/** A symbol that is used is refused in an ordinary answer. */
function toAnswer({ text, isError }: Exchange, all: readonly Exchange[]): EditAnswer {
  const cost = sumOfCosts(all.map((exchange) => exchange.cost));
  return isError || /^Cannot delete/i.test(text)
    ? { outcome: 'refused', label: text, cost }
    : { outcome: 'done', cost };
}
