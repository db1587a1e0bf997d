import { ExpectedError } from '../../../base/errors.ts';
import type { LanguageServer } from '../../../lsp/client/language-server.ts';
import {
  type CodeAction,
  requestActionEdit,
  requestCommandEdits,
  type ServerCommand,
} from '../../../lsp/features/code-actions.ts';
import type { WorkspaceStep } from '../../../lsp/features/rename.ts';
import type { ActiveServer } from '../../../servers/assignment/source-files.ts';
import type { EditScope } from '../edit-problems.ts';
import { isOwn } from './offered-actions.ts';

/** The changes that a code action proposes. */
export interface ActionSteps {
  readonly steps: readonly WorkspaceStep[];
  readonly notes: readonly string[];
  /** The command that was run, if it may have changed files itself. */
  readonly ran?: string;
}

/**
 * Returns the steps of an action: its edit, or else those of its command, which runs if it may.
 *
 * @throws {ExpectedError} `edit.refused` for a command that may not run, and for an edit that only an editor can make;
 *   `server.*`.
 */
export async function requestActionSteps(
  scope: EditScope,
  server: LanguageServer,
  { active, action, isDryRun }: { active: ActiveServer; action: CodeAction; isDryRun: boolean },
): Promise<ActionSteps> {
  const limits = scope.files.limits(scope.call);
  const resolved = await requestActionEdit(server, action, limits);
  const command = resolved.command ?? action.command;
  const known = command && (await active.spec.quirks?.commandEdits?.(server, command, limits));
  if (resolved.steps !== undefined) {
    return { steps: resolved.steps, notes: known ? [] : leftOut(server, active, command) };
  }
  if (known !== undefined) return { steps: known, notes: [] };
  if (command === undefined) return { steps: [], notes: [] };
  requireOwn(server, command);
  const onlyEdits = onlySendsEdits(active, command);
  if (!onlyEdits) requireRunnable(scope, { server, command, isDryRun });
  const steps = await requestCommandEdits(server, command, limits);
  return { steps, notes: [], ...(onlyEdits ? {} : { ran: command.command }) };
}

/** True if a command is known to run no program and to write no file, so that it may run in any project. */
export function onlySendsEdits({ spec }: ActiveServer, command: ServerCommand | undefined): boolean {
  return command !== undefined && (spec.quirks?.editCommands ?? []).includes(command.command);
}

/** Commands of the client's own only move its cursor or show something. */
function leftOut(server: LanguageServer, active: ActiveServer, command: ServerCommand | undefined): string[] {
  if (command === undefined || !isOwn(server, command) || onlySendsEdits(active, command)) return [];
  return [`The command \`${command.command}\`, which the action runs afterwards, was not run`];
}

function requireOwn(server: LanguageServer, command: ServerCommand): void {
  if (isOwn(server, command)) return;
  throw refused(`the command \`${command.command}\`, which ${server.name} leaves to the editor`);
}

/** A command that may run programs or write files needs trust, and cannot be tried. */
function requireRunnable(
  { files: { project } }: EditScope,
  { server, command: { command }, isDryRun }: { server: LanguageServer; command: ServerCommand; isDryRun: boolean },
): void {
  if (!project.isTrusted) {
    throw refused(`the command \`${command}\` of ${server.name}, which runs only in trusted projects`, [
      'ask the user to add the path of the project to `trusted_project_path_patterns` in `serena_config.yml`',
    ]);
  }
  if (!isDryRun) return;
  throw refused(`the command \`${command}\` of ${server.name}, which may write files itself and cannot be tried`, [
    'apply the action without `dry_run` and outside `apply_edits`',
  ]);
}

function refused(what: string, hints: readonly string[] = []): ExpectedError {
  return new ExpectedError('edit.refused', `the action is ${what}`, {
    hints: [...hints, 'make the change with the editing tools'],
  });
}
