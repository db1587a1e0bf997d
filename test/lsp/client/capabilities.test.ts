import { describe, expect, test } from 'bun:test';
import { Capabilities } from '../../../src/lsp/client/capabilities.ts';

const definition = 'textDocument/definition';
const diagnostic = 'textDocument/diagnostic';

describe('Capabilities', () => {
  test('are those of the handshake, whether `true` or options', () => {
    const capabilities = new Capabilities();
    expect(capabilities.supports(definition)).toBe(false);
    capabilities.initialize({ definitionProvider: true, diagnosticProvider: {}, implementationProvider: false });
    expect(capabilities.supports(definition)).toBe(true);
    expect(capabilities.supports(diagnostic)).toBe(true);
    expect(capabilities.supports('textDocument/implementation')).toBe(false);
    expect(capabilities.supports('textDocument/references')).toBe(false);
  });

  // pyright registers again before it unregisters.
  test('come and go with registrations, each by its own id', () => {
    const capabilities = new Capabilities();
    capabilities.initialize(undefined);
    const register = (id: string) =>
      capabilities.notice('client/registerCapability', { registrations: [{ id, method: diagnostic }] });
    const unregister = (id: string) =>
      capabilities.notice('client/unregisterCapability', { unregisterations: [{ id, method: diagnostic }] });
    register('1');
    register('2');
    unregister('1');
    expect(capabilities.supports(diagnostic)).toBe(true);
    unregister('2');
    expect(capabilities.supports(diagnostic)).toBe(false);
    capabilities.notice('client/registerCapability', undefined);
    capabilities.notice('client/registerCapability', { registrations: [null] });
    expect(capabilities.supports(diagnostic)).toBe(false);
  });
});
