import { z } from 'zod';
import { run } from '../../../scripts/support/run.ts';
import { mustRun } from '../../speed/fetch.ts';
import { type BenchPackage, Position } from '../model.ts';
import { goProgram, runGoProgram } from '../oracles/go-program.ts';
import { Link } from './links.ts';
import type { EditOracle } from './model.ts';

const GoDeletion = z.object({
  name: z.string(),
  at: Position,
  firstLine: z.int(),
  lastLine: z.int(),
  problem: z.string(),
});

/** `go vet` for changed modules, and Go's type checker for deletions. */
export const goEdits: EditOracle = {
  version: 2,
  description:
    'Go: `go vet` with tests, in all listed operating systems. A symbol is used if `go/types` reports an error without ' +
    'its declaration, other than an import that is no longer used, or if the value of another constant changes. ' +
    'Names lead where `go/types` resolves them; a method implements those of all interfaces of the module, also nameless ' +
    'ones, of the packages that its own imports, and of `fmt`, `encoding` and `encoding/json`.',

  async problems(pack, directory) {
    const found: string[] = [];
    for (const configuration of pack.configurations) {
      const [goos = '', ...tags] = configuration.split(',');
      const args = ['vet', ...(tags.length > 0 ? [`-tags=${tags.join(',')}`] : []), ...(pack.targets ?? ['./...'])];
      const env = { GOOS: goos, CGO_ENABLED: '0', GOFLAGS: '-mod=mod' };
      const { exitCode, stderr } = await run('go', args, { cwd: directory, env });
      if (exitCode === 0) continue;
      const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      found.push(
        ...lines.map((line) => `${configuration}: ${line.replace(/:\d+(:\d+)?:/, ':').replace(/^vet: /, '')}`),
      );
    }
    return found;
  },

  links: async (pack, directory) => z.array(Link).parse(await runGoProgram(pack, directory, 'links')),

  isUnusedImport: (problem) => problem.includes('imported and not used'),

  async deletions(pack, directory, symbols) {
    if (symbols.length === 0) return [];
    const asked = new Map(symbols.map((symbol) => [`${symbol.at.file}:${symbol.at.line}:${symbol.name}`, symbol]));
    const output = await runOracle(pack, directory, [...asked.keys()]);
    return z
      .array(GoDeletion)
      .parse(JSON.parse(output))
      .flatMap(({ name, at, ...truth }) => {
        const symbol = asked.get(`${at.file}:${at.line}:${name}`);
        return symbol === undefined ? [] : [{ symbol, ...truth }];
      });
  },
};

async function runOracle(pack: BenchPackage, directory: string, names: readonly string[]): Promise<string> {
  const targets = (pack.targets ?? ['./...']).join(' ');
  return mustRun(
    await goProgram(),
    [directory, pack.configurations.join(' '), targets, names.join(' '), 'deletions'],
    directory,
  );
}
