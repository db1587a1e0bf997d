/** What the changes of a project break, as the lines that `serena verify` prints below its verdict. */
export interface Findings {
  readonly hasErrors: boolean;
  readonly lines: readonly string[];
}

/** What to compare with the last commit. */
export interface FindingsQuestion {
  /** Absolute path of the agent's working directory. */
  readonly directory: string;
  /** The file that changed; the whole project if absent. */
  readonly file?: string | undefined;
  readonly limitSeconds: number;
}

/** Returns the findings; `undefined` if nothing changed, or if there was no time or no repository. */
export type FindFindings = (question: FindingsQuestion) => Findings | undefined;

/** What is known at once of the symbols of a name, as lines for the agent. */
export interface NameFacts {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Returns the facts about names that symbols have; none for the others, and if there was no time. */
export type FindNames = (question: { readonly directory: string; readonly names: readonly string[] }) => NameFacts[];

/** An agent reads no more after each edit. */
const maxChars = 1_200;

/** Returns the first lines that fit the limit below a heading, and how to see the others. */
export function findingsText(heading: string, { lines }: Findings): string {
  const more = '… more: run `serena verify --base HEAD`';
  const kept = [heading];
  let length = heading.length + more.length;
  for (const line of lines) {
    length += line.length + 1;
    if (length > maxChars) return [...kept, more].join('\n');
    kept.push(line);
  }
  return kept.join('\n');
}
