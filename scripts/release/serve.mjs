#!/usr/bin/env node
// usage: node scripts/release/serve.mjs <directory> <port>
// Serves a directory of releases on loopback until it is stopped.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve, sep } from 'node:path';
import process from 'node:process';

const [directory = '.', port = '0'] = process.argv.slice(2);
const root = resolve(directory);

createServer((request, response) => {
  const path = resolve(root, `.${decodeURIComponent(request.url ?? '/')}`);
  const found = path.startsWith(`${root}${sep}`) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (!found?.isFile()) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-length': found.size });
  createReadStream(path).pipe(response);
}).listen(Number(port), '127.0.0.1');
