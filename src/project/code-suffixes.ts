/**
 * Suffixes of program sources of languages for which a project may have no language server: such files are named in
 * answers instead of dropped (DESIGN 3.2). Texts, data and markup are left out: a name in them is no symbol.
 *
 * Source: the table of servers in `spec/system.md` §15.2, programming languages only.
 */
export const otherCodeSuffixes: readonly string[] = [
  ...['.adb', '.ads', '.al', '.c', '.c++', '.cc', '.clj', '.cljc', '.cljs', '.cpp', '.cr', '.cs', '.cu', '.cxx', '.d'],
  ...['.dart', '.elm', '.erl', '.ex', '.exs', '.f90', '.f95', '.fs', '.fsx', '.gd', '.gleam', '.groovy', '.h', '.hh'],
  ...[
    '.hpp',
    '.hrl',
    '.hs',
    '.hx',
    '.hxx',
    '.java',
    '.jl',
    '.kt',
    '.kts',
    '.lean',
    '.lua',
    '.luau',
    '.m',
    '.ml',
    '.mli',
  ],
  ...['.mm', '.nim', '.pas', '.php', '.pl', '.pm', '.ps1', '.psm1', '.r', '.R', '.rb', '.res', '.rs', '.scala', '.sh'],
  ...['.bash', '.sol', '.sv', '.svelte', '.swift', '.v', '.vb', '.vhd', '.vue', '.zig', '.js', '.jsx', '.mjs', '.cjs'],
  ...['.ts', '.tsx', '.mts', '.cts', '.py', '.pyi', '.go'],
];
