import type { RawMcp } from './raw-mcp.ts';

/** Counts the lines that a client receives from now on, without keeping them apart. */
export function countAnswers(client: RawMcp): { readonly count: number } {
  const answers = { count: 0 };
  client.child.stdout.on('data', (text: string) => {
    answers.count += text.split('\n').length - 1;
  });
  return answers;
}
