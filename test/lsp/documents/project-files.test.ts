import { describe, expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { toUri } from '../../../src/base/paths.ts';
import { ProjectFiles } from '../../../src/lsp/documents/project-files.ts';

const root = resolve('/projects/my project');
const files = new ProjectFiles(root);

describe('ProjectFiles', () => {
  test.each(['a.py', 'src/ä ß.py', 'src/%20.py', '..a/b.py', 'a:1.py', 'node_modules/lib/index.d.ts'])(
    'converts `%s` to a URI and back',
    (file) => {
      expect(files.fileOf(files.uriOf(file))).toBe(file);
      expect(files.fileAt(files.pathOf(file))).toBe(file);
      expect(files.uriOf(files.pathOf(file))).toBe(files.uriOf(file));
    },
  );

  test.each(['/projects/my project 2/a.py', '/projects/a.py', '/lib/a.py', '/projects/MY PROJECT/a.py'])(
    'names `%s`, which is outside, by its absolute path',
    (path) => {
      const absolute = resolve(path);
      expect(files.fileOf(toUri(absolute))).toBe(absolute);
      expect(files.pathOf(absolute)).toBe(absolute);
      expect(files.uriOf(absolute)).toBe(toUri(absolute));
    },
  );

  test('collapses dots of a path', () => {
    expect(files.fileAt(`${root}/src/../a.py`)).toBe('a.py');
    expect(files.fileAt(`${root}/../a.py`)).toBe(`${root}/../a.py`);
  });

  test('returns a project-relative path as it is', () => {
    expect(files.fileAt('src/a.py')).toBe('src/a.py');
  });

  test('knows no file of other URIs', () => {
    expect(['untitled:1', 'jdt://contents/a.class', 'file:///%ff'].map((uri) => files.fileOf(uri))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
