import { expect, test } from 'bun:test';
import { loadUserConfig } from '../../src/config/user-config.ts';
import { type OpenProject, OpenProjects } from '../../src/session/open-projects.ts';
import { SessionProjects } from '../../src/session/session-projects.ts';
import { makeHome } from '../support/homes.ts';
import { rejection } from '../support/rejection.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Real projects that count how often each root is open. */
async function countedProjects() {
  const home = makeHome();
  const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);
  const real = new OpenProjects({ place: { home, env: {} }, workerUrl });
  const counts: Record<string, number> = {};
  const count = (root: string, change: number) => {
    counts[root] = (counts[root] ?? 0) + change;
  };
  const projects = {
    open: async (root: string, options: Parameters<OpenProjects['open']>[1]) => {
      const open = await real.open(root, options);
      count(root, 1);
      return open;
    },
    release: async (open: OpenProject) => {
      count(open.project.root, -1);
      await real.release(open);
    },
  };
  return { projects, counts, user: await loadUserConfig(home), [Symbol.asyncDispose]: () => real.close() };
}

test('a session that ends releases all its projects, also those opened twice', async () => {
  await using counted = await countedProjects();
  const { projects, counts, user } = counted;
  const [one, two] = [makeWorkspace({}, { as: 'one' }).root, makeWorkspace({}, { as: 'two' }).root];
  const [held, other] = [new SessionProjects(projects), new SessionProjects(projects)];
  await Promise.all([
    held.open(one, { user }),
    held.open(one, { user }),
    held.open(two, { user }),
    other.open(two, { user }),
  ]);
  expect(counts).toEqual({ [one]: 2, [two]: 2 });
  await held.close();
  expect(counts).toEqual({ [one]: 0, [two]: 1 });
  await other.close();
  expect(counts).toEqual({ [one]: 0, [two]: 0 });
});

test('a project that is still being opened when the session ends is released, and its caller gets an error', async () => {
  await using counted = await countedProjects();
  const { projects, counts, user } = counted;
  const { root } = makeWorkspace({});
  const held = new SessionProjects(projects);
  const opening = held.open(root, { user });
  opening.catch(() => undefined);
  await held.close();
  expect(counts).toEqual({ [root]: 0 });
  expect(await rejection(opening)).toContain('ended');
  expect(await rejection(held.open(root, { user }))).toContain('ended');
  expect(counts).toEqual({ [root]: 0 });
});

test('a project is released only once', async () => {
  await using counted = await countedProjects();
  const { projects, counts, user } = counted;
  const { root } = makeWorkspace({});
  const held = new SessionProjects(projects);
  const open = await held.open(root, { user });
  await held.release(open);
  await held.release(open);
  await held.close();
  expect(counts).toEqual({ [root]: 0 });
});
