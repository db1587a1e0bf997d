import { ownValue } from '../../base/own-value.ts';

/** Tools and parameters that messages name, and what replaces them on the command line. */
const replacements: Readonly<Record<string, string>> = {
  get_symbols_overview: 'serena overview',
  find_symbol: 'serena find',
  find_referencing_symbols: 'serena refs',
  find_implementations: 'serena implementations',
  symbol_hierarchy: 'serena hierarchy',
  changed_symbols: 'serena changed',
  find_declaration: 'serena declaration',
  get_diagnostics_for_file: 'serena diagnostics',
  get_diagnostics_for_symbol: 'serena diagnostics',
  rename_symbol: 'serena rename',
  replace_symbol_body: 'serena replace',
  search_for_pattern: 'serena search',
  substring_matching: '--substring',
  include_body: '--body',
};

/** Returns a hint or note for agents with the names of commands and options in place of those of tools and parameters. */
export function inCommands(text: string): string {
  return text
    .replace(/set `force` to true/g, 'add `--force`')
    .replace(/(call )?`(\w+)`/gi, (whole, call: string | undefined, name: string) => {
      const replacement = ownValue(replacements, name);
      if (replacement === undefined) return whole;
      const verb = call === undefined ? '' : call.startsWith('C') ? 'Run ' : 'run ';
      return `${verb}\`${replacement}\``;
    });
}
