import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { tableLine } from '../table-line.ts';
import { type Question, textOf } from './questions.ts';

/** `unstable`: the first answers differ, but one build gives an answer of the other one when asked again. */
export type Verdict = 'same' | 'unstable' | 'different';

/** What two builds answered to one question. */
export interface Compared {
  readonly language: string;
  readonly subject: string;
  readonly question: Question;
  readonly verdict: Verdict;
  readonly base: string;
  readonly changed: string;
}

const maxDiffLines = 40;

/** Returns one line about a difference, and the differing lines. */
export function renderDifference({ subject, question, verdict, base, changed }: Compared): string {
  const patch = createTwoFilesPatch('base', 'new', readable(base), readable(changed), undefined, undefined, {
    context: 2,
    headerOptions: FILE_HEADERS_ONLY,
  });
  const lines = patch.trimEnd().split('\n');
  const more = lines.length > maxDiffLines ? [`… ${lines.length - maxDiffLines} more lines`] : [];
  return [`${verdict}: ${subject} ${textOf(question)}`, ...lines.slice(0, maxDiffLines), ...more].join('\n');
}

/** Returns JSON and the texts in it with line breaks. */
function readable(answer: string): string {
  const lines = answer.split('\n').map((line) => {
    try {
      return JSON.stringify(JSON.parse(line), undefined, 1).replaceAll('\\n', '\n    ');
    } catch {
      return line;
    }
  });
  return lines.join('\n');
}

/** Returns a table of the numbers of questions by language and tool, with a line for all. */
export function renderTotals(compared: readonly Compared[]): string {
  const count = (of: readonly Compared[], verdict: Verdict) =>
    String(of.filter((one) => one.verdict === verdict).length);
  const line = (name: readonly [string, string], of: readonly Compared[]) =>
    tableLine([...name, String(of.length), count(of, 'different'), count(of, 'unstable')]);
  const groups = Map.groupBy(compared, ({ language, question }) => `${language} ${question.tool}`);
  const lines = [...groups].map(([key, of]) => {
    const [language = '', tool = ''] = key.split(' ');
    return line([language, tool], of);
  });
  return [
    tableLine(['language', 'tool', 'questions', 'different', 'unstable']),
    tableLine(['---', '---', '---', '---', '---']),
    ...lines,
    line(['all', 'all'], compared),
  ].join('\n');
}
