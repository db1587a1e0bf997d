import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { median } from '../bench/table.ts';
import { contenders } from './contenders.ts';
import type { Result } from './tasks.ts';

/** Tasks whose answers differ much in their tokens. */
const plottedTasks: ReadonlySet<string> = new Set(['references', 'overview']);
const width = 420;
const height = 320;

/**
 * Returns an SVG picture with one panel per task: each product's share of exact answers against the tokens that an answer
 * costs, one point per language.
 */
export async function renderPlot(results: readonly Result[]): Promise<string> {
  const { spec } = compile(plotOf(pointsOf(results)));
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

function pointsOf(results: readonly Result[]): Point[] {
  const answered = results.filter(({ task, contender, verdict, tokensIn }) => {
    const isProduct = !contender.startsWith('this product,');
    return plottedTasks.has(task) && isProduct && verdict !== 'cannot' && tokensIn > 0;
  });
  const groups = Map.groupBy(answered, ({ task, contender, language }) => `${task}\n${contender}\n${language}`);
  return [...groups].map(([key, own]) => {
    const [task = '', contender = '', language = ''] = key.split('\n');
    const tokens = median(own.map(({ tokensIn, tokensOut }) => tokensIn + tokensOut));
    const exact = (100 * own.filter(({ verdict }) => verdict === 'exact').length) / own.length;
    return { task, contender, language, tokens, exact };
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
