/** Returns the name of a Java symbol without type parameters and parameters, which its language server adds. */
export function withoutSignature(file: string, name: string): string {
  return file.endsWith('.java') ? name.replace(/[(<].*$/s, '') : name;
}
