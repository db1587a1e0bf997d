import type { Call } from '../base/call.ts';
import { ExpectedError } from '../base/errors.ts';
import type { Session } from '../session/session.ts';
import type { Answer } from '../tools/tool.ts';

/**
 * Sessions of clients of the stateless protocol over HTTP, which have no connection of their own. A client gets a handle
 * from `initial_instructions` and passes it with its calls as the argument `session`.
 */
export interface SessionHandles {
  /** Returns the session of a handle. @throws {ExpectedError} `session.unknown`. */
  get(handle: string): Session;
  /** Opens a session and returns its handle. @throws {ExpectedError} `config.invalid`. */
  begin(): Promise<{ readonly handle: string; readonly session: Session }>;
}

interface StatelessCall {
  /** Session of the calls without a handle, which all clients share. */
  readonly session: Session;
  readonly name: string;
  readonly sent: unknown;
  /** Returns the client's roots as absolute paths. */
  readonly listRoots: () => Promise<readonly string[]>;
}

/** Tools whose effect lasts beyond the call, so that it must not reach other clients. */
const lastingTools = ['activate_project', 'switch_modes', 'search_tools'];

/**
 * Runs a tool in the session whose handle is the argument `session`, or without one in the shared session, in the
 * project that the call or else the client's first root names. `initial_instructions` without a handle opens a session
 * and returns its handle.
 *
 * @throws {ExpectedError} `session.unknown`; `tool.invalid-input` for a handle that is missing or not a string.
 */
export async function callInSession(handles: SessionHandles, called: StatelessCall, call: Call): Promise<Answer> {
  const { session: handle, ...args } = Object(called.sent);
  if (handle !== undefined && handle !== null && typeof handle !== 'string') throw wrongHandle('must be a string');
  if (typeof handle === 'string' && handle !== '') return await handles.get(handle).call(called.name, args, call);
  if (lastingTools.includes(called.name)) throw wrongHandle(`\`${called.name}\` needs it`);
  if (called.name !== 'initial_instructions') {
    const [root] = lacksProject(called.session, called.sent) ? await called.listRoots() : [];
    return await called.session.call(called.name, root === undefined ? args : { ...args, project: root }, call);
  }
  const begun = await handles.begin();
  begun.session.offerRoots(called.listRoots);
  const answer = await begun.session.call(called.name, args, call);
  const note = `The handle of this session is \`${begun.handle}\`: pass it as \`session\` with every further call.`;
  return { ...answer, notes: [...answer.notes, note] };
}

/** True if a call names neither a session nor a project, and the shared session has none. */
export function lacksProject(shared: Session, sent: unknown): boolean {
  const { session, project } = Object(sent);
  return shared.needsProjectArgument && !session && !project;
}

function wrongHandle(problem: string): ExpectedError {
  return new ExpectedError('tool.invalid-input', `wrong arguments: \`session\`: ${problem}`, {
    hints: ['call `initial_instructions`, which returns the handle of a new session'],
  });
}
