import type { ParsedProfile } from '../language-profile.ts';
import type { OutlineRules } from '../outline-rules.ts';
import { dollarHoles, hashComments } from '../shared-syntax.ts';

/** Lists what bash-language-server lists: a flat list that contains the variables of functions. */
const outline: OutlineRules = {
  symbols: {
    function_definition: { kind: 'function', isTransparent: true },
    variable_assignment: { kind: 'variable', body: [], isWeak: true },
  },
  enter: 'all',
  names: ['word', 'variable_name'],
  identifiers: ['variable_name', 'word'],
};

export const profile: ParsedProfile = {
  ids: ['shellscript'],
  extensions: ['.sh', '.bash'],
  grammar: 'tree-sitter-bash/tree-sitter-bash.wasm',
  outline,
  lexis: {
    inert: [String.raw`(?<![\w$\\{])#[^\n]*`, `'[^']*'?`],
    templates: [String.raw`"(?:\\[\s\S]|[^"\\])*"?`],
    holes: dollarHoles,
    leaksLocals: true,
  },
  names: {
    language: 'shell',
    pattern: /^[\p{L}_][\p{L}\p{N}_:.-]*$/u,
    reserved: 'if then else elif fi do done case esac while until for in function select time',
  },
  attached: hashComments,
};
