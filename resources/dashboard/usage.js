import { bar, cards, choice, make, seconds, size } from '/dom.js';

const measures = {
  calls: { title: 'calls', text: (count) => `${count} ${count === 1 ? 'call' : 'calls'}` },
  answerChars: { title: 'length of answers', text: size },
  argumentChars: { title: 'length of arguments', text: size },
  tookMs: { title: 'time', text: seconds },
};

/** Shows a bar for each tool. */
export function usageView(place) {
  let measure = 'calls';
  let latest;
  const chart = make('div');
  const draw = () => {
    const usage = [...(latest?.usage ?? [])].sort((a, b) => b[measure] - a[measure]);
    const most = Math.max(...usage.map((tool) => tool[measure]), 1);
    chart.replaceChildren(
      cards(
        usage.map((tool) => row(tool, measure, most)),
        'No tool was called.',
      ),
    );
  };
  const options = Object.entries(measures).map(([name, { title }]) => [name, title]);
  const select = choice('Compare by', options, {
    value: measure,
    onchange: (value) => {
      measure = value;
      draw();
    },
  });
  place.append(make('div', { className: 'controls' }, select), chart);
  return ({ state }) => {
    latest = state;
    draw();
  };
}

function row(usage, measure, most) {
  const { tool, calls, failed, incomplete } = usage;
  const problems = [failed > 0 && `${failed} failed`, incomplete > 0 && `${incomplete} incomplete`].filter(Boolean);
  const text = measures[measure].text(usage[measure]);
  return make(
    'div',
    {},
    make(
      'p',
      { className: 'row' },
      make('strong', {}, tool),
      make('span', {}, text),
      make('span', { className: 'soft' }, measure === 'calls' ? '' : measures.calls.text(calls)),
      make('span', { className: 'failed' }, problems.join(', ')),
    ),
    bar(usage[measure] / most),
  );
}
