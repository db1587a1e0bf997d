/** Returns a command quoted for a shell: `cmd` on Windows, else that of POSIX. */
export function commandLine(words: readonly string[], platform = process.platform): string {
  return words.map((word) => quoted(word, platform)).join(' ');
}

function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === 'win32' || !word.includes('\\'))) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
