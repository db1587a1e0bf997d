/** True in `npm test -- --full`. */
const isFull = process.env.TEST_FULL === 'true';

/** Returns how often to repeat, or with which samples: `few` in `npm test`, `all` in `npm test -- --full`. */
export function rounds<T>(few: T, all: T): T {
  return isFull ? all : few;
}
