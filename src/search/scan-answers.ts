import { shrinkHeap } from '../base/discarded.ts';
import type { Answered, WorkerProgress } from '../base/worker-protocol.ts';
import { getCodec } from '../text/encodings.ts';
import { compileSubstitution } from '../text/substitute.ts';
import { DirectoryWatches } from './directory-watches.ts';
import { FileContents } from './file-contents.ts';
import { ChangeTracks } from './scan-changes.ts';
import { identifiers } from './scan-identifiers.ts';
import { occurrences } from './scan-occurrences.ts';
import type { ScanOperations, ScanRequest, ScanSetup } from './scan-protocol.ts';
import { filesContaining, matches, search, wholeMatches } from './scan-search.ts';
import { findFiles, findNames, isIgnoredPath, listDirectory } from './scan-walk.ts';
import { Snapshot } from './snapshot.ts';
import { indexFiles, TextIndex, type TextSource } from './text-index.ts';

/** Limit for one worker. A project has at most two workers. */
const keptContentBytes = 24 * 1024 * 1024;

/** Handles the requests about one project's files. */
interface ScanAnswers {
  /** Handles a request, and caches what it reads for the next ones. Reports the progress of one that takes long. */
  answer(request: ScanRequest, onProgress?: (progress: WorkerProgress) => void): Answered<ScanOperations>;
  /** Frees the memory of the caches, and closes the index until the next request. */
  release(): void;
}

/**
 * Returns what handles the requests about one project's files.
 * Everything is synchronous: in a separate thread this is several times faster, and nothing else has to wait.
 *
 * @throws {ExpectedError} `config.invalid` for an unknown encoding.
 */
export function answerScans(setup: ScanSetup): ScanAnswers {
  const watches = setup.descriptor && new DirectoryWatches(setup.root, setup.descriptor);
  const snapshot = new Snapshot(setup, watches);
  const stopFlag = new Int32Array(setup.stopFlag);
  let current = 0;
  const checkStop = () => {
    if (Atomics.load(stopFlag, 0) === current) throw new Error('The request was abandoned');
  };
  const codec = getCodec(setup.encoding);
  const emptySource = (): TextSource => {
    const contents = new FileContents({ maxBytes: keptContentBytes, codec });
    return { snapshot, contents, codec, checkStop, index: TextIndex.of(setup.index, codec) };
  };
  let source = emptySource();
  const tracks = new ChangeTracks(snapshot);
  const release = () => {
    source.index?.files.close();
    source = emptySource();
    shrinkHeap();
  };
  const answer: ScanAnswers['answer'] = (request, onProgress = () => undefined) => {
    current = request.id;
    snapshot.begin({ id: request.id, asOf: 'asOf' in request.query ? request.query.asOf : undefined });
    try {
      const answered = answerOf(request, { ...source, onProgress }, tracks);
      return { answer: answered, unindexed: source.index?.takeUnindexed() };
    } finally {
      source.contents.end();
    }
  };
  return { answer, release };
}

function answerOf(
  request: ScanRequest,
  source: TextSource & { readonly onProgress: (progress: WorkerProgress) => void },
  tracks: ChangeTracks,
): ScanOperations[ScanRequest['kind']]['answer'] {
  const { snapshot, checkStop } = source;
  switch (request.kind) {
    case 'listFiles':
      return listFiles(source, request.query);
    case 'findNames':
      return findNames(snapshot, request.query, checkStop);
    case 'listDirectory':
      return listDirectory(snapshot, request.query, checkStop);
    case 'filesContaining':
      return filesContaining(source, request.query);
    case 'identifiers':
      return identifiers(source, request.query);
    case 'ignored':
      return request.query.paths.filter((path) => isIgnoredPath(snapshot, path));
    case 'changes':
      return tracks.changes(request.query, checkStop);
    case 'extensionCounts':
      return extensionCounts(source);
    case 'search':
      return search(source, request.query);
    case 'matches':
      return matches(request.query);
    case 'occurrences':
      return occurrences(source, request.query);
    case 'wholeMatches':
      return wholeMatches(request.query);
    case 'updateIndex':
      return indexFiles(source, request.query.unindexed, source.onProgress);
    case 'substitutions':
      return compileSubstitution(request.query).find(request.query.text, request.query.path);
  }
}

function listFiles(source: TextSource, query: ScanOperations['listFiles']['query']) {
  return findFiles(source.snapshot, query, source.checkStop).flatMap((entry) => {
    source.checkStop();
    const state = source.snapshot.file(entry);
    return state === undefined ? [] : [{ path: entry.path, fingerprint: state.fingerprint }];
  });
}

function extensionCounts(source: TextSource): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of findFiles(source.snapshot, {}, source.checkStop)) {
    const dot = name.lastIndexOf('.');
    const extension = dot > 0 ? name.slice(dot) : '';
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
