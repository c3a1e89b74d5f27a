import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { exit, type Plain, type Program } from '../../../engine/kernel/process/program.js';
import { readSmallFile } from '../../tools/accounts.js';
import { strerror } from '../../tools/framework/tool.js';
import { httpDate, unescapeUrl } from '../http.js';
import { mediaTypeOf } from '../media-types.js';
import { defineApp, html } from './app.js';

interface Settings {
  readonly port: number;
  readonly address?: string;
  readonly home: Bytes | undefined;
  readonly isForeground: boolean;
  readonly verbosity: number;
  /** Why the command line cannot be read. */
  readonly problem?: string;
}

const WITH_VALUE = 'phcrume';
const USAGE =
  'BusyBox v1.37.0 multi-call binary.\n\nUsage: httpd [-ifv[v]] [-c CONFFILE] [-p [IP:]PORT] [-u USER[:GRP]] ' +
  '[-r REALM] [-h HOME]\nor httpd -d/-e/-m STRING\n';

function readSettings(argv: readonly Bytes[]): Settings {
  let [port, home, isForeground, verbosity]: [number, Bytes | undefined, boolean, number] = [80, undefined, false, 0];
  let address: string | undefined;
  const words = argv.slice(1);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!/^-./.test(word)) continue;
    for (let i = 1; i < word.length; i++) {
      const letter = word[i]!;
      if (letter === 'f') isForeground = true;
      else if (letter === 'v') verbosity++;
      else if (WITH_VALUE.includes(letter)) {
        const value = word.slice(i + 1) || words.shift();
        const problem = `option requires an argument -- '${letter}'`;
        if (value === undefined) return { port, home, isForeground, verbosity, problem };
        if (letter === 'p') port = Number(value.slice(value.lastIndexOf(':') + 1));
        if (letter === 'p' && value.includes(':')) address = value.slice(0, value.lastIndexOf(':'));
        if (letter === 'h') home = value;
        break;
      } else return { port, home, isForeground, verbosity, problem: `invalid option -- '${letter}'` };
    }
  }
  const bound = address === undefined || address === '0.0.0.0' ? {} : { address };
  return { port, ...bound, home, isForeground, verbosity };
}

const errorPage = (title: string, text: string): string =>
  `<HTML><HEAD><TITLE>${title}</TITLE></HEAD>\n<BODY><H1>${title}</H1>\n${text}\n</BODY></HTML>\n`;
const NOT_FOUND = html(errorPage('404 Not Found', 'The requested URL was not found'), 404);

const server = defineApp({
  ports: (argv) => [readSettings(argv).port],
  address: (argv) => readSettings(argv).address,
  readyMs: 5,
  logsTo: 'stderr',
  stop: 'ignores',
  headers: ({ sys }) => ({ date: httpDate(sys.now), connection: 'close' }),
  access: (_request, { status }, { own }, { address }) =>
    readSettings(own.argv).verbosity > 0 ? `[::ffff:${address}]: response:${status}` : undefined,
  answer({ route, method }, { own, sys }) {
    const root = (readSettings(own.argv).home ?? sys.cwd()).replace(/\/$/, '');
    if (method !== 'GET' && method !== 'HEAD')
      return html(errorPage('501 Not Implemented', 'The requested method is not recognized'), 501);
    const path = unescapeUrl(route);
    if (path.split('/').includes('..')) return NOT_FOUND;
    try {
      const isFolder = sys.stat(root + path).type === 'directory';
      if (isFolder && !path.endsWith('/')) return { status: 302, headers: { location: `${path}/` } };
      const file = isFolder ? `${root}${path}index.html` : root + path;
      const type = mediaTypeOf(file) ?? 'application/octet-stream';
      return {
        status: 200,
        headers: { 'content-type': type, 'accept-ranges': 'bytes' },
        body: readSmallFile(sys, file),
      };
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return NOT_FOUND;
    }
  },
});

type HttpdState = { argv: Bytes[]; inner: Plain };

/** busybox httpd with files. Left out: CGI, its configuration, passwords, proxies, `-i`, `-d`, `-e`, `-m`. */
const httpd: Program<HttpdState> = {
  start: (argv, sys) => ({ argv: [...argv], inner: server.start(argv, sys) }),
  step({ argv, inner }, sys) {
    const { problem, home, isForeground } = readSettings(argv);
    const fail = (text: string): ReturnType<typeof exit> => {
      sys.write(2, text);
      return exit(1);
    };
    if (problem !== undefined) return fail(`httpd: ${problem}\n${USAGE}`);
    try {
      if (home !== undefined && sys.stat(home).type !== 'directory') throw new SystemError('ENOTDIR');
    } catch (error) {
      return fail(`httpd: can't change directory to '${home ?? ''}': ${strerror(error)}\n`);
    }
    if (isForeground) return server.step(inner, sys);
    // It goes into the background, as process 1 its container ends with it.
    sys.spawn({ path: '/bin/busybox', argv: ['busybox', 'httpd', '-f', ...argv.slice(1)] });
    return exit(0);
  },
};

export const programs: Readonly<Record<string, Program>> = { 'busybox:httpd': httpd as unknown as Program };
