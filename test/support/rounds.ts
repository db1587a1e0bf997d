/** True in `npm test -- --full`. */
const isFull = process.env.TEST_FULL === 'true';

/** Returns how often to repeat what chance may decide: `few` times in `npm test`, `all` in `npm test -- --full`. */
export function rounds(few: number, all: number): number {
  return isFull ? all : few;
}
