import { defineServer } from '../servers/spec.ts';

export const nextflow = defineServer({
  id: 'nextflow',
  name: 'Nextflow language server',
  homepage: 'https://github.com/nextflow-io/language-server',
  files: { '.nf': 'nextflow' },
  install: [
    {
      from: 'archive',
      version: '26.04.3',
      url: 'https://github.com/nextflow-io/language-server/releases/download/v{version}/{file}',
      assets: { any: { file: 'language-server-all.jar', bin: 'language-server-all.jar' } },
      runs: { by: 'java', args: ['{jvm_options}', '-jar', '{program}'] },
    },
  ],
  requires: [{ program: 'java', hint: 'install Java 17 or newer' }],
  versionKey: 'nextflow_ls_version',
  ownSettings: { java_home: null, jvm_options: [], exclude_patterns: ['work', '.nextflow'] },
  settings: { nextflow: { files: { exclude: '{exclude_patterns}' }, telemetry: { enabled: false } } },
  watchedFiles: ['nextflow.config'],
  // `process ALIGN`, `function trim(reads)`
  nameRules: [{ from: /^(?:process|workflow|function|def|enum|record)\s+/ }, { from: /\(.*$/s }],
  symbolsVersion: 2,
});
