import { post, read } from '/api.js';
import { act, cards, make } from '/dom.js';
import { projectChoice } from '/project-choice.js';

/** Shows the recorded edits of a project with their diffs; the latest one can be undone and redone. */
export function editsView(place) {
  void projectChoice(place, showEdits);
}

async function showEdits(content, project) {
  const edits = await read('edits', { project });
  const reverse = (kind, id) =>
    act(async () => {
      await post(`edits/${kind}`, { project, id });
      await showEdits(content, project);
    });
  content.replaceChildren(
    cards(
      edits.map((edit) => row(edit, { project, reverse })),
      'No edits are recorded.',
    ),
  );
}

function row({ id, tool, timeMs, paths, isUndone, canUndo, canRedo }, { project, reverse }) {
  const body = make('div');
  const details = make(
    'details',
    {},
    make(
      'summary',
      {},
      make('span', { className: 'soft' }, new Date(timeMs).toLocaleString()),
      make('strong', {}, tool),
      make('span', { className: 'grow' }, paths.join(', ')),
      isUndone && make('span', { className: 'state incomplete' }, 'undone'),
    ),
    body,
  );
  details.addEventListener('toggle', async () => {
    if (!details.open || body.hasChildNodes()) return;
    await act(async () => {
      const files = await read('edits/diff', { project, id });
      body.replaceChildren(...files.map(({ diff }) => make('pre', {}, ...diff.split('\n').map(line))));
    });
  });
  const button = (kind, label) =>
    make('button', { onclick: () => reverse(kind, id), ariaLabel: `${label} ${tool} of ${paths.join(', ')}` }, label);
  return make('div', {}, details, canUndo && button('undo', 'Undo'), canRedo && button('redo', 'Redo'));
}

function line(text) {
  const isHeader = /^(?:\+\+\+|---) /.test(text);
  const kind = isHeader ? '' : text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : '';
  return make('span', { className: kind }, `${text}\n`);
}
