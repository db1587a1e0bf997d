import type { CallRules } from '../call-rules.ts';
import type { SignatureRules } from '../signature-rules.ts';

const literal = String.raw`-?\d[\w.]*|[bBrRuU]{0,2}(?:"[^"\\\n]*"|'[^'\\\n]*')|None|True|False|\.\.\.|\(\)`;

/** Returns how signatures look in Python. */
export function pythonSignatures(calls: CallRules): SignatureRules {
  return {
    calls,
    declarations: { function_definition: { name: 'name', lists: ['parameters'] } },
    lists: ['parameters'],
    parameters: {
      identifier: { is: 'required', name: '.' },
      typed_parameter: { is: 'inner', name: '0' },
      default_parameter: { is: 'optional', name: 'name', default: 'value' },
      typed_default_parameter: { is: 'optional', name: 'name', default: 'value' },
      list_splat_pattern: { is: 'rest', name: '0' },
      dictionary_splat_pattern: { is: 'keyword-rest', name: '0' },
      positional_separator: { is: 'end-of-positional' },
      keyword_separator: { is: 'begin-of-keywords' },
    },
    comments: ['comment'],
    imports: ['import_statement', 'import_from_statement', 'future_import_statement'],
    exportingStrings: 'string_content',
    mayPassReceiver: 'as parameter',
    construction: {
      name: '__init__',
      isCalledByName: true,
      replacedBy: '__new__',
      types: { class_definition: 'name' },
      bases: ['argument_list'],
      inert: ['type', 'comparison_operator', 'except_clause'],
      questions: ['isinstance', 'issubclass'],
      ends: /^(?:block|module|lambda|\w+_statement|.*call)$/,
      unnamed: /\bcls\s*\(|\btype\(\s*self\s*\)\s*\(|\b__class__\s*\(/g,
    },
    joinsOverloads: true,
    hasKeywords: true,
    reflection: /^(?:locals|vars)$/,
    sample: (parts) => `def f(${parts.parameters}):\n    pass\nf(${parts.arguments})\n`,
    constants: new RegExp(`^(?:${literal})$`),
  };
}
