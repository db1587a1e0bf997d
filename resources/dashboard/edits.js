import { post, read } from '/api.js';
import { cards, make, notify } from '/dom.js';
import { projectChoice } from '/project-choice.js';

/** Shows the recorded edits of a project with their diffs; the latest one can be undone. */
export function editsView(place) {
  void projectChoice(place, showEdits);
}

async function showEdits(content, project) {
  const edits = await read('edits', { project });
  const undo = async (id) => {
    notify('');
    try {
      await post('edits/undo', { project, id });
      await showEdits(content, project);
    } catch (error) {
      notify(error.message);
    }
  };
  content.replaceChildren(
    cards(
      edits.map((edit) => row(edit, { project, undo })),
      'No edits are recorded.',
    ),
  );
}

function row({ id, tool, timeMs, paths, isUndone, canUndo }, { project, undo }) {
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
    try {
      const files = await read('edits/diff', { project, id });
      body.replaceChildren(...files.map(({ diff }) => make('pre', {}, ...diff.split('\n').map(line))));
    } catch (error) {
      notify(error.message);
    }
  });
  const button = make('button', { onclick: () => undo(id), ariaLabel: `Undo ${tool} of ${paths.join(', ')}` }, 'Undo');
  return make('div', {}, details, canUndo && button);
}

function line(text) {
  const isHeader = /^(?:\+\+\+|---) /.test(text);
  const kind = isHeader ? '' : text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : '';
  return make('span', { className: kind }, `${text}\n`);
}
