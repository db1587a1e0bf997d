import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { contenders } from './contenders.ts';
import type { Entry } from './publishing/entry.ts';
import { rowsOf } from './publishing/row.ts';

/** Tasks whose answers differ much in their tokens. */
const plottedTasks: ReadonlySet<string> = new Set(['references', 'overview']);
const width = 420;
const height = 320;

/**
 * Returns an SVG picture with one panel per task: each product's share of exact answers against the tokens that an answer
 * costs, one point per language.
 */
export async function renderPlot(entries: readonly Entry[]): Promise<string> {
  const { spec } = compile(plotOf(pointsOf(entries)));
  return `${await new View(parse(spec), { renderer: 'none' }).toSVG()}\n`;
}

interface Point {
  readonly task: string;
  readonly contender: string;
  readonly language: string;
  /** Median of one answer, its question included. */
  readonly tokens: number;
  /** Percentage of all questions. */
  readonly exact: number;
}

function pointsOf(entries: readonly Entry[]): Point[] {
  const plotted = entries.filter(
    ({ task, contender }) => plottedTasks.has(task) && !contender.startsWith('this product,'),
  );
  const groups = Map.groupBy(plotted, ({ language, task }) => `${language}\n${task}`);
  return [...groups].flatMap(([key, group]) => {
    const [language = '', task = ''] = key.split('\n');
    return rowsOf(group, []).flatMap(({ contender, verdicts, charged }) => {
      if (charged === undefined) return [];
      const exact = (100 * (verdicts.exact ?? 0)) / charged.answers;
      return [{ task, contender, language, tokens: charged.tokens, exact }];
    });
  });
}

function plotOf(points: readonly Point[]): TopLevelSpec {
  return {
    background: 'white',
    data: { values: [...points] },
    facet: { column: { field: 'task', title: null, header: { labelFontSize: 14 } } },
    spec: {
      width,
      height,
      mark: { type: 'point', size: 80, strokeWidth: 2 },
      encoding: {
        x: { field: 'tokens', type: 'quantitative', scale: { type: 'log' }, title: 'median tokens per answer' },
        y: {
          field: 'exact',
          type: 'quantitative',
          scale: { domain: [0, 100] },
          title: 'exact answers (%)',
        },
        color: {
          field: 'contender',
          sort: contenders.map(({ name }) => name),
          scale: { scheme: 'tableau20' },
          title: 'contender',
        },
        shape: { field: 'language', sort: null, title: 'language' },
      },
    },
  };
}
