#!/usr/bin/env node
// The page's own server: its files, and a session for each visitor. The key stays here; a visitor is given a token that
// reads one cluster for ten minutes.
//
//   TERRARIUM_URL=http://localhost:8080 TERRARIUM_KEY=tk_… CLUSTER_ID=c… node examples/embed/serve.mjs
import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/main.js': ['main.js', 'text/javascript; charset=utf-8'],
  '/terrarium-view.js': ['terrarium-view.js', 'text/javascript; charset=utf-8'],
};
const TOKEN = { scope: 'read', ttl: '10m' };

/** Asks the platform for a token of the cluster. */
async function openSession({ url, key, clusterId }) {
  const response = await fetch(`${url}/v1/clusters/${clusterId}/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(TOKEN),
  });
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`);
  const { token, expiresAt } = await response.json();
  return { url, clusterId, token, expiresAt };
}

async function answer(request, response, terrarium) {
  if (request.method === 'POST' && request.url === '/session') {
    const session = await openSession(terrarium());
    return response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(session));
  }
  const [name, type] = FILES[request.url] ?? [];
  if (request.method !== 'GET' || !name) return response.writeHead(404).end();
  return response.writeHead(200, { 'content-type': type }).end(await fs.readFile(path.join(import.meta.dirname, name)));
}

/** `terrarium()` gives `{ url, key, clusterId }`. Resolves with the server, when it listens. */
export function servePage(terrarium, port = 0) {
  const server = http.createServer((request, response) => {
    answer(request, response, terrarium).catch((error) => {
      console.error(error.message);
      response.writeHead(502).end();
    });
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { TERRARIUM_URL: url, TERRARIUM_KEY: key, CLUSTER_ID: clusterId, PORT = '3000' } = process.env;
  if (!url || !key || !clusterId) {
    console.error('Set TERRARIUM_URL, TERRARIUM_KEY and CLUSTER_ID.');
    process.exit(1);
  }
  await servePage(() => ({ url, key, clusterId }), Number(PORT));
  console.log(`http://127.0.0.1:${PORT}`);
}
