import { bytesOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { sizeOfBody, type AnswerParts, type HttpRequest } from '../http.js';
import { findAll, type Directive } from './configuration.js';
import { accessTime } from './lines.js';

export interface Access {
  readonly request: HttpRequest;
  readonly answer: AnswerParts;
  readonly address: string;
  readonly port: number;
  readonly at: number;
  readonly pid: number;
  readonly host: Bytes;
}

const FORMATS: Readonly<Record<string, Bytes>> = {
  common: '%h %l %u %t "%r" %>s %b',
  combined: '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
};

/** The logs of a server: file and format. A virtual host with logs of its own hides those of the main server. */
export function logsOf(chain: readonly (readonly Directive[])[]): readonly { file: Bytes; format: Bytes }[] {
  const block = chain.findLast((one) => findAll(one, 'customlog').length > 0) ?? [];
  const formats = chain.flatMap((one) => findAll(one, 'logformat'));
  return findAll(block, 'customlog').map(({ args: [file = '', format = 'common'] }) => ({
    file,
    format: formats.findLast(({ args }) => args[1] === format)?.args[0] ?? FORMATS[format] ?? format,
  }));
}

/** One line of mod_log_config. */
export function formatAccess(format: Bytes, access: Access): Bytes {
  return format
    .replaceAll('\\"', '"')
    .replace(/%[<>]?(?:\{([^}]*)\})?([a-zA-Z%])/g, (_whole, name: string | undefined, letter: string) =>
      valueOf(letter, name ?? '', access),
    );
}

function valueOf(letter: string, name: string, { request, answer, address, port, at, pid, host }: Access): Bytes {
  const size = request.method === 'HEAD' || answer.status === 304 ? 0 : sizeOfBody(answer);
  const header = (value: string | readonly string[] | undefined): Bytes =>
    value === undefined ? '-' : bytesOf(typeof value === 'string' ? value : value.join(', '));
  const values: Readonly<Record<string, Bytes>> = {
    '%': '%',
    ...{ h: address, a: address, l: '-', u: '-', t: accessTime(at), s: String(answer.status), p: String(port) },
    r: `${request.method} ${request.path} HTTP/1.1`,
    b: size === 0 ? '-' : String(size),
    B: String(size),
    ...{ m: request.method, U: request.route, q: request.queryText === '' ? '' : `?${request.queryText}` },
    ...{ H: 'HTTP/1.1', D: '0', T: '0', P: String(pid), v: host, V: host, f: answer.file?.path ?? '-' },
    i: header(request.headers[name.toLowerCase()]),
    o: header(answer.headers?.[name.toLowerCase()]),
    ...{ e: '-', I: '0', O: String(size), X: request.keepsAlive ? '+' : '-', k: '0', L: '-' },
  };
  return values[letter] ?? '-';
}
