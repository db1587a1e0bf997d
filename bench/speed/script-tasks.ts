import type { ToolCall } from './answer-questions.ts';

/** A task in Django, done with tools and with one script. */
export interface ScriptTask {
  readonly what: string;
  /** The fewest calls that do it: lists as arguments, and the tool that answers best. */
  readonly calls: readonly ToolCall[];
  readonly script: string;
  /** Part of the script's answer. */
  readonly expected: string;
  /** True for edits, which are undone afterwards. */
  readonly isEdit?: true;
}

const query = 'django/db/models/query.py';
const fiveFiles = ['text', 'html', 'http', 'encoding', 'crypto'].map((name) => `django/utils/${name}.py`);
const threeFunctions = ['slugify', 'urlencode', 'force_bytes'];
const editedFile = 'django/utils/encoding.py';
const editedFunctions = ['smart_str', 'is_protected_type', 'force_str', 'smart_bytes', 'force_bytes', 'iri_to_uri'];
const comment = '# Public API.\n';

export const scriptTasks: readonly ScriptTask[] = [
  {
    what: 'Which method of `QuerySet` is the longest?',
    calls: [{ tool: 'find_symbol', args: { name_path_pattern: 'QuerySet', relative_path: query, depth: 1 } }],
    script: `const [{ children }] = await serena.find_symbol({ name_path_pattern: 'QuerySet', relative_path: '${query}', depth: 1 });
const lines = ({ body_location: { start_line, end_line } }) => end_line - start_line + 1;
const [longest] = children.Method.sort((a, b) => lines(b) - lines(a));
return [longest.name, lines(longest)];`,
    expected: 'bulk_create',
  },
  {
    what: 'Which modules of `django/utils` have no module of tests?',
    calls: ['django/utils', 'tests/utils_tests'].map((relative_path) => {
      return { tool: 'list_dir', args: { relative_path, recursive: false } };
    }),
    script: `const names = async (relative_path) =>
  (await serena.list_dir({ relative_path, recursive: false })).files.map((file) => file.split('/').pop());
const tests = await names('tests/utils_tests');
return (await names('django/utils')).filter((name) => !tests.includes('test_' + name));`,
    expected: 'deprecation.py',
  },
  {
    what: 'Which functions do five files define?',
    calls: [{ tool: 'get_symbols_overview', args: { relative_path: fiveFiles } }],
    script: `const names = ${JSON.stringify(fiveFiles.map((file) => file.slice('django/utils/'.length, -'.py'.length)))};
const files = await serena.get_symbols_overview({ relative_path: names.map((name) => 'django/utils/' + name + '.py') });
return Object.values(files).map((kinds) => kinds.Function);`,
    expected: 'urlencode',
  },
  {
    what: 'What do three functions do?',
    calls: [
      {
        tool: 'find_symbol',
        args: { name_path_pattern: threeFunctions, relative_path: 'django/utils', include_body: true },
      },
    ],
    script: `const found = await serena.find_symbol({ name_path_pattern: ${JSON.stringify(threeFunctions)}, relative_path: 'django/utils', include_body: true });
return Object.values(found).flat().map(({ body }) => body).join('\\n');`,
    expected: 'def slugify',
  },
  {
    what: 'How often does each package raise `ImproperlyConfigured`?',
    calls: [
      {
        tool: 'search_for_pattern',
        args: { substring_pattern: 'raise ImproperlyConfigured', relative_path: 'django' },
      },
    ],
    script: `const found = await serena.search_for_pattern({ substring_pattern: 'raise ImproperlyConfigured', relative_path: 'django' });
const counts = {};
for (const [file, matches] of Object.entries(found)) {
  const name = file.split('/')[1];
  counts[name] = (counts[name] ?? 0) + matches.length;
}
return counts;`,
    expected: 'contrib',
  },
  {
    what: 'Put a comment above six functions',
    calls: [
      {
        tool: 'apply_edits',
        args: {
          edits: editedFunctions.map((name_path) => ({
            tool: 'insert_before_symbol',
            arguments: { name_path, relative_path: editedFile, body: comment },
          })),
        },
      },
    ],
    script: `for (const name_path of ${JSON.stringify(editedFunctions)})
  await serena.insert_before_symbol({ name_path, relative_path: '${editedFile}', body: '# Public API.\\n' });`,
    expected: '1 file changed.',
    isEdit: true,
  },
];
