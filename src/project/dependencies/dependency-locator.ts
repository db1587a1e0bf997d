import { within } from '../../base/deadline.ts';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import { WorkerClient } from '../../base/worker-client.ts';
import type { DependencyOperations, LocatedDependencies } from './dependency-protocol.ts';
import type { DependencyProvider, DependentProject } from './dependency-provider.ts';
import { insteadOfDependencies } from './manifest-reader.ts';

/** Projects with thousands of dependencies take less than a second. */
const deadlineMs = 10_000;

/** How long the places of dependencies are reused: locating them may take as long as reading a hundred files. */
const reusedMs = 1_000;
/** What took longer is reused for as many times as long. */
const reuseFactor = 3;

/** In a program with everything in one file, URLs are relative to its entry point. */
const workerUrl = new URL(
  process.env.SERENA_BUILD_VERSION ? './project/dependencies/worker.ts' : './worker.ts',
  import.meta.url,
);

interface Running {
  readonly located: Promise<LocatedDependencies>;
  readonly ending: AbortController;
  callers: number;
}

/**
 * Locates the dependencies of one project in a worker thread, which ends when it is idle: manifests are files of the
 * project, which may be made to keep their reader busy. It stops when no caller waits for it any more.
 */
export class DependencyLocator {
  readonly #worker: WorkerClient<DependencyOperations>;
  readonly #running = new Map<DependencyProvider, Running>();
  readonly #last = new Map<DependencyProvider, { readonly located: LocatedDependencies; readonly untilMs: number }>();

  constructor(project: DependentProject) {
    this.#worker = new WorkerClient({ workerUrl, setup: project, deadlineMs, endsWhenIdle: true });
  }

  /** Returns what {@link locate} found last; nothing before it. */
  lastLocated(provider: DependencyProvider): LocatedDependencies {
    return this.#last.get(provider)?.located ?? { roots: [], archives: undefined, missing: [], leftOut: [] };
  }

  /** Returns the dependencies in one language. What took too long is named as missing. @throws the signal's reason. */
  async locate(provider: DependencyProvider, signal: AbortSignal): Promise<LocatedDependencies> {
    signal.throwIfAborted();
    const known = this.#last.get(provider);
    if (known !== undefined && performance.now() < known.untilMs) return known.located;
    const running = this.#running.get(provider) ?? this.#start(provider);
    running.callers++;
    try {
      return await within(running.located, { signal, onTimeout: () => tooSlow(provider) });
    } finally {
      running.callers--;
      if (running.callers === 0) this.#end(provider, running);
    }
  }

  /** Terminates the thread; unanswered calls are rejected. */
  async close(): Promise<void> {
    await this.#worker.close();
  }

  #start(provider: DependencyProvider): Running {
    const ending = new AbortController();
    const running = { located: this.#locateNow(provider, ending.signal), ending, callers: 0 };
    this.#running.set(provider, running);
    return running;
  }

  #end(provider: DependencyProvider, running: Running): void {
    if (this.#running.get(provider) === running) this.#running.delete(provider);
    running.ending.abort(new Error('nobody waits for the dependencies'));
  }

  async #locateNow(provider: DependencyProvider, signal: AbortSignal): Promise<LocatedDependencies> {
    const startedMs = performance.now();
    const request = { signal, onTimeout: () => tooSlow(provider) };
    const located = await this.#worker.send('locate', { name: provider.name }, request).catch(withoutAny);
    const now = performance.now();
    this.#last.set(provider, { located, untilMs: now + Math.max(reusedMs, (now - startedMs) * reuseFactor) });
    return located;
  }
}

/** Returns no dependencies, with the error as the reason. @throws an error that is not expected. */
function withoutAny(error: unknown): LocatedDependencies {
  if (!isExpected(error)) throw error;
  const leftOut = [{ reason: error.message, next: insteadOfDependencies }];
  return { roots: [], archives: undefined, missing: leftOut, leftOut };
}

function tooSlow({ title }: DependencyProvider): ExpectedError {
  return new ExpectedError('search.too-slow', `cannot locate ${title} within ${deadlineMs / 1000} s`);
}
