import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Plain, Program } from '../../../engine/kernel/process/program.js';
import { programs as scripting } from '../../tools/scripting/index.js';
import { httpDate, MONTHS, unescapeUrl } from '../http.js';
import { mediaTypeOf } from '../media-types.js';
import { readSmallFile } from '../../tools/accounts.js';
import { defineApp, html, option } from './app.js';

const portOfPython = (argv: readonly Bytes[]): number =>
  Number(argv.slice(argv.indexOf('http.server') + 1).find((word) => /^\d+$/.test(word)) ?? 8_000);
const errorPage = (code: number, message: string, explained: string): string =>
  `<!DOCTYPE HTML>\n<html lang="en">\n    <head>\n        <meta charset="utf-8">\n        <title>Error response</title>\n    </head>\n    <body>\n        <h1>Error response</h1>\n        <p>Error code: ${code}</p>\n        <p>Message: ${message}.</p>\n        <p>Error code explanation: ${code} - ${explained}.</p>\n    </body>\n</html>\n`;

/** The last frames of what http.server prints when it cannot bind. */
const TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "<frozen runpy>", line 198, in _run_module_as_main',
  '  File "<frozen runpy>", line 88, in _run_code',
  '  File "/usr/local/lib/python3.13/http/server.py", line 1323, in <module>',
  '    test(',
  '  File "/usr/local/lib/python3.13/socketserver.py", line 473, in server_bind',
  '    self.socket.bind(self.server_address)',
  '    ~~~~~~~~~~~~~~~~^^^^^^^^^^^^^^^^^^^^^',
].join('\n');

const pythonServer = defineApp({
  ports: (argv) => [portOfPython(argv)],
  address: (argv) => option(argv, 'bind') ?? (argv.includes('-b') ? argv[argv.indexOf('-b') + 1] : undefined),
  taken: (_port, why) => `${TRACEBACK}\nOSError: [Errno 98] ${why}\n`,
  readyMs: 150,
  // Without -u Python keeps what it prints to a pipe to itself until a buffer is full: requests are on standard error.
  logsTo: 'stderr',
  stop: 'ignores',
  headers: ({ sys }) => ({ server: 'SimpleHTTP/0.6 Python/3.13.1', date: httpDate(sys.now) }),
  access: ({ method, path }, { status }, { sys }, { address }) => {
    const at = new Date(sys.now);
    return `${address} - - [${String(at.getUTCDate()).padStart(2, '0')}/${MONTHS[at.getUTCMonth()]}/${at.getUTCFullYear()} ${at.toISOString().slice(11, 19)}] "${method} ${path} HTTP/1.1" ${status} -`;
  },
  answer({ route, method }, { own, sys }) {
    const given =
      option(own.argv, 'directory') ?? (own.argv.includes('-d') ? own.argv[own.argv.indexOf('-d') + 1] : undefined);
    const root = (given ?? sys.cwd()).replace(/\/$/, '');
    if (method !== 'GET' && method !== 'HEAD')
      return html(errorPage(501, `Unsupported method ('${method}')`, 'Server does not support this operation'), 501);
    const path = bytesOf(unescapeUrl(route))
      .split('/')
      .filter((name) => name !== '' && name !== '.' && name !== '..')
      .join('/');
    const whole = `${root}/${path}`;
    try {
      const { type } = sys.stat(whole);
      if (type !== 'directory')
        return {
          status: 200,
          headers: { 'content-type': mediaTypeOf(whole) ?? 'application/octet-stream' },
          body: readSmallFile(sys, whole),
        };
      if (!route.endsWith('/')) return { status: 301, headers: { location: `${route}/` } };
      const index = `${whole}/index.html`;
      if (sys.access(index, 'r'))
        return { status: 200, headers: { 'content-type': 'text/html' }, body: readSmallFile(sys, index) };
      const names = sys.readDirectory(whole).map((name): [Bytes, Bytes] => {
        const { type: kind } = sys.lstat(`${whole}/${name}`);
        return kind === 'directory' ? [`${name}/`, `${name}/`] : [name, kind === 'link' ? `${name}@` : name];
      });
      const title = `Directory listing for ${textOf(route)}`;
      return html(
        `<!DOCTYPE HTML>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n</head>\n<body>\n<h1>${title}</h1>\n<hr>\n<ul>\n${names.map(([target, shown]) => `<li><a href="${textOf(target)}">${textOf(shown)}</a></li>\n`).join('')}</ul>\n<hr>\n</body>\n</html>\n`,
      );
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return html(errorPage(404, 'File not found', 'Nothing matches the given URI'), 404);
    }
  },
});

/** Python: its web server, or what the tool knows of the language. */
const python: Program = {
  start: (argv, sys) => {
    const isServer = argv.includes('http.server') && argv.includes('-m');
    return { isServer, inner: (isServer ? pythonServer : scripting['python:python3']!).start(argv, sys) };
  },
  step(state, sys) {
    const { isServer, inner } = state as { isServer: boolean; inner: Plain };
    return (isServer ? pythonServer : scripting['python:python3']!).step(inner, sys);
  },
};

export const programs: Readonly<Record<string, Program>> = { 'apps:python': python };
