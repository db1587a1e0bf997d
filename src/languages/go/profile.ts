import { dirname, join } from 'node:path/posix';
import type { Node } from 'web-tree-sitter';
import type { ImplicitCall, ParsedProfile, ScipNames } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import { character, double, readByTools, slashComments, slashes, slashStar, word } from '../shared-syntax.ts';
import { goSignatures } from './signatures.ts';

/** As scip-go does: `` scip-go gomod example.org/shop . `example.org/shop/basket`/Basket#Total(). `` */
const goScip: ScipNames = {
  language: 'Go',
  scheme: 'scip-go',
  manager: 'gomod',
  manifest: 'go.mod',
  packageIn: (manifest) => ({ name: /^module[ \t]+["`]?([^\s"`]+)/m.exec(manifest)?.[1] ?? '', version: '' }),
  namespacesOf: (path, packageName) => [join(packageName, dirname(path))],
  // `type Handler func(…)`; in a group, without the keyword.
  otherTypes: { kind: 'function', before: /^(?:type\s+)?$/ },
  hasMethodTerms: true,
};

/** Returns the name of an embedded interface without its package, or a whole union of types. */
function embeddedName(node: Node): string {
  const type = node.namedChildCount === 1 ? node.firstNamedChild : null;
  return type?.childForFieldName('name')?.text ?? type?.text ?? node.text;
}

/** Lists what gopls lists: no variables of functions. */
const outline: OutlineRules = {
  symbols: {
    function_declaration: { kind: 'function', body: [] },
    method_declaration: { kind: 'method', receiver: 'receiver', body: [] },
    type_spec: {
      kind: 'class',
      kindByValue: { struct_type: 'struct', interface_type: 'interface', function_type: 'function' },
      kindField: 'type',
      body: ['type'],
    },
    type_alias: {
      kind: 'class',
      kindByValue: { struct_type: 'struct', interface_type: 'interface' },
      kindField: 'type',
      body: ['type'],
    },
    field_declaration: { kind: 'field', otherName: 'type', body: ['type'] },
    type_elem: { kind: 'field', nameOf: embeddedName, body: [] },
    method_elem: { kind: 'method', body: [] },
    const_spec: { kind: 'constant', body: [] },
    var_spec: { kind: 'variable', body: ['type'] },
  },
  enter: [...['source_file', 'var_spec_list', 'struct_type', 'interface_type', 'field_declaration_list']],
  outer: ['type_declaration', 'const_declaration', 'var_declaration'],
  names: ['identifier', 'type_identifier', 'field_identifier'],
  omitted: /^_$/,
  patterns: {
    parameter_list: [],
    parameter_declaration: ['type'],
    pointer_type: [],
    generic_type: ['type'],
    qualified_type: ['name'],
    parenthesized_type: [],
  },
  identifiers: ['identifier', 'type_identifier', 'field_identifier', 'package_identifier', 'label_name'],
};

const reserved = `break case chan const continue default defer else fallthrough for func go goto if import interface map
package range return select struct switch type var`;

/** gopls lists the interfaces of the packages that a project uses, among them those that declare most of these. */
const implicitCalls: readonly ImplicitCall[] = [
  {
    name: /^(?:Marshal|Unmarshal)(?:JSON|Text|Binary|XML|XMLAttr|YAML|TOML)(?:To|From)?$|^Append(?:Text|Binary)$/,
    caller: 'encoding packages',
  },
  { name: /^Gob(?:Encode|Decode)$/, caller: '`encoding/gob`' },
  { name: /^(?:String|GoString)$/, rest: /^\(\s*\)\s*string\b/, caller: '`fmt`' },
  { name: /^Format$/, rest: /^\(\s*\w*\s*fmt\.State\b/, caller: '`fmt`' },
  {
    name: /^Scan$/,
    rest: /^\(\s*\w*\s*(?:any|interface\s*\{\s*\}|fmt\.ScanState\b)/,
    caller: '`fmt` and `database/sql`',
  },
  { name: /^Value$/, rest: /^\(\s*\)\s*\(\s*(?:\w+\s+)?driver\.Value\b/, caller: '`database/sql`' },
  { name: /^Error$/, rest: /^\(\s*\)\s*string\b/, caller: 'code that handles errors' },
  { name: /^Unwrap$/, rest: /^\(\s*\)\s*(?:\[\])?error\b/, caller: '`errors`' },
  { name: /^Is$/, rest: /^\(\s*\w*\s*error\s*\)\s*bool\b/, caller: '`errors.Is`' },
  { name: /^As$/, rest: /^\(\s*\w*\s*(?:any|interface\s*\{\s*\})\s*\)\s*bool\b/, caller: '`errors.As`' },
  { name: /^LogValue$/, rest: /^\(\s*\)\s*slog\.Value\b/, caller: '`log/slog`' },
];

/** Initial values that only make a value. */
const pureValues =
  /=\s*func\b[\s\S]*|\b(?:(?:errors|big)\.New\w*|regexp\.MustCompile|fmt\.(?:Errorf|Sprintf?)|strings\.NewReplacer|make|new|len|cap|append|(?:string|u?int(?:8|16|32|64)?|float(?:32|64)|byte|rune|uintptr|\[\]byte))\s*\(/g;

export const profile: ParsedProfile = {
  ids: ['go'],
  extensions: ['.go'],
  grammar: 'tree-sitter-go/tree-sitter-go.wasm',
  outline,
  signatures: goSignatures,
  scip: goScip,
  hasServerRanges: true,
  lexis: { inert: [slashes, slashStar, '`[^`]*`?', double, character] },
  names: { language: 'Go', pattern: word, reserved },
  attached: slashComments,
  // `// Stop the store.` is an imperative, and `// Size of a page.` names no declaration; `// Stop ends the store.` does.
  prose: /^\s+(?:the|an?|this|that|these|those|its?|all|any|each|every|no|of|in|on|at|by|to|for|from|with|if|when)\b/,
  implicitCalls,
  exposure: {
    visible: { name: /^\p{Lu}/u, file: /^(?!(?:.*\/)?internal\/)(?!.*_test\.go$)/ },
    hiddenBy: /^package main\b/m,
    publishedBy: ['go.mod'],
    registered: /^\/\/(?:export|go:(?:linkname|wasmexport|wasmimport))\b/m,
    namedBy: /^\/\/(?:export|go:linkname)\b/m,
    directive: /^\/\/(?:export|go:)/,
    readByName: { file: /(?:^|\/)magefiles?(?:\/|\.go$)/, reader: readByTools },
    // Parsers of command lines call these by reflection.
    duckTyped: [
      {
        name: /^(?:Run|Execute|Usage|Help|Validate|Decode|IsBoolFlag|(?:After|Before)(?:Apply|Reset|Resolve|Run))$/,
        caller: 'parsers of command lines',
      },
    ],
    mayHaveEffects: (_, after) => /[\w)\]}]\s*\(|<-/.test(after.replace(pureValues, '')),
    entry: /^(?:main|init|Test\P{Ll}.*|Benchmark\P{Ll}.*|Fuzz\P{Ll}.*|Example.*)$/u,
  },
};
