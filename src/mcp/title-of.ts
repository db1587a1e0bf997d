/** Returns the title of a tool or a parameter: `find_symbol` → `Find Symbol`. */
export function titleOf(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
