import { afterAll, describe, expect, test } from 'bun:test';
import { ExpectedError } from '../../src/base/errors.ts';
import { ScriptEngine } from '../../src/sandbox/script-engine.ts';
import type { ScriptResponse } from '../../src/sandbox/script-protocol.ts';
import { defaultLimits, type ScriptHost, ScriptSandbox } from '../../src/sandbox/script-sandbox.ts';
import { findDescendants } from '../support/processes.ts';
import { rejection } from '../support/rejection.ts';

/** A small limit of time, so that endless scripts end soon; no test depends on its length. */
const limits = {
  ...defaultLimits,
  runMs: 1_000,
  memoryBytes: 24 * 1024 * 1024,
  maxPrintedChars: 1_000,
  maxPendingCalls: 10,
};
const sandbox = new ScriptSandbox(limits);
afterAll(() => sandbox.close());

const host: ScriptHost = {
  signal: new AbortController().signal,
  async call(name, input) {
    if (name === 'fail') throw new ExpectedError('symbol.not-found', 'there is no symbol `x`', { hints: ['try `y`'] });
    if (name === 'break') throw new Error('internal detail');
    return { name, input };
  },
};

const processesOfScripts = () => findDescendants(process.pid).filter(({ command }) => command.includes('run-scripts'));

const run = (source: string) => sandbox.run(source, host);

async function resultOf(source: string): Promise<unknown> {
  const end = await run(source);
  return end.kind === 'returned' ? JSON.parse(end.json) : end;
}

describe('a script', () => {
  test('returns plain data', async () => {
    expect(await resultOf('return [1, "é\\n", { a: null, b: undefined }, new Map([["k", new Set([1])]])]')).toEqual([
      1,
      'é\n',
      { a: null },
      { k: [1] },
    ]);
  });

  test('calls tools one after the other and at the same time', async () => {
    const source =
      'const one = await serena.a({ x: 1 }); return [one, ...await Promise.all([2, 3].map((x) => serena.b({ x })))]';
    expect(await resultOf(source)).toEqual([
      { name: 'a', input: { x: 1 } },
      { name: 'b', input: { x: 2 } },
      { name: 'b', input: { x: 3 } },
    ]);
  });

  test('keeps global variables for later scripts, and other variables for itself', async () => {
    await run('const own = 1; globalThis.kept = [own]; other = 2');
    expect(await resultOf('return [kept, other, typeof own]')).toEqual([[1], 2, 'undefined']);
  });

  test('catches the error of a tool with its code and hints, and nothing of an internal error', async () => {
    const source = 'try { await serena.fail() } catch (error) { return [error.name, error.code, error.message] }';
    expect(await resultOf(source)).toEqual(['ToolError', 'symbol.not-found', 'there is no symbol `x`\nhint: try `y`']);
    expect(await run('await serena.break()')).toMatchObject({
      kind: 'threw',
      message: expect.not.stringContaining('detail'),
    });
  });

  test('that fails names the line', async () => {
    expect(await run('const a = 1;\nnull.x')).toMatchObject({
      kind: 'threw',
      message: expect.stringContaining('(line 2)'),
    });
    expect(await run('return (')).toMatchObject({ kind: 'threw', message: expect.stringContaining('SyntaxError') });
    expect(await run('throw null')).toMatchObject({ kind: 'threw', message: 'it threw null' });
  });

  test('that does not await its calls reports so', async () => {
    expect(await run('serena.a(); return 1')).toMatchObject({ kind: 'returned', unawaitedCalls: 1 });
    expect(await run('return { a: serena.a() }')).toMatchObject({ message: expect.stringContaining('await it first') });
  });
});

describe('out of the engine leads', () => {
  const missing = [
    'process',
    'Bun',
    'Deno',
    'require',
    'module',
    'fetch',
    'WebAssembly',
    'Worker',
    'setTimeout',
    'Atomics',
  ];

  test('no global object of the host', async () => {
    expect(await resultOf(`return [${missing.map((name) => `typeof ${name}`).join()}]`)).toEqual(
      missing.map(() => 'undefined'),
    );
  });

  test.each([
    'serena.find_symbol.constructor',
    'serena.find_symbol({}).constructor.constructor',
    'console.log.constructor',
    '(async () => {}).constructor',
    '(function* () {}).constructor("yield 1")().constructor.constructor.constructor',
    '(await serena.a()).constructor.constructor',
    '(await serena.fail().catch((error) => error)).constructor.constructor',
    'Object.getPrototypeOf(serena).constructor.constructor',
    'Reflect.getPrototypeOf(function () {}).constructor',
    '(0, eval)("Function")',
  ])('no function that %s makes', async (maker) => {
    const source = `const found = await (${maker})("return typeof process + typeof Bun + typeof require")(); return String(found.value ?? found)`;
    const end = await run(source);
    if (end.kind === 'returned')
      expect(['undefinedundefinedundefined', 'undefined', '[object Generator]']).toContain(JSON.parse(end.json));
    else expect(end.kind).toBe('threw');
  });

  test('no import', async () => {
    for (const name of ['fs', 'node:fs', 'std', 'os', 'file:///etc/passwd', './worker.ts', 'bun:ffi']) {
      expect(await run(`return await import(${JSON.stringify(name)})`)).toMatchObject({ kind: 'threw' });
    }
    expect(await run('import fs from "fs"; return 1')).toMatchObject({ kind: 'threw' });
  });

  test('no change of a prototype, also not for later scripts', async () => {
    const polluting = new ScriptSandbox(limits);
    const source =
      'Object.prototype.polluted = 1; Array.prototype.map = null; JSON.stringify = null; Promise.prototype.then = null';
    await polluting.run(source, host);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(await polluting.run('return 1', host)).toMatchObject({ kind: 'returned', json: '1' });
    await polluting.close();
  });

  test('no end of the function that contains the script', async () => {
    expect(await resultOf('})(); globalThis.outside = typeof process; (async () => { return outside')).toBe(
      'undefined',
    );
  });
});

