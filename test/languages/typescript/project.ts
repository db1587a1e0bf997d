/** Returns the settings of a project that `server` serves: tests whose projects have the same settings share a server. */
export function projectOf(server: string): Readonly<Record<'.serena/project.yml' | 'tsconfig.json', string>> {
  return {
    '.serena/project.yml': `languages: [${server}]\n`,
    'tsconfig.json':
      '{ "compilerOptions": { "target": "es2022", "lib": ["es2022"], "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true, "allowJs": true, "checkJs": true, "jsx": "preserve", "types": [] }, "include": ["src"] }\n',
  };
}
