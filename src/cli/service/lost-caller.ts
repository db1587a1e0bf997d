import { readFileSync } from 'node:fs';
import type { Call } from '../../base/call.ts';
import { ExpectedError } from '../../base/errors.ts';
import { type CallEffect, commandRequestId } from '../../service/command-messages.ts';
import { closeReceipts, outcomeOf } from '../../service/edit-receipts.ts';
import type { LostCommand } from '../../service/run-command.ts';
import type { Session } from '../../session/session.ts';
import type { Answer } from '../../tools/tool.ts';
import { type Caller, ownCaller, type ToolRequest } from '../caller.ts';

/**
 * Returns this process as the caller of a command that the service began. It uses the inputs that the service has read, and
 * repeats a call that changes nothing. Any other call is not repeated: its answer says whether its edits were made. The
 * service can begin no edit after this.
 */
export function lostCaller({ inputs, calling, receipts, mayContinue }: LostCommand): Caller {
  const commits = closeReceipts(receipts);
  const changes = commits?.get(commandRequestId);
  const called = changes === undefined ? (calling?.effect ?? 'none') : 'edits';
  const effect: CallEffect = called === 'edits' && commits === undefined ? 'unknown' : called;
  return {
    ...ownCaller,
    read: async (path) => inputs.get(path) ?? readFileSync(path === '-' ? 0 : path, 'utf8'),
    call: async (session, request, call) => {
      if (effect === 'none') return await ownCaller.call(session, request, call);
      if (effect === 'unknown') {
        throw lost(`${reason} It may or may not have had an effect: check before you repeat it.`);
      }
      await openProject(session, request, call);
      const { isDone, text } = outcomeOf(changes, mayContinue);
      if (!isDone) throw lost(`${reason} ${text}`);
      return { text: `${reason} ${text}`, gaps: [], notes: [] } satisfies Answer;
    },
  };
}

const reason = 'The background service ended while this command ran.';

/** Opens the project of a call, which finishes interrupted edits. */
async function openProject(session: Session, { args }: ToolRequest, call: Call): Promise<void> {
  const { project } = Object(args);
  // A context without this tool has opened the project before it refuses.
  await session.call('get_current_config', project === undefined ? {} : { project }, call).catch(() => undefined);
}

function lost(message: string): ExpectedError {
  return new ExpectedError('edit.failed', message);
}
