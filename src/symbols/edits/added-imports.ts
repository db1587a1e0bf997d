import { isExpected } from '../../base/errors.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import { type CodeAction, requestCodeActions } from '../../lsp/features/code-actions.ts';
import type { RangeEdit, WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ImportActions } from '../../servers/adapter.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { FileProblem } from '../queries/new-problems.ts';
import { fileInProject } from '../queries/project-locations.ts';
import { requestActionSteps } from './code-actions.ts';
import type { EditScope } from './edit-problems.ts';

/** Planned texts of files, and the errors that the language server finds in them. */
interface BrokenTexts {
  readonly active: ActiveServer;
  /** New texts with `\n` line breaks, by project-relative path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly errors: readonly FileProblem[];
  /** The first line of each file that the plan changes, 0-based. */
  readonly firstLines: ReadonlyMap<string, number>;
}

/**
 * Returns the steps that add the imports which planned texts lack, as the language server proposes them. Only edits above
 * everything that is planned, so that their lines are those of the present text, and only where one import would do.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function addedImports(
  scope: EditScope,
  { active, texts, errors, firstLines }: BrokenTexts,
): Promise<WorkspaceStep[]> {
  const rules = active.spec.adapter?.importActions;
  const broken = Map.groupBy(errors, ({ file }) => file);
  const files = [...broken.keys()].filter((file) => texts.has(file));
  if (rules === undefined || files.length === 0) return [];
  return await scope.files.tryTexts(active, scope.call, texts, () =>
    scope.files.ask(active, scope.call, async (server) => {
      const steps: WorkspaceStep[] = [];
      for (const file of files) {
        await scope.files.show(server, file, scope.call);
        const found = await importsIn(scope, { active, server, rules, errors: broken.get(file) ?? [] });
        const above = found.filter(({ range }) => range.end.line < (firstLines.get(file) ?? 0));
        if (above.length > 0 && above.length === found.length) steps.push({ do: 'edit', file, edits: above });
      }
      return steps;
    }),
  );
}

interface ImportQuestion {
  readonly active: ActiveServer;
  readonly server: LanguageServer;
  readonly rules: ImportActions;
  readonly errors: readonly FileProblem[];
}

/** Returns the edits of the imports that errors of one file need. */
async function importsIn(scope: EditScope, question: ImportQuestion): Promise<RangeEdit[]> {
  const { server, rules, errors } = question;
  const edits = new Map<string, RangeEdit>();
  // Each use of a name has its own error.
  const distinct = new Map(errors.map((error) => [error.diagnostic.message, error]));
  for (const { file, diagnostic } of distinct.values()) {
    const { range } = diagnostic;
    const about = { file, range, kind: rules.kind, diagnostics: [diagnostic] };
    const actions = await requestCodeActions(server, about, scope.files.limits(scope.call));
    const imports = actions.filter(({ title }) => rules.title?.test(title) !== false);
    const [action] = imports;
    // Of two modules that have the name, nobody knows which one is meant.
    if (action === undefined || new Set(imports.map(({ title }) => title)).size > 1) continue;
    for (const edit of await editsOf(scope, question, { file, action })) edits.set(JSON.stringify(edit), edit);
    if (rules.isWhole) break;
  }
  return [...edits.values()];
}

/** Returns the edits of an action in a file; nothing for one that changes others, or that only an editor can make. */
async function editsOf(
  scope: EditScope,
  { active, server }: ImportQuestion,
  { file, action }: { file: string; action: CodeAction },
): Promise<readonly RangeEdit[]> {
  try {
    const { steps } = await requestActionSteps(scope, server, { active, action, isDryRun: true });
    const own = steps.flatMap((step) => (step.do === 'edit' && fileInProject(scope, step.file) === file ? [step] : []));
    return own.length === steps.length ? own.flatMap(({ edits }) => edits) : [];
  } catch (error) {
    if (!isExpected(error, 'edit.refused')) throw error;
    return [];
  }
}
