/** A call of a tool. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A typical question about one of the projects of `projects.ts`, and the ways to answer it. */
export interface AnswerQuestion {
  readonly project: 'python' | 'typescript' | 'go';
  readonly what: string;
  /** The calls in the legacy format, which needs one call for each item of a list. */
  readonly legacy: readonly ToolCall[];
  readonly short: ToolCall;
  /** Shell commands that search the text and read what is needed; `undefined` where that does not answer the question. */
  readonly grep?: string;
}

const same = (tool: string, args: ToolCall['args']) => ({ legacy: [{ tool, args }], short: { tool, args } });

const restFiles = [
  'client',
  'client_test',
  'config',
  'config_test',
  'connection_test',
  'exec',
  'exec_test',
  'mock_backoff_manager_test',
  'plugin',
  'plugin_test',
  'request',
  'request_test',
  'transport',
  'transport_test',
  'url_utils',
  'url_utils_test',
  'urlbackoff',
  'urlbackoff_test',
  'warnings',
  'warnings_test',
  'with_retry',
  'with_retry_test',
  'zz_generated.deepcopy',
];

const several = (tool: string, key: string, items: readonly string[], listed: string | readonly string[] = items) => ({
  legacy: items.map((item) => ({ tool, args: { [key]: item } })),
  short: { tool, args: { [key]: listed } },
});

export const answerQuestions: readonly AnswerQuestion[] = [
  {
    project: 'python',
    what: 'Who uses `slugify`?',
    ...same('find_referencing_symbols', { name_path: 'slugify', relative_path: 'django/utils/text.py' }),
    grep: "grep -rnw slugify --include='*.py' .",
  },
  {
    project: 'python',
    what: 'Who uses `ValidationError`?',
    ...same('find_referencing_symbols', { name_path: 'ValidationError', relative_path: 'django/core/exceptions.py' }),
    grep: "grep -rnw ValidationError --include='*.py' .",
  },
  {
    project: 'python',
    what: 'Where are all `get_queryset`?',
    ...same('find_symbol', { name_path_pattern: 'get_queryset' }),
    grep: "grep -rnE 'def get_queryset\\b' --include='*.py' .",
  },
  {
    project: 'python',
    what: 'What does `QuerySet.bulk_create` do?',
    ...same('find_symbol', { name_path_pattern: 'QuerySet/bulk_create', include_body: true }),
    grep: "grep -rnE 'def bulk_create\\b' --include='*.py' django; awk '/def bulk_create/{p=1} /def _handle_order_with_respect_to/{p=0} /async def abulk_create/{exit} p' django/db/models/query.py",
  },
  {
    project: 'python',
    what: 'What is in `query.py`, with methods?',
    ...same('get_symbols_overview', { relative_path: 'django/db/models/query.py', depth: 1 }),
    grep: "grep -nE '^(    )?(async )?(class|def) ' django/db/models/query.py",
  },
  {
    project: 'typescript',
    what: 'Who uses `toMillis` of `Duration`?',
    ...same('find_referencing_symbols', { name_path: 'toMillis', relative_path: 'src/Duration.ts' }),
    grep: "grep -rnw toMillis --include='*.ts' src",
  },
  {
    project: 'typescript',
    what: 'Where are `fromIterable`, `toMillis` and `makeUnsafe`?',
    ...several('find_symbol', 'name_path_pattern', ['fromIterable', 'toMillis', 'makeUnsafe']),
    grep: "grep -rnE '(const|function|let) (fromIterable|toMillis|makeUnsafe)\\b|^  (readonly )?(fromIterable|toMillis|makeUnsafe)[(:]' --include='*.ts' src",
  },
  {
    project: 'typescript',
    what: 'What is in `Duration.ts`?',
    ...same('get_symbols_overview', { relative_path: 'src/Duration.ts' }),
    grep: "grep -nE '^(export )?(declare )?(const|function|interface|class|type|namespace) ' src/Duration.ts",
  },
  {
    project: 'go',
    what: 'Who uses `Config` of `rest`?',
    ...same('find_referencing_symbols', { name_path: 'Config', relative_path: 'rest/config.go' }),
    grep: "grep -rnE '\\brest\\.Config\\b' --include='*.go' .; grep -nw Config rest/*.go",
  },
  {
    project: 'go',
    what: 'What implements `rest.Interface`?',
    ...same('find_implementations', { name_path: 'Interface', relative_path: 'rest/client.go' }),
  },
  {
    project: 'go',
    what: 'What is in the directory `rest`?',
    ...several(
      'get_symbols_overview',
      'relative_path',
      restFiles.map((name) => `rest/${name}.go`),
      'rest',
    ),
    grep: "grep -nE '^(func|type|var|const) ' rest/*.go",
  },
  {
    project: 'go',
    what: 'Where is the `Stream` that `request.go` uses declared?',
    legacy: [
      {
        tool: 'find_declaration',
        args: { relative_path: 'rest/request.go', regex: 'func \\(r \\*Request\\) (Stream)\\(' },
      },
    ],
    short: { tool: 'find_declaration', args: { relative_path: 'rest/request.go', name_path: 'Request/Stream' } },
    grep: "grep -rnE 'func .*\\bStream\\(' --include='*.go' rest",
  },
];
