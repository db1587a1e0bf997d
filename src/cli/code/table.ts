import { inputSchemas } from '../../generated/input-schemas.ts';
import { parseSymbol, pathTarget } from './address.ts';
import type { CodeCommand, CodeOption, Operand } from './command.ts';
import {
  affectedIn,
  affectedRequest,
  changedRequest,
  codePattern,
  declarationRequest,
  deleted,
  diagnosticsRequest,
  editsIn,
  formatRequest,
  hierarchyKind,
  hierarchyKinds,
  historyRequest,
  inPath,
  readText,
  renameRequest,
  replaceRequest,
  severities,
  signatureRequest,
  structureRequest,
  toPath,
} from './requests.ts';

const anyPath: Operand = {
  name: '[path]',
  help: 'file or directory (default: the whole project)',
  read: inPath,
};

const symbol: Operand = {
  name: '<symbol>',
  help: 'name path, or <file or directory>#<name path>',
  read: (text, place) => {
    const { path, namePath } = parseSymbol(text, place);
    return { name_path: namePath, relative_path: path };
  },
};
const reached: Operand = { ...symbol, name: '<to>', read: pathTarget };
const body: CodeOption = { flags: '--body', help: 'print the source', sets: ['include_body'] };
const noHeader: CodeOption = { flags: '--no-header', help: 'with --body, print nothing but the source' };
const info: CodeOption = { flags: '--info', help: 'print signature and documentation', sets: ['include_info'] };
const depth: CodeOption = { flags: '--depth <n>', help: 'levels of members to list', sets: ['depth'] };

const dryRun: CodeOption = {
  flags: '--dry-run',
  help: 'change nothing; print the same answer and a diff',
  sets: ['dry_run'],
};
const wholeDiff: CodeOption = { flags: '--diff', help: 'with --dry-run, print the whole diff' };
const ifClean: CodeOption = {
  flags: '--if-clean',
  help: 'change nothing if a whole check finds new problems',
  sets: ['if_clean'],
};
const check: CodeOption = {
  flags: '--check <files>',
  help: 'files to check for new problems: none, touched, or all that use what changes',
  choices: ['none', 'touched', 'all'],
  sets: ['check'],
};
const also: CodeOption = {
  flags: '--also <ids>',
  help: 'open places to rename too, by the ids of the last answer, such as 3,5-9',
  sets: ['also'],
  areIds: true,
};

