import type { SignatureRules } from '../signature-rules.ts';

const named = { name: 'name', lists: ['parameters'] };

/** How signatures look in Go. */
export const goSignatures: SignatureRules = {
  calls: {
    calls: { call_expression: { callee: 'function', arguments: 'arguments' } },
    members: { selector_expression: 'field' },
    arguments: { lists: ['argument_list'], spreads: ['variadic_argument'], ignored: ['comment'] },
  },
  instantiations: { index_expression: 'operand' },
  declarations: { function_declaration: named, method_declaration: named, method_elem: named },
  lists: ['parameter_list'],
  parameters: {
    parameter_declaration: { is: 'required', names: 'name' },
    variadic_parameter_declaration: { is: 'rest', name: 'name' },
  },
  comments: ['comment'],
  imports: ['import_declaration'],
  entryPoints: /^(?:main|init)$|^(?:Test|Benchmark|Fuzz|Example)(?![a-z])/,
  mayPassReceiver: 'before name',
  namesAllOrNone: true,
  sample: (parts) => `package p\n\nfunc f(${parts.parameters}) {}\n\nfunc g() {\n\tf(${parts.arguments})\n}\n`,
  constants: /^(?:-?\d[\w.]*|"[^"\\\n]*"|nil|true|false)$/,
};
