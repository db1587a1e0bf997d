/**
 * JavaScript that the engine evaluates before the first script. Its value is a function of three functions of this
 * program, which take and return nothing but strings, numbers and booleans; it returns those that this program calls.
 * It is no boundary: a script may change every object that it uses, and then only breaks itself.
 */
export const prelude = `(function (send, print, finish) {
  // Later scripts still work if one replaces these.
  const { parse, stringify } = JSON;
  const waiting = new Map();
  let lastId = 0;

  const request = (name, input) =>
    new Promise((resolve, reject) => {
      const json = stringify(input === undefined ? {} : input);
      const id = ++lastId;
      send(id, name, json);
      waiting.set(id, { resolve, reject });
    });
  const isMethod = (name) => typeof name === 'string' && name !== 'then' && name !== 'toJSON';
  const serena = new Proxy({}, {
    get: (_, name) => (isMethod(name) ? (input) => request(name, input) : undefined),
    set: () => false,
  });
  Object.defineProperty(globalThis, 'serena', { value: serena });

  const plain = (_, value) => {
    if (value instanceof Promise) throw new TypeError('the result contains a promise: await it first');
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Set) return [...value];
    return value;
  };
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value);
    try {
      return stringify(value, plain) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const log = (...values) => print(values.map(show).join(' '));
  globalThis.console = { log, info: log, debug: log, warn: log, error: log };

  const describe = (error) => {
    if (!(error instanceof Error)) return 'it threw ' + show(error);
    const line = /<input>:(\\d+)/.exec(error.stack)?.[1];
    return String(error) + (line === undefined ? '' : ' (line ' + line + ')');
  };
  const execute = async (source) => {
    waiting.clear();
    try {
      const value = await (0, eval)('(async () => {' + source + '\\n})()');
      finish(true, value === undefined ? '' : (stringify(value, plain) ?? ''));
    } catch (error) {
      finish(false, describe(error));
    }
  };
  const settle = (id, isOk, json) => {
    const call = waiting.get(id);
    waiting.delete(id);
    const value = parse(json);
    if (isOk) return call?.resolve(value);
    const error = new Error(value.message);
    error.name = 'ToolError';
    error.code = value.code;
    call?.reject(error);
  };
  return { execute, settle };
})`;