/** In the order of the help. */
export const codeCommands: readonly CodeCommand[] = [
  {
    name: 'overview',
    description: 'List the symbols of a file, or of the files in a directory: kind and name path',
    tool: 'get_symbols_overview',
    operands: [{ name: '<file>', help: 'source file or directory', read: inPath }],
    options: [depth],
    examples: ['serena overview src/basket.ts', 'serena overview src/basket.ts --depth 1'],
    prints: 'text',
  },
  {
    name: 'find',
    description: 'Find symbols by name path, in the whole project or in a file or directory',
    tool: 'find_symbol',
    operands: [
      {
        ...symbol,
        read: (text, place) => {
          const { path, namePath } = parseSymbol(text, place);
          return { name_path_pattern: namePath, relative_path: path };
        },
      },
    ],
    options: [
      { ...body, help: 'print the source of each symbol' },
      noHeader,
      { ...info, excludes: 'body' },
      { ...depth, excludes: 'body' },
      { flags: '--substring', help: 'match part of the last name', sets: ['substring_matching'] },
      { flags: '--dependencies', help: 'also search libraries', sets: ['include_dependencies'] },
      {
        flags: '--kind <kinds>',
        help: 'only these kinds, separated by commas, such as class,interface',
        sets: ['include_kinds'],
      },
    ],
    examples: [
      'serena find Basket/total --body',
      'serena find src/basket.ts#Basket --depth 1',
      'serena find get --substring --kind method,function',
      'serena find -- -name-that-begins-with-a-dash',
    ],
    prints: 'text',
  },
  {
    name: 'explore',
    description: 'Show a symbol with its source, callers, callees, types and tests',
    tool: 'explore_symbol',
    operands: [symbol],
    options: [
      { flags: '--max-tokens <n>', help: 'approximate limit of the answer', sets: ['max_tokens'] },
      { flags: '--dependencies', help: 'also search libraries', sets: ['include_dependencies'] },
    ],
    examples: ['serena explore src/basket.ts#Basket/total'],
    prints: 'text',
  },
  {
    name: 'refs',
    description: 'Find the references to a symbol',
    tool: 'find_referencing_symbols',
    operands: [symbol],
    options: [{ flags: '--explain', help: 'print each occurrence of the name with what it means, and why' }],
    request: ({ flags }, args) => ({
      tool: 'find_referencing_symbols',
      args: flags.explain === true ? { ...args, group_by: 'verdict' } : args,
    }),
    examples: ['serena refs src/basket.ts#Basket/total', 'serena refs src/basket.ts#Basket/total --explain'],
    prints: 'references',
  },
  {
    name: 'implementations',
    description: 'Find the implementations of an interface, an abstract class or one of its methods',
    tool: 'find_implementations',
    operands: [symbol],
    options: [info],
    examples: ['serena implementations src/discount.ts#Discount/apply'],
    prints: 'text',
  },
  {
    name: 'hierarchy',
    usage: 'callers|callees|supertypes|subtypes <symbol>',
    description: 'Find the callers or callees of a function, or the supertypes or subtypes of a type',
    tool: 'symbol_hierarchy',
    operands: [{ name: '<kind>', help: hierarchyKinds.join(', '), read: hierarchyKind }, symbol],
    options: [{ ...depth, help: 'levels to list' }],
    examples: ['serena hierarchy callers Basket/total --depth 2', 'serena hierarchy subtypes src/discount.ts#Discount'],
    prints: 'hierarchy',
  },
  {
    name: 'path',
    description: 'Find how a function reaches another one: by calls, functions passed as values, and overrides',
    tool: 'find_path',
    operands: [{ ...symbol, name: '<from>' }, reached],
    options: [{ flags: '--max <n>', help: 'maximum number of paths', sets: ['max_paths'] }],
    examples: ['serena path checkout Basket/total', 'serena path src/main.ts#main src/db.ts#query'],
    prints: 'paths',
  },
  {
    name: 'unused',
    description: 'List declarations that nothing uses, or only tests, and those of which it cannot be decided',
    tool: 'find_unused',
    operands: [anyPath],
    examples: ['serena unused', 'serena unused src/checkout.ts'],
    prints: 'unused',
  },
  {
    name: 'ast',
    description:
      'Find code by its structure, and replace it: $NAME stands for one piece of code, $$$NAME for any number',
    tool: 'rewrite_structure',
    operands: [
      { name: '[pattern]', help: 'code with variables, as in ast-grep; in single quotes', read: codePattern },
      anyPath,
    ],
    options: [
      { flags: '--lang <language>', help: 'language of the pattern (default: those of the files)', sets: ['language'] },
      {
        flags: '--where <condition>',
        help: 'what a variable refers to: F=<symbol>, or its type: X:type=<symbol>, X:implements=<symbol>; may be repeated',
        sets: ['where'],
        isRepeatable: true,
      },
      {
        flags: '--rule <rule>',
        help: 'rule of ast-grep: a YAML file, or {inside: {kind: class_body, stopBy: end}}',
        sets: ['rule'],
      },
      { flags: '--rewrite <code>', help: 'replace the matches, in all files or none', sets: ['rewrite'] },
      check,
      dryRun,
      ifClean,
    ],
    examples: [
      "serena ast 'console.log($$$ARGS)'",
      "serena ast 'if ($C) return $V' src",
      "serena ast 'await $P' src --rule '{inside: {kind: for_statement, stopBy: end}}'",
      "serena ast '$X.close()' --where X:implements=src/pool.ts#Pool",
      "serena ast '$F($A)' --where 'F=src/basket.ts#Basket/add' --rewrite '$F($A, 1)' --dry-run",
    ],
    request: structureRequest,
    prints: 'structure',
  },
  {
    name: 'format',
    description: "Format a file, or lines of it, with the language server's formatter",
    tool: 'format_code',
    operands: [{ name: '<file>', help: 'source file', read: inPath }],
    options: [
      { flags: '--lines <lines>', help: 'first and last line, such as 10-20 (default: the whole file)' },
      dryRun,
      ifClean,
    ],
    examples: ['serena format src/basket.ts', 'serena format src/basket.ts --lines 10-20 --dry-run'],
    request: formatRequest,
    prints: 'edit',
  },
  {
    name: 'changed',
    usage: '[path] --base <commit>',
    description: 'List the symbols that differ from a Git base, with their users and tests',
    tool: 'changed_symbols',
    operands: [anyPath],
    options: [
      {
        flags: '--base <base>',
        help: 'commit, range a..b, or `staged` (default: the merge base with the upstream)',
        sets: ['base'],
      },
      {
        flags: '--if <change>',
        help: 'instead, what unchanged code would reach if it was deleted or moved',
        choices: ['deleted', 'moved'],
      },
      { flags: '--untested', help: 'instead, functions, methods and types that no test reaches' },
    ],
    request: changedRequest,
    examples: [
      'serena changed',
      'serena changed src --base HEAD~3',
      'serena changed src/legacy --if deleted',
      'serena changed src --untested',
    ],
    prints: 'changes',
    isEmpty: (answer) => Object.keys(Object(answer)).length === 1,
  },
  {
    name: 'verify',
    usage: '[path] --base <commit>',
    description: 'Check whether the changes since a Git base are done: new problems, uses left open, tests to run',
    tool: 'verify_changes',
    operands: [anyPath],
    options: [
      { flags: '--base <base>', help: 'commit (default: the merge base with the upstream)', sets: ['base'] },
      { flags: '--format <format>', help: 'form of the answer', choices: ['text', 'json', 'github', 'sarif'] },
    ],
    examples: ['serena verify', 'serena verify --base origin/main --format github'],
    prints: 'verification',
    hasProblems: (answer) => Object(answer).verdict === 'problems',
    isEmpty: () => false,
  },
  {
    name: 'affected',
    usage: '[path] --base <commit> --tests',
    description: 'List the files that use what changed since a Git base, or the files with tests that reach it',
    tool: 'changed_symbols',
    operands: [anyPath],
    options: [
      { flags: '--tests', help: 'list the files with tests only' },
      { flags: '--base <base>', help: 'commit (default: the merge base with the upstream)', sets: ['base'] },
      { flags: '--stdin', help: 'read the changed files from stdin, one on each line', excludes: 'base' },
    ],
    examples: ['serena affected --tests --base origin/main', 'git diff --name-only | serena affected --tests --stdin'],
    request: affectedRequest,
    prints: 'files',
    isEmpty: (answer, flags) => affectedIn(answer, flags).length === 0,
  },
  {
    name: 'declaration',
    description: 'Find where a name that is used somewhere is defined',
    tool: 'find_declaration',
    operands: [
      {
        name: '<place>',
        help: '<file>:<line>:<column>, both from 1, in UTF-16 code units; or with a regex <file> or <file>#<name path>',
      },
      { name: '[regex]', help: 'Python regex that matches once, with one group around the name' },
    ],
    options: [
      body,
      noHeader,
      { ...info, excludes: 'body' },
      { flags: '--type', help: "find the type of the name's values", sets: ['of_type'] },
    ],
    examples: [
      'serena declaration src/checkout.ts:12:8',
      'serena declaration src/checkout.ts:12:8 --type',
      `serena declaration src/checkout.ts#checkout 'basket\\.(total)' --body`,
    ],
    request: declarationRequest,
    prints: 'text',
    nothingFound: 'symbol.not-found',
  },
  {
    name: 'diagnostics',
    description: 'List the problems that language servers find in a file or symbol',
    tool: 'get_diagnostics_for_file',
    operands: [{ name: '<file-or-symbol>', help: 'source file, <file>#<name path>, or name path' }],
    options: [
      {
        flags: '--severity <severity>',
        help: 'least severe problems to list',
        choices: severities,
        default: 'hint',
      },
    ],
    examples: ['serena diagnostics src/basket.ts --severity warning', 'serena diagnostics src/basket.ts#Basket/total'],
    request: diagnosticsRequest,
    prints: 'diagnostics',
  },
  {
    name: 'rename',
    usage: '<symbol>=<new-name>',
    description: 'Rename symbols and all references to them, in all files or none',
    tool: 'rename_symbol',
    operands: [{ name: '<renames...>', help: '<symbol> <new-name>, or any number of <symbol>=<new-name>' }],
    options: [
      { flags: '--force', help: 'rename although a name is taken or code may break', sets: ['force'] },
      also,
      check,
      dryRun,
      wholeDiff,
      ifClean,
    ],
    examples: [
      'serena rename src/basket.ts#Basket/total sum',
      'serena rename src/basket.ts#Basket/total sum --dry-run',
      'serena rename Basket/total=sum Basket/add=put',
    ],
    request: renameRequest,
    prints: 'edit',
  },
  {
    name: 'move',
    description: 'Move a top-level symbol, or a static member of Java, to another file, and correct imports',
    tool: 'move_symbol',
    operands: [symbol, { name: '<file>', help: 'target file; created if it does not exist', read: toPath }],
    options: [
      { flags: '--re-export', help: 'keep the name in the old file; users stay as they are', sets: ['re_export'] },
      check,
      dryRun,
      wholeDiff,
      ifClean,
    ],
    examples: ['serena move src/basket.ts#Basket src/shop/basket.ts'],
    prints: 'edit',
  },
  {
    name: 'move-file',
    description: 'Move or rename a file or directory, and correct imports',
    tool: 'rename_file',
    operands: [
      { name: '<path>', help: 'file or directory', read: inPath },
      { name: '<new-path>', help: 'new path; must not exist', read: toPath },
    ],
    options: [check, dryRun, wholeDiff, ifClean],
    examples: ['serena move-file src/basket.ts src/shop/basket.ts'],
    prints: 'edit',
  },
  {
    name: 'delete',
    description: 'Delete a symbol that nothing refers to; otherwise list the references',
    tool: 'safe_delete_symbol',
    operands: [{ name: '<symbol>', help: '<file>#<name path>', read: deleted }],
    options: [
      { flags: '--force', help: 'delete despite unresolved occurrences of the name', sets: ['ignore_unresolved'] },
      check,
      dryRun,
      wholeDiff,
      ifClean,
    ],
    examples: ['serena delete src/basket.ts#Basket/total'],
    prints: 'edit',
  },
  {
    name: 'signature',
    usage:
      '<symbol> --add <parameter> --value <argument> --before <name> | --remove <names> | --rename <old=new> | --order <names>',
    description: 'Change the parameters of a function, with its overrides and all calls, in all files or none',
    tool: 'change_signature',
    operands: [symbol],
    options: [
      { flags: '--add <parameter>', help: "parameter to add, as it is declared: 'timeout: float = 5'" },
      { flags: '--value <argument>', help: 'with --add, argument that calls get; overrides pass on their own' },
      { flags: '--before <name>', help: 'with --add, parameter that it precedes (default: last)' },
      { flags: '--remove <names>', help: 'parameters to remove, separated by commas' },
      { flags: '--rename <old=new>', help: 'parameters to rename, separated by commas' },
      { flags: '--order <names>', help: 'all parameters in their new order, separated by commas' },
      { flags: '--keyword <names>', help: 'parameters to pass by name only' },
      { flags: '--positional <names>', help: 'parameters to allow by position' },
      { flags: '--force', help: 'change it although code may break', sets: ['force'] },
      { ...also, help: 'open calls to change too, by the ids of the last answer, such as 3,5-9' },
      check,
      dryRun,
      wholeDiff,
      ifClean,
    ],
    examples: [
      "serena signature src/shop.py#fetch --add 'timeout: float = 5'",
      'serena signature src/shop.py#Basket/add --rename count=number --remove unit',
    ],
    request: signatureRequest,
    prints: 'edit',
  },
  {
    name: 'replace',
    description: 'Replace the definition of a symbol, as `find --body` prints it, with text from stdin or a file',
    tool: 'replace_symbol_body',
    operands: [
      symbol,
      {
        name: '[text-file]',
        help: 'file with the new definition, relative to the working directory; - or nothing reads stdin',
      },
    ],
    examples: [
      'serena replace src/basket.ts#Basket/total new-total.txt',
      "serena find Basket/total --body --no-header | sed 's/0/1/' | serena replace Basket/total",
    ],
    options: [dryRun, ifClean],
    request: replaceRequest,
    prints: 'edit',
  },
  {
    name: 'apply',
    description: 'Run several edit commands as one edit, all or nothing',
    tool: 'apply_edits',
    operands: [{ name: '[file]', help: 'file with one command on each line; - or nothing reads stdin' }],
    examples: ['serena apply edits.txt', "echo 'rename src/basket.ts#Basket/total sum' | serena apply"],
    request: async (given, args) => {
      const edits = await editsIn(await readText(given.operands[0] ?? '-', given), given.editRequest);
      return { tool: 'apply_edits', args: { ...args, edits } };
    },
    prints: 'history',
  },
  ...(['undo', 'redo'] as const).map((action) => ({
    name: action,
    description: action === 'undo' ? 'Undo the latest edits of commands and ended sessions' : 'Make undone edits again',
    tool: 'edit_history',
    operands: [{ name: '[count]', help: 'number of edits (default: 1)' }],
    options: [{ flags: '--list', help: 'list the edits instead' }],
    examples: [`serena ${action}`, `serena ${action} --list`],
    request: historyRequest(action),
    prints: 'history' as const,
  })),
  {
    name: 'search',
    description: 'Search the text of files for a Python regex',
    tool: 'search_for_pattern',
    operands: [
      { name: '<regex>', help: 'Python regex', read: (text) => ({ substring_pattern: text }) },
      { name: '[path]', help: 'file or directory to search (default: the project)', read: inPath },
    ],
    options: [
      {
        flags: '--glob <glob>',
        help: 'paths to include, relative to the project, such as {src,lib}/**/*.ts',
        sets: ['paths_include_glob'],
      },
      { flags: '--exclude <glob>', help: 'paths to exclude', sets: ['paths_exclude_glob'] },
      {
        flags: '-B, --before-context <n>',
        help: 'lines of context before each match',
        sets: ['context_lines_before'],
      },
      { flags: '-A, --after-context <n>', help: 'lines of context after each match', sets: ['context_lines_after'] },
      {
        flags: '-C, --context <n>',
        help: 'lines of context around each match',
        sets: ['context_lines_before', 'context_lines_after'],
      },
      { flags: '--multiline', help: 'matches may span lines, and . also matches line breaks', sets: ['multiline'] },
      { flags: '--ignored', help: 'search ignored files as well', sets: ['skip_ignored_files'] },
    ],
    examples: ["serena search 'TODO|FIXME' src", 'serena search -C 2 -- --offline docs'],
    args: { multiline: false },
    prints: 'excerpts',
  },
];

interface Parameter {
  readonly type?: string;
  readonly default?: unknown;
}

/** Returns a parameter of a command's tool, as the schema of the tool describes it. */
export function parameterOf({ name, tool }: CodeCommand, parameter: string): Parameter {
  const { properties }: { properties: Readonly<Record<string, Parameter>> } = JSON.parse(inputSchemas[tool] ?? '{}');
  const found = properties[parameter];
  if (found === undefined) throw new Error(`\`serena ${name}\` sets \`${parameter}\`, which \`${tool}\` does not have`);
  return found;
}
