/** Minutes that the tests take at most, without the checks and the build. */
const usualMinutes = 33;

/** The same on this machine: a slow machine must not decide whether a change is right. */
export const minutes = Number(process.env.TEST_TIMEOUT_MIN || usualMinutes);

/** How much longer this machine may take than others. */
export const slowness = Math.max(1, minutes / usualMinutes);
