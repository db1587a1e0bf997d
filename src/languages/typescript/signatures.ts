import type { CallRules } from '../call-rules.ts';
import type { SignatureRules } from '../signature-rules.ts';

const literal = String.raw`-?\d[\w.]*|"[^"\\\n]*"|'[^'\\\n]*'|null|undefined|true|false|\[\]|\{\}`;

const named = { name: 'name', lists: ['parameters'] };
const valued = ['value.parameters', 'value.parameter'];

/** Returns how signatures look in JavaScript. */
export function javascriptSignatures(calls: CallRules): SignatureRules {
  return {
    calls: { calls: calls.calls, members: calls.members, arguments: calls.arguments },
    declarations: {
      function_declaration: named,
      generator_function_declaration: named,
      method_definition: named,
      variable_declarator: { name: 'name', lists: valued },
      field_definition: { name: 'property', lists: valued },
      pair: { name: 'key', lists: valued },
      assignment_expression: { name: 'left', lists: ['right.parameters', 'right.parameter'] },
    },
    lists: ['formal_parameters'],
    parameters: {
      identifier: { is: 'required', name: '.' },
      assignment_pattern: { is: 'optional', name: 'left', default: 'right' },
      object_pattern: { is: 'required' },
      array_pattern: { is: 'required' },
      rest_pattern: { is: 'rest', name: '0' },
    },
    comments: ['comment'],
    imports: ['import_specifier', 'import_clause', 'namespace_import', 'export_specifier'],
    exports: ['export_statement'],
    construction: {
      name: 'constructor',
      types: { class_declaration: 'name', abstract_class_declaration: 'name', class: 'name' },
      bases: ['extends_clause', 'class_heritage'],
      inert: ['type_identifier'],
      questions: ['instanceof'],
      ends: /^(?:statement_block|program|class_body|\w+_statement|call_expression|new_expression|binary_expression)$/,
      memberParameters: /^(?:public|private|protected|readonly|override)\s/,
      delegations: /\bsuper\s*\(/g,
      unnamed: /\bnew\s+(?:this\b|new\.target\b)/g,
    },
    joinsOverloads: true,
    mayTakeFewer: true,
    hasParameterTags: true,
    reflection: /^arguments$/,
    mayPassFewer: true,
    omitted: 'undefined',
    sample: (parts) => `function f(${parts.parameters}) {}\nf(${parts.arguments});\n`,
    constants: new RegExp(`^(?:${literal})$`),
  };
}

/** Returns how signatures look in TypeScript. */
export function typescriptSignatures(calls: CallRules): SignatureRules {
  const { mayPassFewer: _, ...shared } = javascriptSignatures(calls);
  return {
    ...shared,
    operators: ['await_expression', 'unary_expression', 'binary_expression'],
    declarations: {
      ...shared.declarations,
      function_signature: named,
      method_signature: named,
      abstract_method_signature: named,
      property_signature: { name: 'name', lists: ['type.0.parameters'] },
      public_field_definition: { name: 'name', lists: [...valued, 'type.0.parameters'] },
    },
    parameters: {
      ...shared.parameters,
      required_parameter: { is: 'inner', name: 'pattern', default: 'value' },
      optional_parameter: { is: 'optional', name: 'pattern', default: 'value' },
      this: { is: 'receiver' },
    },
    bodiless: {
      types: ['function_signature', 'method_signature', 'abstract_method_signature', 'property_signature'],
      mark: '?',
    },
  };
}
