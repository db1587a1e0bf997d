// Members that change together because a type is used as an interface.
import { expect } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

// Builds gopls at first use.
const timeoutMs = 15 * 60_000;

const files = {
  'go.mod': 'module example.test/logger\n\ngo 1.21\n',
  'logger.go': `package logger

type Printer interface{ Print(text string) }

type Logger interface{ Warn(text string) }

type Entry struct{}

func (e *Entry) Warn(text string) {}

func (e *Entry) Print(text string) {}

func Twice(e *Entry) {
	e.Warn("a")
	e.Print("b")
}
`,
  // Only this file uses an entry as a logger.
  'logger_external_test.go': `package logger_test

import (
	"testing"

	"example.test/logger"
)

func warn(l logger.Logger) { l.Warn("a") }

func TestWarn(t *testing.T) { warn(&logger.Entry{}) }
`,
};

testUnless(whyNoGo())(
  'a method is renamed with that of an interface which only an external test uses it as',
  async () => {
    const { workspace, client } = await openShared(files);
    const target = { name_path: 'Logger/Warn', relative_path: 'logger.go', new_name: 'Caution' };
    const { blocks, isError } = await client.call('rename_symbol', target);
    expect({ blocks, isError }).toMatchObject({ isError: false });
    for (const file of ['logger.go', 'logger_external_test.go'] as const)
      expect(workspace.read(file)).toBe(files[file].replaceAll('Warn(', 'Caution(').replace('TestCaution', 'TestWarn'));
  },
  timeoutMs,
);

testUnless(whyNoGo())(
  'a method of an interface is not deleted while an implementation is called, and the answer says so',
  async () => {
    const { client } = await openShared(files);
    const target = { name_path_pattern: 'Printer/Print', relative_path: 'logger.go' };
    const { blocks } = await client.call('safe_delete_symbol', target);
    expect(blocks.join('\n')).toContain(
      'Cannot delete `Printer/Print`; incomplete: 1 open\nOpen (0-based lines):\n  it or a member that implements it is used:\n    logger.go:14: ',
    );
  },
  timeoutMs,
);
