// usage: bun writing-child.ts <root> For each line on standard input, writes it to one of the project's files in one of
// several ways and prints the relative path.
import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const [, , root = '.'] = process.argv;
const ways: readonly ((path: string, text: string) => string)[] = [
  (path, text) => {
    writeFileSync(join(root, path), text);
    return path;
  },
  (path, text) => {
    appendFileSync(join(root, path), text);
    return path;
  },
  (path, text) => {
    writeFileSync(join(root, `${path}.tmp`), text);
    renameSync(join(root, `${path}.tmp`), join(root, path));
    return path;
  },
  (path, text) => {
    const fd = openSync(join(root, path), 'r+');
    writeSync(fd, text, 0);
    closeSync(fd);
    return path;
  },
  (path, text) => {
    // A new directory, filled at once, then moved, and written to after that.
    const inner = join(dirname(path), 'new', 'inner');
    mkdirSync(join(root, inner), { recursive: true });
    writeFileSync(join(root, inner, 'x.py'), 'nothing');
    const moved = join(dirname(path), `moved_${text.trim()}`);
    renameSync(join(root, dirname(inner)), join(root, moved));
    writeFileSync(join(root, moved, 'inner', 'x.py'), text);
    return join(moved, 'inner', 'x.py');
  },
  (path, text) => {
    rmSync(join(root, path), { force: true });
    writeFileSync(join(root, path), text);
    return path;
  },
];

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const file = (count * 7) % 200;
  const way = ways[count % ways.length];
  console.log(way?.(`d${file % 20}/f${file}.py`, `${line}\n`));
  count++;
}
