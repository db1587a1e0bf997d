// usage: <runtime> flip-links.ts <project> <outside>
// Lets three names in <project> lead now inside, now to <outside>, as fast as it can, until it is killed: `link`, a symlink;
// `dir`, a directory that a symlink takes the place of; `file.py`, a file that a symlink takes the place of. Prints `ready`
// after the first round. A directory beside the project keeps what is not in place.
import { linkSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , project = '', outside = ''] = process.argv;
const own = (...segments: string[]) => join(project, ...segments);
const hold = (name: string) => join(`${project}-hold`, name);
let replaced = 0;

/** Puts a prepared entry in place; a directory that a tool makes there meanwhile is put away, if the tool does not do so. */
function place(prepared: string, name: string): void {
  for (;;) {
    if (tryRename(prepared, own(name))) return;
    replaced += 1;
    tryRename(own(name), hold(`replaced-${replaced}`));
  }
}

/** Moves the directory out of its place; a tool may have made or removed one in either. */
function putAway(): void {
  while (!tryRename(own('dir'), hold('dir'))) {
    replaced += 1;
    tryRename(hold('dir'), hold(`replaced-${replaced}`));
    mkdirSync(own('dir'), { recursive: true });
  }
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function symlinkTo(target: string, name: string): void {
  const prepared = hold(`${name}-link`);
  symlinkSync(target, prepared);
  place(prepared, name);
}

function flip(isOut: boolean): void {
  symlinkTo(isOut ? outside : own('inside'), 'link');
  if (isOut) {
    symlinkTo(join(outside, 'a.py'), 'file.py');
    putAway();
    symlinkTo(outside, 'dir');
    return;
  }
  linkSync(hold('file.py'), hold('file-copy.py'));
  place(hold('file-copy.py'), 'file.py');
  unlinkSync(own('dir'));
  place(hold('dir'), 'dir');
}

for (const directory of [own('inside'), own('dir'), hold('')]) mkdirSync(directory, { recursive: true });
for (const file of [own('inside/a.py'), own('dir/a.py'), own('file.py'), hold('file.py')]) {
  writeFileSync(file, 'def inside():\n    return "inside"\n');
}
for (let round = 0; ; round++) {
  flip(round % 2 === 0);
  if (round === 1) console.log('ready');
}
