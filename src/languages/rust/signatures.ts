import type { SignatureRules } from '../signature-rules.ts';

const named = { name: 'name', lists: ['parameters'] };

/** How signatures look in Rust. */
export const rustSignatures: SignatureRules = {
  calls: {
    calls: { call_expression: { callee: 'function', arguments: 'arguments' } },
    members: { field_expression: 'field', scoped_identifier: 'name' },
    arguments: { lists: ['arguments'], spreads: [], ignored: ['line_comment', 'block_comment'] },
  },
  instantiations: { generic_function: 'function' },
  declarations: { function_item: named, function_signature_item: named },
  lists: ['parameters'],
  parameters: {
    parameter: { is: 'required', name: 'pattern' },
    self_parameter: { is: 'receiver' },
    variadic_parameter: { is: 'rest' },
  },
  comments: ['line_comment', 'block_comment'],
  imports: ['use_declaration'],
  marks: {
    types: ['attribute_item'],
    harmless:
      /^#\[\s*(?:inline|must_use|cfg|cfg_attr|allow|warn|deny|expect|doc|cold|track_caller|deprecated|target_feature|rustfmt|clippy)\b/,
  },
  entryPoints: /^main$/,
  typeQualified: ['scoped_identifier'],
  tokens: 'token_tree',
  sample: (parts) => `fn f(${parts.parameters}) {}\n\nfn g() {\n    f(${parts.arguments});\n}\n`,
  constants: /^(?:-?\d[\w.]*|"[^"\\\n]*"|'[^'\\\n]'|None|true|false|\(\))$/,
};
