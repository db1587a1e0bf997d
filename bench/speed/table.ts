/** One row of the table; cells include their unit. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly anchor: string;
  /** The product's value divided by the anchor's, or `not measured`. */
  readonly ratio: string;
  readonly note: string;
}

/** Measurements of the product and of the anchor, alternating in one run. */
export interface Samples {
  readonly ours: readonly number[];
  readonly anchor: readonly number[];
  readonly note?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1 + (sorted.length % 2)], sorted[middle]];
  return (low + high) / 2;
}

/** What a run of the benchmark measures; set from the command line. */
export const selection: { rows: RegExp | undefined; maxRuns: number } = { rows: undefined, maxRuns: Infinity };

/** Runs both sides `times` times, at most as often as selected, alternating, so that a busy moment affects both. */
export async function alternate(
  times: number,
  ours: () => Promise<number>,
  anchor: () => Promise<number>,
): Promise<Samples> {
  const samples: { ours: number[]; anchor: number[] } = { ours: [], anchor: [] };
  for (let round = 0; round < Math.min(times, selection.maxRuns); round++) {
    samples.ours.push(await ours());
    samples.anchor.push(await anchor());
  }
  return samples;
}

interface Measurement {
  readonly what: string;
  readonly anchorName: string;
  readonly unit?: 'ms' | 'MB';
  run(): Promise<Samples>;
}

/**
 * Measures one row, if it is selected. An error becomes `not measured` with the reason, so that other rows are still
 * measured.
 */
export async function measure({ what, anchorName, unit = 'ms', run }: Measurement): Promise<Row[]> {
  if (selection.rows?.test(what) === false) return [];
  process.stderr.write(`${what} … `);
  try {
    const samples = await run();
    const [ours, anchor] = [median(samples.ours), median(samples.anchor)];
    const ratio = `${(ours / anchor).toFixed(2)}×`;
    process.stderr.write(`${ratio}\n`);
    return [
      {
        what,
        ours: `${renderNumber(ours)} ${unit}`,
        anchor: `${renderNumber(anchor)} ${unit} ${anchorName}`,
        ratio,
        note: [`${samples.ours.length} ${samples.ours.length === 1 ? 'run' : 'runs'}`, samples.note]
          .filter(Boolean)
          .join(', '),
      },
    ];
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    process.stderr.write(`not measured: ${reason}\n`);
    return [{ what, ours: '', anchor: anchorName, ratio: 'not measured', note: reason }];
  }
}

function renderNumber(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

const columns = ['what', 'ours', 'anchor', 'ratio', 'note'] as const;

/** Returns the rows as a Markdown table. */
export function renderTable(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(columns.map((column) => row[column])));
  return [line(columns), line(columns.map(() => '---')), ...body].join('\n');
}

/** Returns the rows of the first table in a text that {@link renderTable} has rendered. */
export function parseTable(text: string): Row[] {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('| what '));
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  if (first === -1) return [];
  return lines.slice(first + 2, end).map((line) => {
    const cells = line.slice(1, -1).split('|');
    const [what = '', ours = '', anchor = '', ratio = '', note = ''] = cells.map((cell) => cell.trim());
    return { what, ours, anchor, ratio, note };
  });
}
