/** Prefix that some clients put before the names of our tools. */
const clientPrefix = 'mcp__serena__';

/** Returns the name of the tool that a client means by `name` (`spec/tools.md` §2.1). */
export function canonicalToolName(name: string): string {
  return name.startsWith(clientPrefix) ? name.slice(clientPrefix.length) : name;
}
