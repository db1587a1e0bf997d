import type { Node } from 'web-tree-sitter';
import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules, SymbolRule } from '../outline-rules.ts';
import { character, double, slashComments, slashes, slashStar } from '../shared-syntax.ts';
import { rustSignatures } from './signatures.ts';

/** Returns rust-analyzer's name of an `impl` block: `impl Trait for Type`. */
function nameOfImpl(node: Node): string {
  const [trait, type] = ['trait', 'type'].map((field) => node.childForFieldName(field)?.text ?? '');
  return trait === '' ? `impl ${type}` : `impl ${trait} for ${type}`;
}

const constant: SymbolRule = { kind: 'constant', body: [] };
const functionRule: SymbolRule = {
  kind: 'function',
  kindOf: (node) =>
    node.childForFieldName('parameters')?.firstNamedChild?.type === 'self_parameter' ? 'method' : undefined,
};

/** Lists what rust-analyzer lists: no variables of functions, but the functions and types in them. */
const outline: OutlineRules = {
  symbols: {
    const_item: constant,
    static_item: constant,
    mod_item: { kind: 'module' },
    struct_item: { kind: 'struct' },
    union_item: { kind: 'struct' },
    enum_item: { kind: 'enum' },
    enum_variant: { kind: 'enumMember' },
    field_declaration: { kind: 'field', body: [] },
    trait_item: { kind: 'interface' },
    impl_item: { kind: 'object', nameOf: nameOfImpl, name: 'type' },
    function_item: functionRule,
    function_signature_item: functionRule,
    associated_type: { kind: 'typeParameter', body: [] },
    type_item: { kind: 'typeParameter', body: [] },
    macro_definition: { kind: 'function', body: [] },
  },
  enter: [
    ...['source_file', 'declaration_list', 'field_declaration_list', 'enum_variant_list', 'foreign_mod_item', 'block'],
    ...['expression_statement', 'if_expression', 'else_clause', 'match_expression', 'match_block', 'match_arm'],
    ...['loop_expression', 'while_expression', 'for_expression', 'unsafe_block'],
  ],
  names: ['identifier', 'type_identifier', 'field_identifier'],
  leading: { line_comment: /^\/\/\//, block_comment: /^\/\*\*/, attribute_item: /^#/ },
  identifiers: ['identifier', 'type_identifier', 'field_identifier', 'shorthand_field_identifier'],
};

const reserved = `as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod
move mut pub ref return self Self static struct super trait true type unsafe use where while abstract become box do
final macro override priv try typeof unsized virtual yield`;

export const profile: ParsedProfile = {
  ids: ['rust'],
  extensions: ['.rs'],
  grammar: 'tree-sitter-rust/tree-sitter-rust.wasm',
  outline,
  signatures: rustSignatures,
  hasServerRanges: true,
  lexis: {
    inert: [slashes, slashStar, String.raw`\br(?<mark>#*)"[\s\S]*?"\k<mark>`, double, character],
    hasMemberPatterns: true,
  },
  names: { language: 'Rust', pattern: /^(?:r#|')?[\p{L}_][\p{L}\p{N}_]*$/u, reserved },
  attached: { ...slashComments, annotation: /^#\[/ },
  formatters: ['rustfmt.toml', '.rustfmt.toml'].map((file) => {
    return { file, uses: /^/, width: /^max_width\s*=\s*(\d+)/m, usual: 100 };
  }),
  examples: {
    begin: /^\s*\/\/[/!]\s*```(?:(?:rust|should_panic|no_run|compile_fail|edition\d+)[, ]*)*\s*$/,
    // `# ` begins a line that readers do not see.
    line: /^\s*\/\/[/!](?: ?#(?= |$))?/,
    end: /^\s*\/\/[/!]\s*```/,
    run: '//[/!]',
  },
  namingStrings: /#\[[^\]]*=\s*"$/,
  exposure: {
    visible: { text: /\bpub\s+(?!\()/, file: /^(?!(?:.*\/)?(?:main\.rs|bin\/|examples\/|benches\/|build\.rs))/ },
    publishedBy: ['Cargo.toml'],
    unpublished: /^publish\s*=\s*false/m,
    registered:
      /#\[\s*(?!(?:derive|inline|allow|expect|warn|deny|cfg|cfg_attr|doc|must_use|deprecated|cold|instrument|tracing::instrument|target_feature|rustfmt::skip|non_exhaustive|repr|track_caller)\b)[\w:]+/,
    namedBy: /#\[\s*(?:unsafe\(\s*)?(?:no_mangle|wasm_bindgen|pyfunction|tauri::command)\b/,
    entry: /^main$/,
  },
  overriding: { parent: /^(?:unsafe )?impl\b.*\sfor\s/, absent: /is not a member of trait/ },
};
