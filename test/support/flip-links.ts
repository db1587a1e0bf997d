// usage: <runtime> flip-links.ts <project> <outside>
// Switches three names in <project> between the inside of the project and <outside>, as fast as it can, until it is
// killed: `link`, a symlink; `dir`, a directory that a symlink replaces; `file.py`, a file that a symlink replaces.
// Prints `ready` after the first round. The directory `<project>-hold` contains the entries that are not in use.
import { linkSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , project = '', outside = ''] = process.argv;
const own = (...segments: string[]) => join(project, ...segments);
const hold = (name: string) => join(`${project}-hold`, name);
let replaced = 0;

/** Renames a prepared entry to its name; moves away a directory that a tool creates there meanwhile. */
function place(prepared: string, name: string): void {
  for (;;) {
    if (tryRename(prepared, own(name))) return;
    replaced += 1;
    tryRename(own(name), hold(`replaced-${replaced}`));
  }
}

/** Moves `dir` out of the project; a tool may have created or removed either directory meanwhile. */
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
