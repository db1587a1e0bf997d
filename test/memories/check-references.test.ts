import { describe, expect, test } from 'bun:test';
import { similarity } from '../../src/memories/check-references.ts';

describe('similarity()', () => {
  test.each([
    ['core', 'core', 1],
    ['Auth/Login', 'auth/login', 1],
    ['auth/login_v2', 'auth/login', 1],
    ['auth/login_old', 'auth/login_bak', 1],
    // The same basename: an additional topic makes no difference, different topics are compared by words.
    ['login', 'auth/login', 1],
    ['auth/login', 'web/login', 0.5],
    ['auth/web/login', 'auth/login', 0.75],
    // One contains the other.
    ['login', 'login_flow', 0.5 + (0.5 * 5) / 10],
    // Words in a different order.
    ['flow-login', 'login_flow', 1],
    ['loginFlow', 'login-flow', 1],
    // Only the text is similar: `conventions` and `convention`.
    ['conventons', 'conventions', (2 * 10) / 21],
    // A replaced letter counts like one removed and one added: `o` is all that is left.
    ['core', 'todo', (2 * 1) / 8],
    // Nothing in common, in different topics.
    ['auth/login', 'db/schema', 0],
    // Too short to be similar.
    ['db', 'dbx', 0],
    ['a', 'b', 0],
  ])('%s and %s: %p', (a, b, expected) => {
    expect(similarity(a, b)).toBeCloseTo(expected, 10);
    expect(similarity(b, a)).toBeCloseTo(expected, 10);
  });
});
