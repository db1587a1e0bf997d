// usage: <runtime> index-child.ts <root> <directory> Indexes a project, with the index in a directory, and asks once.
import { Scanner } from '../../src/search/scanner.ts';
import { searchFor } from './indexed-project.ts';

const [, , root = '.', directory = '.'] = process.argv;
const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);
const setup = { root, links: 'inside' as const, ignoredPaths: [], useGitignore: true, encoding: 'utf-8' };
const index = { directory, minUnindexed: 1_000_000 };
await using scanner = new Scanner({ workerUrl, ...setup, deadlineMs: 60_000, index });
await scanner.updateIndex();
const { files } = await scanner.search(searchFor('needle_7\\b').query);
if (files.length !== 1) process.exitCode = 1;
