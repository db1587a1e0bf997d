import type { SignatureRules } from '../signature-rules.ts';

/** How signatures look in Java. */
export const javaSignatures: SignatureRules = {
  calls: {
    calls: {
      method_invocation: { callee: 'name', arguments: 'arguments' },
      object_creation_expression: { callee: 'type', arguments: 'arguments', isConstruction: true },
      explicit_constructor_invocation: { callee: 'constructor', arguments: 'arguments' },
    },
    members: { field_access: 'field' },
    arguments: { lists: ['argument_list'], spreads: [], ignored: ['line_comment', 'block_comment'] },
  },
  instantiations: { generic_type: '0', scoped_type_identifier: '1' },
  declarations: {
    method_declaration: { name: 'name', lists: ['parameters'] },
    constructor_declaration: { name: 'name', lists: ['parameters'] },
  },
  lists: ['formal_parameters'],
  parameters: {
    formal_parameter: { is: 'required', name: 'name' },
    spread_parameter: { is: 'rest' },
    receiver_parameter: { is: 'receiver' },
  },
  comments: ['line_comment', 'block_comment'],
  imports: ['import_declaration'],
  construction: {
    types: { class_declaration: 'name', enum_declaration: 'name', record_declaration: 'name' },
    bases: ['superclass'],
    inert: ['type_identifier'],
    ends: /^(?:block|class_body|program)$/,
    delegations: /\b(?:super|this)\s*\(/g,
  },
  hasSeparateFunctionNames: true,
  hasOverloads: true,
  hasParameterTags: true,
  sample: (parts) => `class C {\n  void f(${parts.parameters}) {}\n  void g() {\n    f(${parts.arguments});\n  }\n}\n`,
  constants: /^(?:-?\d[\w.]*|"[^"\\\n]*"|'[^'\\\n]'|null|true|false)$/,
};
