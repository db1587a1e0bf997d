import type { SignatureRules } from '../signature-rules.ts';

/** How signatures look in C++. */
export const cppSignatures: SignatureRules = {
  calls: {
    calls: { call_expression: { callee: 'function', arguments: 'arguments' } },
    members: { field_expression: 'field', qualified_identifier: 'name' },
    arguments: { lists: ['argument_list'], spreads: ['parameter_pack_expansion'], ignored: ['comment'] },
  },
  instantiations: { template_function: 'name', template_method: 'name' },
  declarations: { function_declarator: { name: 'declarator', lists: ['parameters'], around: 'function_definition' } },
  lists: ['parameter_list'],
  parameters: {
    parameter_declaration: { is: 'required', name: 'declarator*' },
    optional_parameter_declaration: { is: 'optional', name: 'declarator*', default: 'default_value' },
    variadic_parameter_declaration: { is: 'rest' },
  },
  comments: ['comment'],
  imports: ['using_declaration'],
  defaultsOnce: true,
  hasOverloads: true,
  hasMacros: true,
  sample: (parts) => `void f(${parts.parameters});\n\nvoid g() {\n  f(${parts.arguments});\n}\n`,
  constants: /^(?:-?\d[\w.]*|"[^"\\\n]*"|'[^'\\\n]'|nullptr|true|false|\{\})$/,
};
