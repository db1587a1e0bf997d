/** File extensions that the reminder counts as source code; the same as in the reference product. */
export const codeExtensions: readonly string[] = [
  ...[
    '.al',
    '.astro',
    '.bash',
    '.c',
    '.clj',
    '.cljs',
    '.cpp',
    '.cs',
    '.css',
    '.dart',
    '.elm',
    '.ex',
    '.exs',
    '.fs',
    '.fsx',
  ],
  ...['.go', '.graphql', '.gql', '.groovy', '.h', '.hcl', '.hpp', '.hs', '.html', '.java', '.jl', '.js', '.json'],
  ...['.jsonc', '.jsx', '.kt', '.kts', '.lean', '.lua', '.m', '.matlab', '.nf', '.php', '.proto', '.ps1', '.py', '.r'],
  ...['.rb', '.rs', '.scala', '.sh', '.sol', '.sql', '.svelte', '.swift', '.tf', '.tfvars', '.toml', '.ts', '.tsx'],
  ...['.vue', '.yaml', '.yml', '.zig'],
];