describe('limits end', () => {
  test.each(['for (;;);', 'await null; while (true) {}', '/(a+)+$/.test("a".repeat(60) + "b")', 'for (;;) await null'])(
    'an endless script: %s',
    async (source) => {
      expect(await run(source)).toMatchObject({ kind: 'stopped', reason: 'time' });
      expect(await resultOf('return typeof kept')).toBe('undefined');
    },
  );

  // Functions of the engine, which cannot be interrupted from inside.
  test.each([
    'return new Array(2 ** 32 - 2).indexOf(1)',
    'return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)',
    'return Array.prototype.reverse.call({ length: 2 ** 53 - 1 })',
    'return Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)',
    'await serena.a(); return Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)',
  ])('an endless call of the engine: %s', async (source) => {
    expect(await run(source)).toMatchObject({ kind: 'stopped', reason: 'time' });
    expect(await resultOf('return typeof kept')).toBe('undefined');
  });

  test.each([
    'const all = []; for (;;) all.push(new Array(100000).fill(1.5))',
    'let text = "x"; for (;;) text += text',
    'return new ArrayBuffer(1e9).byteLength',
  ])('a script that needs too much memory: %s', async (source) => {
    expect(await run(source)).toMatchObject({ kind: expect.stringMatching(/threw|stopped/) });
    expect(await resultOf('return 1')).toBe(1);
  });

  test.each([
    'function f() { return f() + 1 } f()',
    'JSON.parse("[".repeat(1e5))',
    'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a',
  ])('a recursion that is too deep: %s', async (source) => {
    expect(await run(source)).toMatchObject({ kind: expect.stringMatching(/threw|stopped/) });
    expect(await resultOf('return 1')).toBe(1);
  });

  test('a flood of printed text, and count the rest', async () => {
    const end = await run('for (let i = 0; i < 100; i++) console.log("x".repeat(99)); return 1');
    expect(end).toMatchObject({ kind: 'returned', json: '1', droppedChars: 100 * 99 - 10 * 99 });
    expect(end.printed).toHaveLength(10 * 100 - 1);
  });

  test('a result that is too long', async () => {
    expect(await run('return "x".repeat(3e6)')).toMatchObject({
      message: expect.stringContaining('3000002 characters'),
    });
  });

  test('a promise that never settles', async () => {
    expect(await run('await new Promise(() => {})')).toMatchObject({
      kind: 'threw',
      message: 'it waits for a promise that never settles',
    });
  });

  test('arguments of calls at a time that are too long', async () => {
    const source = `
      const outcomes = await Promise.allSettled(['x'.repeat(1.5e6), 'x'.repeat(1.5e6)].map((text) => serena.a({ text })));
      await serena.a({ text: 'x'.repeat(1.5e6) });
      return outcomes.map(({ status }) => status);`;
    expect(await resultOf(source)).toEqual(['fulfilled', 'rejected']);
  });

  test('too many calls at a time', async () => {
    const source =
      'const all = Array.from({ length: 11 }, () => serena.a()); return (await Promise.allSettled(all)).filter((one) => one.status === "rejected").length';
    expect(await resultOf(source)).toBe(1);
  });
});

test('a script that has ended calls nothing', async () => {
  const sent: ScriptResponse[] = [];
  const engine = await ScriptEngine.create(limits, (response) => sent.push(response));
  engine.run('(async () => { for (let i = 0; i < 9; i++) await null; serena.late(); })(); return 1');
  engine.run('serena.first()');
  expect(sent).toMatchObject([
    { kind: 'returned', unawaitedCalls: 0 },
    { kind: 'call', name: 'first' },
    { kind: 'returned', unawaitedCalls: 1 },
  ]);
});

describe('cancellation', () => {
  test('ends an endless script, and the next one runs', async () => {
    const cancelling = new AbortController();
    const call: ScriptHost['call'] = async () => {
      cancelling.abort(new Error('cancelled'));
      return null;
    };
    const cancelled = sandbox.run('await serena.a(); for (;;);', { signal: cancelling.signal, call });
    expect(await rejection(cancelled)).toBe('cancelled');
    expect(await resultOf('return 1')).toBe(1);
  });

  test('ends an endless call of the engine with its process, and the next one runs', async () => {
    const cancelling = new AbortController();
    const own = new ScriptSandbox();
    const before = processesOfScripts();
    const call: ScriptHost['call'] = async () => {
      setImmediate(() => cancelling.abort(new Error('cancelled')));
      return null;
    };
    const source = 'await serena.a(); return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)';
    expect(await rejection(own.run(source, { signal: cancelling.signal, call }))).toBe('cancelled');
    expect(processesOfScripts()).toEqual(before);
    expect(await own.run('return 1', host)).toMatchObject({ kind: 'returned', json: '1' });
    await own.close();
  });

  test('reaches the calls of the script', async () => {
    const cancelling = new AbortController();
    const reached = Promise.withResolvers<void>();
    const call: ScriptHost['call'] = (_name, _input, signal) => {
      signal.addEventListener('abort', () => reached.resolve());
      cancelling.abort(new Error('cancelled'));
      return new Promise(() => undefined);
    };
    const cancelled = sandbox.run('await serena.a()', { signal: cancelling.signal, call });
    expect(await rejection(cancelled)).toBe('cancelled');
    await reached.promise;
  });
});
