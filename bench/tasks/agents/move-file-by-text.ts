import { dirname, extname, posix } from 'node:path';
import type { Assignment, MoveFileTask, Work } from '../model.ts';
import { compile } from './compile.ts';
import { Recorder } from './recorder.ts';

/** Moves a file, replaces what names its old path by the new one, and compiles. */
export async function moveFileByText({ task, pack, directory }: Assignment<MoveFileTask>): Promise<Work> {
  const recorder = new Recorder();
  const known = await compile(recorder, pack, directory);
  const [from, to] = [moduleOf(task.file), moduleOf(task.to)];
  await recorder.run('mkdir', ['-p', dirname(task.to)], { cwd: directory });
  await recorder.run('mv', [task.file, task.to], { cwd: directory });
  const [old, renamed] = [from.split('/').at(-1) ?? '', to.split('/').at(-1) ?? ''];
  const include = pack.extensions.map((extension) => `--include=*${extension}`);
  const { output } = await recorder.run('grep', ['-rnwE', `(import|from|include|mod|use).*${old}`, ...include, '.'], {
    cwd: directory,
  });
  const files = [...new Set([...output.matchAll(/^\.\/([^:\n]+):\d+:/gm)].map(([, file = '']) => file))];
  const relative = posix.relative(dirname(task.file), dirname(task.to));
  const path = relative === '' ? renamed : `${relative}/${renamed}`;
  const separator = pack.language === 'python' || pack.language === 'java' ? '.' : '/';
  const edit = `/import|from|include|mod |use /s#\\b${old}\\b#${path.replaceAll('/', separator)}#g`;
  if (files.length > 0) await recorder.run('sed', ['-i', '-E', edit, ...files], { cwd: directory });
  if (pack.language === 'java' && relative !== '') {
    const statement = `s#^package ([^;]*)#package \\1.${relative.replaceAll('/', '.')}#`;
    await recorder.run('sed', ['-i', '-E', statement, task.to], { cwd: directory });
  }
  const { isRight, lines } = await compile(recorder, pack, directory);
  return recorder.work(isRight || (!known.isRight && lines.size <= known.lines.size) ? 'done' : 'open');
}

function moduleOf(file: string): string {
  return file.slice(0, file.length - extname(file).length);
}
