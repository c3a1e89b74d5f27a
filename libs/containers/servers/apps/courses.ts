import { bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { plainText } from '../http.js';
import { defineApp, html, type AppServer } from './app.js';

const CONFIG = '/usr/shared/app/config.json';
const MAX_CONFIG = 65_536;

/** dgkanatsios/simpleapp, of an exercise collection; npm is its first process. */
const simpleApp = defineApp({
  ports: () => [8_080],
  stop: 'ignores',
  log: () => ['', '> simpleapp@1.0.0 start /usr/src/app', '> node server.js', '', 'Running on http://0.0.0.0:8080'],
  access: (_request, _answer, { sys }, { address }) => `IP: ${address} on ${new Date(sys.now).toISOString()}`,
  answer: ({ route }, { sys }) =>
    route === '/'
      ? html(`Hello world from ${textOf(sys.hostname)}\n`)
      : html(`<!DOCTYPE html>\n<html lang="en">\n<pre>Cannot GET ${route}</pre>\n</html>\n`, 404),
});

/** bmuschko/nodejs-hello-world, of a book on the exams: the same answer to everything. */
const helloWorld = defineApp({
  ports: () => [3_000],
  stop: 'ignores',
  log: () => ['Magic happens on port 3000'],
  answer: () => plainText('Hello World\n'),
});

/** bmuschko/nodejs-read-config: shows a file that an init container has brought, and ends with an error without it. */
const readConfig = defineApp({
  ports: () => [8_080],
  stop: 'ignores',
  log: () => ['Server running at http://0.0.0.0:8080/'],
  answer(_request, server) {
    const config = readDatabase(server);
    if (config !== undefined) return plainText(`Database URL: ${config}\n`);
    server.exit(1);
    return plainText('', 500);
  },
});

function readDatabase({ sys, err }: AppServer): string | undefined {
  try {
    const file = sys.open(bytesOf(CONFIG), { read: true });
    const text = sys.read(file, MAX_CONFIG);
    sys.close(file);
    const { dbConfig } = JSON.parse(textOf(text ?? '')) as { dbConfig: Record<string, unknown> };
    return `${String(dbConfig['host'])}:${String(dbConfig['port'])}/${String(dbConfig['dbName'])}`;
  } catch (error) {
    const isMissing = error instanceof SystemError;
    err(
      isMissing
        ? `Error: ${error.code}: ${error.message.toLowerCase()}, open '${CONFIG}'\n`
        : `SyntaxError: Unexpected token in JSON\n`,
    );
    return undefined;
  }
}

export const programs: Readonly<Record<string, Program>> = {
  'apps:simpleapp': simpleApp,
  'apps:nodejs-hello-world': helloWorld,
  'apps:nodejs-read-config': readConfig,
};
