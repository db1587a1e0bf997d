import { z } from 'zod';
import { packageProgram } from './paths.ts';
import { run } from './run.ts';

const Position = z.object({ line: z.number(), column: z.number() });
const Report = z.object({
  diagnostics: z.array(
    z.object({
      category: z.string(),
      message: z.string(),
      location: z.object({ path: z.string(), start: Position, end: Position }),
    }),
  ),
});

export interface Finding {
  /** Biome's rule, such as `useMaxParams`; `plugin` for a pattern of `house-rules.grit`. */
  readonly rule: string;
  readonly message: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** 1-based, as editors count. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/**
 * Returns Biome's findings with `scripts/house-rules.json`, a configuration separate from the linter's.
 * `noExcessiveLinesPerFunction` reports every function of two lines or more there, so that `check-sizes.ts` can measure.
 */
export async function findByHouseRules(files: readonly string[]): Promise<Finding[]> {
  if (files.length === 0) return [];
  const config = '--config-path=scripts/house-rules.json';
  const args = ['lint', config, '--reporter=json', '--max-diagnostics=none', ...files];
  const ran = await run(packageProgram('biome'), args);
  const start = ran.stdout.indexOf('{"summary"');
  if (start < 0) throw new Error(`cannot read the linter's report:\n${ran.stdout}${ran.stderr}`);
  const end = ran.stdout.lastIndexOf('}');
  const { diagnostics } = Report.parse(JSON.parse(ran.stdout.slice(start, end + 1)));
  return diagnostics.map(({ category, message, location }) => ({
    rule: category.split('/').at(-1) ?? category,
    message,
    path: location.path,
    firstLine: location.start.line,
    lastLine: location.end.line,
  }));
}
