import { ExpectedError } from '../base/errors.ts';
import type { Edits } from '../edits/edits.ts';
import type { FileDraft } from '../edits/file-draft.ts';
import type { RangeEdit, WorkspaceStep } from '../lsp/features/rename.ts';
import { positionAt } from '../text/position.ts';
import { type Questions, uriOf } from './questions.ts';

/** Returns planned edits and moves as the steps of an edit. */
export function plannedSteps(edits: Edits): readonly WorkspaceStep[] {
  const changed = edits.drafts.flatMap(({ from: file, draft }): WorkspaceStep[] => {
    const own = draft === undefined ? [] : rangeEdits(draft);
    return own.length === 0 ? [] : [{ do: 'edit', file, edits: own }];
  });
  const moved = edits.drafts.filter(({ from, to }) => from !== to);
  return [...changed, ...moved.map(({ from, to }) => ({ do: 'move', from, file: to, ifExists: 'fail' }) as const)];
}

function rangeEdits(draft: FileDraft): RangeEdit[] {
  const { text, starts } = draft.lines;
  return draft.edits.map(({ start, end, text: newText }) => ({
    range: { start: positionAt(text, starts, start), end: positionAt(text, starts, end) },
    newText,
  }));
}

const operations = { create: 'create', move: 'rename', remove: 'delete' } as const;

/**
 * Returns the `WorkspaceEdit` of steps in the project at `root`, for the client to apply.
 *
 * @throws {ExpectedError} `edit.refused` for steps that the client cannot make.
 */
export function editOfSteps(questions: Questions, root: string, steps: readonly WorkspaceStep[]): object {
  const { client } = questions;
  const uri = (file: string) => uriOf(questions, { root, file });
  for (const step of steps) if (step.do !== 'edit') requireOperation(questions, operations[step.do], step.file);
  if (!client.can('workspace.workspaceEdit.documentChanges')) {
    const edits = steps.flatMap((step) => (step.do === 'edit' ? [[uri(step.file), step.edits] as const] : []));
    return { changes: Object.fromEntries(edits) };
  }
  return { documentChanges: steps.map(change) };

  function change(step: WorkspaceStep): object {
    if (step.do === 'edit') {
      const version = questions.documents.at({ root, file: step.file })?.version ?? null;
      return { textDocument: { uri: uri(step.file), version }, edits: step.edits };
    }
    if (step.do === 'move') return { kind: 'rename', oldUri: uri(step.from), newUri: uri(step.file) };
    const options = step.do === 'create' ? { ignoreIfExists: step.ifExists === 'skip' } : {};
    return { kind: operations[step.do], uri: uri(step.file), options };
  }
}

function requireOperation({ client }: Questions, operation: string, file: string): void {
  const known = client.capability('workspace.workspaceEdit.resourceOperations');
  const can = client.can('workspace.workspaceEdit.documentChanges');
  if (can && Array.isArray(known) && known.includes(operation)) return;
  const what = { create: 'creates', rename: 'moves', delete: 'removes' }[operation] ?? 'changes';
  throw new ExpectedError('edit.refused', `the change also ${what} \`${file}\`, which this client cannot do`, {
    hints: ['make the change with the command line of Serena instead'],
  });
}
