import { defineServer } from '../../servers/spec.ts';
import { referencesOfAll } from '../references-of-all.ts';
import { python } from './servers.ts';

export const pythonTy = defineServer({
  id: 'python_ty',
  name: 'ty',
  homepage: 'https://docs.astral.sh/ty',
  files: python.files,
  needsExplicitChoice: true,
  install: [{ from: 'pypi', packages: { ty: '0.0.105' }, run: { program: 'bin/ty{exe}' } }],
  versionKey: 'ty_version',
  args: ['server'],
  ready: { when: 'initialized' },
  watchedFiles: ['ty.toml', 'pyproject.toml'],
  ignoredDirectories: python.ignoredDirectories,
  quirks: { references: referencesOfAll },
  symbolsVersion: 1,
});
