/** Limits of a text that somebody else has written: parsed values take up to a hundred times as much memory as their text. */
interface JsonLimits {
  readonly values: number;
  readonly depth: number;
}

const defaultLimits: JsonLimits = { values: 500_000, depth: 1_000 };

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Returns the value of a JSON text. The size of its strings is not limited.
 *
 * @throws {SyntaxError} for a text that is not JSON; {Error} for one with more or more deeply nested values than the limits.
 */
export function parseBoundedJson(text: string, limits: Partial<JsonLimits> = {}): unknown {
  requireWithin(text, { ...defaultLimits, ...limits });
  return JSON.parse(text);
}

function requireWithin(text: string, limits: JsonLimits): void {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at < 0) return;
    } else if (code === comma) values++;
    else if (code === openBracket || code === openBrace) {
      values++;
      depth++;
    } else if (code === closeBracket || code === closeBrace) depth--;
    if (values > limits.values) throw new Error(`the JSON has more than ${limits.values} values`);
    if (depth > limits.depth) throw new Error(`the JSON is nested more than ${limits.depth} levels deep`);
  }
}

/** Returns the position of the quote that ends the string which begins at `start`; -1 if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let from = end;
    while (text.charCodeAt(from - 1) === backslash) from--;
    if ((end - from) % 2 === 0) return end;
  }
  return -1;
}
