import { expect } from 'bun:test';
import type { TestClient } from '../client.ts';
import { type CompileCommand, expectCompiles, whyNotRun } from '../compiles.ts';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

/** An action to list and apply. */
interface Step {
  readonly at: Readonly<Record<string, unknown>>;
  /** The listed actions: kind and title, with the diagnostic. */
  readonly offers: readonly string[];
  /** The action to apply, with the answer and the changed files. */
  readonly applies?: string;
  readonly answer?: string;
  readonly files?: Files;
}

/** Configuration of a user who trusts all projects and uses the tools that only their configuration offers. */
export const trustedWithActions = {
  included_optional_tools: ['code_actions', 'apply_code_action', 'move_symbol'],
  trusted_project_path_patterns: ['/**'],
};

/** Tests that the actions that a server offers, applied one after the other, leave a project that compiles. */
export function testCodeActions(
  tested: Tested,
  { files, steps, compile }: { files: Files; steps: readonly Step[]; compile: CompileCommand },
): void {
  installTested(tested);
  testUnless(tested.whyNot ?? whyNotRun(compile))(
    `code actions of ${tested.spec.name} change code so that the project still compiles`,
    async () => {
      const { workspace: project, client } = await openShared(files, { config: trustedWithActions, env: tested.env });
      for (const step of steps) {
        const listed = await listActions(client, step.at);
        expect(listed.map(({ offer }) => offer)).toEqual([...step.offers]);
        if (step.applies === undefined) continue;
        const { id } = listed.find(({ offer }) => offer.includes(step.applies ?? '')) ?? { id: '' };
        const { blocks } = await client.call('apply_code_action', { id });
        expect(blocks.join('\n\n')).toBe(step.answer ?? '');
        for (const [path, text] of Object.entries(step.files ?? {})) expect(project.read(path)).toBe(text);
        expectCompiles(project, compile);
      }
    },
    600_000,
  );
}

/** Returns the listed actions: their ids, and kind and title. */
export async function listActions(client: TestClient, at: Step['at']): Promise<{ id: string; offer: string }[]> {
  const { text, isError } = await client.call('code_actions', at);
  expect(`${isError ? text : ''}`).toBe('');
  const pairs = text.matchAll(/^(?<id>\S+:\d+\.\d+-\d+\.\d+:(?<kind>.*):[0-9a-f]{16})\n {2}(?<title>.*)$/gm);
  return [...pairs].map(({ groups }) => ({ id: groups?.id ?? '', offer: `${groups?.kind}: ${groups?.title}` }));
}
