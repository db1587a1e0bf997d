import { post } from '/api.js';
import { choice, field, make, notify, seconds, size, time } from '/dom.js';

const states = ['queued', 'running', 'done', 'incomplete', 'failed', 'cancelled'];

/** Shows the calls, latest first, with filters; those that have not ended can be cancelled. */
export function callsView(place) {
  const filter = { state: '', text: '' };
  const rows = new Map();
  const list = make('ul', { className: 'cards' });
  const count = make('p', { className: 'soft', role: 'status' });
  const apply = () => {
    let visible = 0;
    for (const { element, call } of rows.values()) {
      const text = `${call.tool} ${call.args} ${call.project ?? ''}`.toLowerCase();
      element.hidden = (filter.state !== '' && call.state !== filter.state) || !text.includes(filter.text);
      if (!element.hidden) visible++;
    }
    count.textContent = `${visible} of ${rows.size} calls`;
  };
  const search = make('input', {
    type: 'search',
    oninput: () => {
      filter.text = search.value.toLowerCase();
      apply();
    },
  });
  const byState = choice('State', [['', 'all'], ...states.map((state) => [state, state])], {
    value: '',
    onchange: (value) => {
      filter.state = value;
      apply();
    },
  });
  place.append(
    make('div', { className: 'controls' }, byState, field('Tool, arguments or project', search)),
    count,
    list,
  );
  return ({ calls }) => {
    for (const call of calls) {
      const row = rows.get(call.id) ?? newRow(list);
      rows.set(call.id, row);
      row.call = call;
      fill(row);
    }
    apply();
  };
}

/** Returns a row with parts that are filled again and again, so that it stays open and keeps the focus. */
function newRow(list) {
  const parts = {
    time: make('span', { className: 'soft' }),
    tool: make('strong'),
    state: make('span'),
    took: make('span'),
    chars: make('span', { className: 'soft' }),
    body: make('div'),
  };
  const cancel = make('button', { className: 'danger', type: 'button', hidden: true }, 'Cancel');
  const { time: at, tool, state, took, chars, body } = parts;
  const element = make(
    'li',
    { className: 'card' },
    make('details', {}, make('summary', {}, at, tool, state, took, chars), body),
    cancel,
  );
  const row = { element, parts, cancel, call: undefined };
  cancel.addEventListener('click', async () => {
    try {
      const { isCancelled } = await post('calls/cancel', { id: row.call.id });
      notify(isCancelled ? '' : 'This call has already ended.');
    } catch (error) {
      notify(error.message);
    }
  });
  list.prepend(element);
  return row;
}

function fill({ parts, cancel, call }) {
  const { tool, state, args, project, queuedAtMs, tookMs, answerChars, outcome, gaps, argumentChars } = call;
  parts.time.textContent = time(queuedAtMs);
  parts.tool.textContent = tool;
  parts.state.textContent = state;
  parts.state.className = `state ${state}`;
  parts.took.textContent = tookMs === undefined ? '' : seconds(tookMs);
  parts.chars.textContent = answerChars === undefined ? '' : `${answerChars.toLocaleString()} characters`;
  parts.body.replaceChildren(
    make('p', { className: 'soft' }, `Project: ${project ?? 'none'}`),
    make('p', {}, `Arguments: ${size(argumentChars)}`),
    make('pre', {}, args),
    ...(gaps.length === 0 ? [] : [make('p', { className: 'incomplete' }, `Incomplete: ${gaps.join('; ')}`)]),
    ...(answerChars === undefined ? [] : [make('p', {}, `Answer: ${size(answerChars)}`), make('pre', {}, outcome)]),
  );
  const isOpen = state === 'queued' || state === 'running';
  cancel.hidden = !isOpen;
  cancel.ariaLabel = `Cancel ${tool} of ${time(queuedAtMs)}`;
}
