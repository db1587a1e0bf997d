import { defineServer, onPath } from '../servers/spec.ts';

export const groovy = defineServer({
  id: 'groovy',
  name: 'groovy-language-server',
  homepage: 'https://github.com/GroovyLanguageServer/groovy-language-server',
  files: { '.groovy': 'groovy', '.gvy': 'groovy' },
  install: [
    onPath(
      'groovy-language-server',
      'build groovy-language-server and name its JAR with `ls_specific_settings.groovy.ls_jar_path`',
    ),
  ],
  args: ['{ls_jar_options}'],
  needsExplicitChoice: true,
  ownSettings: { ls_jar_path: null, ls_jar_options: null, ls_java_home_path: null },
  ignoredSettings: ['vscode_java_version'],
  watchedFiles: ['build.gradle'],
});
