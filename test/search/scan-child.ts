// usage: <runtime> scan-child.ts <root> <close|leave> Searches for a pattern that never ends and for one that does,
// prints the results, and closes the scanner or just exits.
import { isExpected } from '../../src/base/errors.ts';
import { Scanner } from '../../src/search/scanner.ts';

const [, , root = '.', ending] = process.argv;
const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);
const setup = {
  root,
  links: 'inside' as const,
  ignoredPaths: [],
  useGitignore: true,
  encoding: 'utf-8',
  deadlineMs: 500,
};
const scanner = new Scanner({ workerUrl, ...setup });
const query = { multiline: true, contextBefore: 0, contextAfter: 0, maxChars: 1000 };

const files = await scanner.listFiles({});
const endless = await scanner.search({ ...query, pattern: '(x+x+)+y' }).catch((error: unknown) => error);
const { totalMatches } = await scanner.search({ ...query, pattern: 'x+z' });
console.log(JSON.stringify([files.length, isExpected(endless) ? endless.code : String(endless), totalMatches]));
if (ending === 'close') await scanner[Symbol.asyncDispose]();
