import { eventually } from './eventually.ts';
import type { RawMcp } from './raw-mcp.ts';

/** The lines that a client has received since `countAnswers`. */
interface AnswerCount {
  /** Waits for `count` of them in total, for as long as further ones arrive. */
  until(count: number): Promise<void>;
}

/** Counts the lines that a client receives from now on, without keeping them apart. */
export function countAnswers(client: RawMcp): AnswerCount {
  let received = 0;
  client.child.stdout.on('data', (text: string) => {
    received += text.split('\n').length - 1;
  });
  return {
    until: async (count) => {
      while (received < count) {
        const before = received;
        await eventually(`more than ${before} of ${count} answers`, () => received > before);
      }
    },
  };
}
