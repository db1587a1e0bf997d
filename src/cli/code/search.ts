import { Option } from 'commander';
import { z } from 'zod';
import { parseCount } from '../option-values.ts';
import { projectPath } from './address.ts';
import type { CodeCommand } from './code-command.ts';
import { matchLines } from './match-lines.ts';

const excerptsByFile = z.record(z.string(), z.array(z.string()));

export const search: CodeCommand = {
  name: 'search',
  description: 'Search the text of files for a Python regex',
  operands: [
    ['<regex>', 'Python regex'],
    ['[path]', 'file or directory to search (default: the project)'],
  ],
  options: [
    new Option('--glob <glob>', 'paths to include, relative to the project, such as {src,lib}/**/*.ts'),
    new Option('--exclude <glob>', 'paths to exclude'),
    new Option('-B, --before-context <n>', 'lines of context before each match').argParser(parseCount),
    new Option('-A, --after-context <n>', 'lines of context after each match').argParser(parseCount),
    new Option('-C, --context <n>', 'lines of context around each match').argParser(parseCount),
    new Option('--multiline', 'matches may span lines, and . also matches line breaks'),
    new Option('--ignored', 'search ignored files as well'),
  ],
  examples: ["serena search 'TODO|FIXME' src", 'serena search -C 2 -- --offline docs'],
  request: ({ operands: [regex, path], flags, place }) => ({
    tool: 'search_for_pattern',
    args: {
      substring_pattern: regex,
      relative_path: path === undefined ? '' : projectPath(path, place),
      context_lines_before: flags.beforeContext ?? flags.context ?? 0,
      context_lines_after: flags.afterContext ?? flags.context ?? 0,
      paths_include_glob: flags.glob ?? '',
      paths_exclude_glob: flags.exclude ?? '',
      multiline: flags.multiline ?? false,
      skip_ignored_files: !(flags.ignored ?? false),
    },
  }),
  render: (answer, view) => {
    const { beforeContext = 0, afterContext = 0, context = 0 } = view.flags;
    const hasContext = beforeContext + afterContext + context > 0;
    const files = Object.entries(excerptsByFile.parse(answer));
    return files.flatMap(([file, excerpts], index) => [
      ...(hasContext && index > 0 ? ['--'] : []),
      ...matchLines(file, excerpts, { ...view, hasContext }),
    ]);
  },
};
