import type { Range } from '../../text/place.ts';
import { field } from '../readiness/readiness.ts';
import { readRange } from './ranges.ts';

export interface Diagnostic {
  readonly range: Range;
  readonly message: string;
  /** 1 error, 2 warning, 3 information, 4 hint; `undefined` if the server does not report it. */
  readonly severity: number | undefined;
  readonly code: string | number | undefined;
  readonly source: string | undefined;
  /** True for a syntax error; absent if the server does not distinguish such errors. */
  readonly isSyntaxError?: boolean;
  /** True if the server tags the code as unused or unreachable. */
  readonly isUnnecessary?: true;
  /** The server's own data, which it expects back with a question about code actions. */
  readonly data?: unknown;
}

/** LSP's `DiagnosticTag.Unnecessary`. */
const unnecessaryTag = 1;

/** Returns the diagnostics in an unknown value; entries without range or message are dropped. */
export function readDiagnostics(value: unknown): Diagnostic[] {
  return Array.isArray(value) ? value.flatMap(readDiagnostic) : [];
}

function readDiagnostic(value: unknown): Diagnostic[] {
  const range = readRange(field(value, 'range'));
  const message = field(value, 'message');
  if (range === undefined || typeof message !== 'string') return [];
  const [severity, code, source, tags, data] = ['severity', 'code', 'source', 'tags', 'data'].map((key) => {
    return field(value, key);
  });
  return [
    {
      range,
      message,
      severity: typeof severity === 'number' ? severity : undefined,
      code: typeof code === 'number' || typeof code === 'string' ? code : undefined,
      source: typeof source === 'string' ? source : undefined,
      ...(Array.isArray(tags) && tags.includes(unnecessaryTag) ? { isUnnecessary: true as const } : {}),
      ...(data === undefined ? {} : { data }),
    },
  ];
}
