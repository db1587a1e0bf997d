import { read } from '/api.js';
import { act, field, make } from '/dom.js';
import { projectChoice } from '/project-choice.js';

const titles = { supertypes: 'Supertypes', callers: 'Callers', callees: 'Callees', subtypes: 'Subtypes' };
const svgNamespace = 'http://www.w3.org/2000/svg';

/** Shows a symbol with its callers, callees, supertypes and subtypes, each of which can be shown in its place. */
export function symbolsView(place) {
  void projectChoice(place, showSearch);
}

async function showSearch(content, project) {
  const name = make('input', { required: true, placeholder: 'Basket/total' });
  const path = make('input', { placeholder: 'any file' });
  const graph = make('div', { className: 'graph' });
  const show = (symbol) =>
    act(async () => {
      name.value = symbol.name;
      path.value = symbol.path;
      graph.replaceChildren(make('p', { role: 'status' }, `Asking for ${symbol.name}`));
      try {
        const query = { project, name_path: symbol.name, relative_path: symbol.path };
        draw(graph, { symbol, groups: await read('symbol', query) }, show);
      } catch (error) {
        graph.replaceChildren();
        throw error;
      }
    });
  const form = make('form', {}, field('Name path', name), field('File', path), make('button', {}, 'Show'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show({ name: name.value, path: path.value });
  });
  content.replaceChildren(form, graph);
}

function draw(graph, { symbol, groups }, show) {
  const lines = document.createElementNS(svgNamespace, 'svg');
  lines.setAttribute('aria-hidden', 'true');
  const center = make('p', { className: 'card center' }, make('strong', {}, symbol.name), ` ${symbol.path}`);
  graph.replaceChildren(lines, center, ...groups.map((group) => groupOf(group, show)));
  const connect = () => connectNodes({ graph, lines, center });
  connect();
  const observer = new ResizeObserver(() => (graph.isConnected ? connect() : observer.disconnect()));
  observer.observe(graph);
}

function groupOf({ kind, neighbors, problem, labels }, show) {
  const nodes = neighbors.map((neighbor) =>
    make(
      'li',
      {},
      make(
        'button',
        { className: 'node', onclick: () => show(neighbor) },
        make('strong', {}, neighbor.name),
        make('span', { className: 'soft' }, neighbor.path),
      ),
    ),
  );
  const none = make('p', { className: 'soft' }, problem ?? 'none');
  const list = nodes.length === 0 ? none : make('ul', {}, ...nodes);
  const about = labels !== undefined && make('p', { className: 'soft labels' }, labels);
  return make('section', { className: kind }, make('h3', {}, `${titles[kind]} (${neighbors.length})`), list, about);
}

/** Draws a line from each node to the symbol in the middle. */
function connectNodes({ graph, lines, center }) {
  const origin = graph.getBoundingClientRect();
  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left - origin.left + width / 2, top - origin.top + height / 2];
  };
  const [x, y] = middle(center);
  lines.replaceChildren(
    ...[...graph.querySelectorAll('.node')].map((node) => {
      const [toX, toY] = middle(node);
      const line = document.createElementNS(svgNamespace, 'line');
      for (const [name, value] of Object.entries({ x1: x, y1: y, x2: toX, y2: toY })) line.setAttribute(name, value);
      return line;
    }),
  );
}
