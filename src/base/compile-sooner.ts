/** Functions that a session uses all the time run this many times as often as usual before they are compiled. */
const reluctance = 4;

/**
 * Ends the time in which this thread hardly compiles functions to machine code, with which a built program starts. Only Bun
 * can be asked to; in other runtimes nothing happens.
 */
export function compileSooner(): void {
  const runtime = process.getBuiltinModule('bun');
  if (runtime === undefined || !('unsafe' in runtime)) return;
  const { setJITPolicy } = Object(runtime.unsafe);
  if (typeof setJITPolicy === 'function') setJITPolicy(reluctance);
}
