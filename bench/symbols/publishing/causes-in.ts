import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Failure } from './entry.ts';

/** Regular expression on `package task question detail` → the cause of this product's failure. */
const Causes = z.record(z.string(), z.string());

/** The cause of a failure that nobody has looked at. */
export const unknownCause = 'not analyzed yet';

/** Returns a function that looks up causes of failures in a task, in a file (absolute path). */
export function causesIn(path: string): (task: string, failure: Failure) => string {
  const causes = Object.entries(Causes.parse(JSON.parse(readFileSync(path, 'utf8'))));
  return (task, { package: name, question, detail, cause }) => {
    const subject = [name, task, question, ...(detail === undefined ? [] : [detail])].join(' ');
    return cause ?? causes.find(([pattern]) => new RegExp(pattern).test(subject))?.[1] ?? unknownCause;
  };
}
