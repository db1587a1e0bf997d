/** Lines of a connection that are not part of the session: whether the service still runs, and its answer. */
export const pingLine = '!ping\n';
export const pongLine = '!pong\n';

/** Silence of the service, while the client waits for an answer, after which it is asked whether it still runs. */
export const pingAfterMs = 1_000;
/** Silence after which the service is given up. Loading a large project may keep it from answering for seconds. */
export const giveUpAfterMs = 8_000;
