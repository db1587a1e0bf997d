/** One test of a JUnit report. */
export interface TestCase {
  /** Relative to the working directory of the runner. */
  readonly file: string;
  /** Names of its suites, outermost first, and its own name, joined by ` > `. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
}

const tag = /<(\/?)(testsuite|testcase|failure|error|skipped)\b([^>]*?)(\/?)>/g;

/** Returns the tests of a report as Bun's runner writes it: suites nest, and the outermost one is the file. */
export function parseJunit(xml: string): TestCase[] {
  const found: TestCase[] = [];
  const suites: string[] = [];
  let current: { file: string; name: string; outcome: TestCase['outcome'] } | undefined;
  const close = () => {
    if (current !== undefined) found.push(current);
    current = undefined;
  };
  for (const [, closing, element, attributes = '', selfClosing] of xml.matchAll(tag)) {
    if (element === 'testsuite') {
      if (closing) suites.pop();
      else if (!selfClosing) suites.push(attribute(attributes, 'name'));
    } else if (element === 'testcase') {
      if (!closing) {
        const name = [...suites.slice(1), attribute(attributes, 'name')].join(' > ');
        current = { file: attribute(attributes, 'file'), name, outcome: 'passed' };
      }
      if (closing || selfClosing) close();
    } else if (current !== undefined && !closing) current.outcome = element === 'skipped' ? 'skipped' : 'failed';
  }
  return found;
}

function attribute(attributes: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return value.replace(/&(#\d+|\w+);/g, (_, entity: string) => {
    if (entity.startsWith('#')) return String.fromCodePoint(Number(entity.slice(1)));
    return { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }[entity] ?? '';
  });
}
