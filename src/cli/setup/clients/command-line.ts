/** Returns a command quoted for a shell. */
export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (process.platform === 'win32' || !word.includes('\\'))) return word;
  return process.platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
