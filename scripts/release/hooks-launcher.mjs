#!/usr/bin/env node
// The command `serena-hooks`, an alias of `serena hooks`.
import process from 'node:process';

process.argv.splice(2, 0, 'hooks');
await import('./launcher.mjs');
