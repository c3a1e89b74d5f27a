import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { httpDate, unescapeUrl, type AnswerParts, type HttpRequest } from '../http.js';
import type { Connection } from '../serve.js';
import { find, findAll, type Directive } from './configuration.js';
import { fileHeaders, pageHeaders } from './headers.js';
import { findRoute, inherited, match, portsOf, type Route } from './route.js';

/** What is to be done for a request: an answer, or a request to another server. */
export type Plan =
  | { readonly answer: AnswerParts; readonly problem?: Bytes }
  | { readonly proxy: Bytes; readonly uri: Bytes };

interface Context {
  readonly sys: Syscalls;
  readonly configuration: readonly Directive[];
  readonly request: HttpRequest;
  readonly connection: Connection;
  readonly version: string;
}

const REASONS: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Authorization Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Not Allowed',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
};
const MAX_REDIRECTS = 10;
const HTML = 'text/html';

export function planAnswer(context: Context): Plan {
  const path = normalize(unescapeUrl(context.request.route));
  return path === undefined ? { answer: errorPage(context, 400) } : planPath(context, path, 0);
}

/** Without `.`, `..` and repeated slashes; undefined when it leaves the root. */
function normalize(path: string): Bytes | undefined {
  const parts: string[] = [];
  const isDirectory = /\/\.{0,2}$/.test(path);
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  const joined = `/${parts.join('/')}`;
  return bytesOf(isDirectory && joined !== '/' ? `${joined}/` : joined);
}

function planPath(context: Context, path: Bytes, depth: number): Plan {
  const { configuration, connection, request } = context;
  const route = findRoute(configuration, connection.port, request.headers['host'] ?? '', path);
  if (route === undefined || depth > MAX_REDIRECTS) return { answer: errorPage(context, 500) };
  const rewritten = rewrite(route, path);
  if (rewritten !== undefined) {
    if ('answer' in rewritten) return { answer: redirect(context, rewritten.answer, rewritten.status) };
    return planPath(context, rewritten.path, depth + 1);
  }
  const own = find(route.location?.block ?? null, 'return') ?? find(route.server.block, 'return');
  if (own !== undefined) return { answer: returnAnswer(context, own.args, path) };
  const pass = find(route.location?.block ?? null, 'proxy_pass');
  if (pass !== undefined)
    return { proxy: expand(context, pass.args[0] ?? '', path), uri: proxyUri(route, path, context) };
  const plan = find(route.location?.block ?? route.server.block, 'try_files')
    ? tryFiles(context, route, path, depth)
    : serveFile(context, route, path);
  return 'answer' in plan ? replaceError(context, route, plan, depth) : plan;
}

type Rewrite = { readonly path: Bytes } | { readonly answer: Bytes; readonly status: number };

function rewrite(route: Route, path: Bytes): Rewrite | undefined {
  for (const { args } of findAll(route.location?.block ?? [], 'rewrite')) {
    const [expression = '', replacement = '', flag = ''] = args;
    const found = match(expression, path, false);
    if (found === undefined) continue;
    const target = replacement.replace(/\$(\d)/g, (_whole, digit: string) => found[Number(digit)] ?? '');
    if (flag === 'permanent' || flag === 'redirect' || /^https?:/.test(target)) {
      return { answer: target, status: flag === 'permanent' ? 301 : 302 };
    }
    if (target !== path) return { path: target };
  }
  return undefined;
}

/** proxy_pass with a path replaces the location's prefix by it. */
function proxyUri({ location }: Route, path: Bytes, { request }: Context): Bytes {
  const target = find(location?.block ?? null, 'proxy_pass')?.args[0] ?? '';
  const own = /^https?:\/\/[^/]+(\/.*)$/.exec(target)?.[1];
  const prefix = location?.args.at(-1) ?? '';
  const query = request.queryText === '' ? '' : `?${request.queryText}`;
  return own === undefined ? request.path : own + path.slice(prefix.length) + query;
}

function expand(context: Context, text: Bytes, path: Bytes): Bytes {
  const { sys, request, connection } = context;
  const host = request.headers['host'] ?? '';
  const values: Record<string, Bytes> = {
    args: request.queryText,
    host: bytesOf(host.replace(/:\d+$/, '')),
    hostname: sys.hostname,
    http_host: bytesOf(host),
    is_args: request.queryText === '' ? '' : '?',
    query_string: request.queryText,
    remote_addr: connection.address,
    request_method: request.method,
    request_uri: request.path,
    scheme: schemeOf(context),
    server_addr: sys.socketName(connection.descriptor).address,
    server_port: String(connection.port),
    uri: path,
  };
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_whole, braced?: string, plain?: string) => {
    const name = (braced ?? plain)!;
    if (name.startsWith('http_')) return bytesOf(request.headers[name.slice(5).replaceAll('_', '-')] ?? '');
    if (name.startsWith('arg_')) return bytesOf(request.query.get(name.slice(4)) ?? '');
    return values[name] ?? '';
  });
}

function returnAnswer(context: Context, args: readonly Bytes[], path: Bytes): AnswerParts {
  const [first = '', text] = args;
  if (!/^\d{3}$/.test(first)) return redirect(context, expand(context, first, path), 302);
  const status = Number(first);
  if ([301, 302, 303, 307, 308].includes(status)) return redirect(context, expand(context, text ?? '', path), status);
  if (text === undefined) return errorPage(context, status);
  const route = findRoute(context.configuration, context.connection.port, context.request.headers['host'] ?? '', path)!;
  const type = inherited(route, 'default_type')?.[0] ?? 'text/plain';
  const body = expand(context, text, path);
  return { status, headers: { ...pageHeaders(type, body.length), ...addedHeaders(context, route, path) }, body };
}

const schemeOf = ({ configuration, connection }: Context): 'http' | 'https' =>
  portsOf(configuration).get(connection.port) ? 'https' : 'http';

function redirect(context: Context, target: Bytes, status: number): AnswerParts {
  const { request, connection } = context;
  const host = request.headers['host'] ?? 'localhost';
  const isBare = target.startsWith('/');
  const scheme = schemeOf(context);
  const isUsual = connection.port === (scheme === 'https' ? 443 : 80);
  const port = host.includes(':') || isUsual ? '' : `:${connection.port}`;
  const location = isBare ? `${scheme}://${host}${port}${target}` : target;
  const page = errorPage(context, status);
  return { ...page, headers: { ...page.headers, location } };
}

/** The page for a request that came to a port of TLS without it. */
export function plainPage({ version }: Pick<Context, 'version'>): AnswerParts {
  const why = '<center>The plain HTTP request was sent to HTTPS port</center>';
  const page = errorPage({ version }, 400);
  const body = textOf(page.body ?? '')
    .replace('400 Bad Request</title>', '400 The plain HTTP request was sent to HTTPS port</title>')
    .replace('</h1></center>', `</h1></center>\r\n${why}`);
  return { ...page, headers: pageHeaders(HTML, body.length), body };
}

/** nginx' own page for a status. */
export function errorPage({ version }: Pick<Context, 'version'>, status: number): AnswerParts {
  const reason = REASONS[status];
  if (reason === undefined) return { status };
  const title = `${status} ${reason}`;
  const page = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/${version}</center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: pageHeaders(HTML, page.length), body: page };
}

function tryFiles(context: Context, route: Route, path: Bytes, depth: number): Plan {
  const { sys } = context;
  const words = find(route.location?.block ?? route.server.block, 'try_files')!.args;
  for (const word of words.slice(0, -1)) {
    const candidate = expand(context, word, path);
    const file = fileOf(route, candidate);
    const type = typeOf(sys, file);
    if (candidate.endsWith('/') ? type === 'directory' : type === 'file') return serveFile(context, route, candidate);
  }
  const last = words.at(-1) ?? '';
  if (/^=\d{3}$/.test(last)) return { answer: errorPage(context, Number(last.slice(1))) };
  if (last.startsWith('@')) return planNamed(context, route, last, path);
  const target = expand(context, last, path).split('?', 1)[0]!;
  return target === path ? serveFile(context, route, path) : planPath(context, target, depth + 1);
}

function planNamed(context: Context, route: Route, name: Bytes, path: Bytes): Plan {
  const location = findAll(route.server.block, 'location').find(({ args }) => args[0] === name);
  const own = find(location?.block ?? null, 'return');
  if (own !== undefined) return { answer: returnAnswer(context, own.args, path) };
  const pass = find(location?.block ?? null, 'proxy_pass')?.args[0];
  return pass === undefined
    ? { answer: errorPage(context, 500) }
    : { proxy: expand(context, pass, path), uri: context.request.path };
}

function fileOf(route: Route, path: Bytes): Bytes {
  const alias = find(route.location?.block ?? null, 'alias')?.args[0];
  if (alias !== undefined) return alias + path.slice((route.location?.args.at(-1) ?? '').length);
  return (inherited(route, 'root')?.[0] ?? '/etc/nginx/html').replace(/\/$/, '') + path;
}

function typeOf(sys: Syscalls, path: Bytes): 'file' | 'directory' | undefined {
  try {
    return sys.stat(path).type === 'directory' ? 'directory' : 'file';
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

function serveFile(context: Context, route: Route, path: Bytes): Plan {
  const { sys, request } = context;
  const file = fileOf(route, path);
  const refuse = (status: number, problem?: Bytes): Plan => ({
    answer: errorPage(context, status),
    ...(problem && { problem }),
  });
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  try {
    if (!path.endsWith('/')) {
      if (sys.stat(file).type === 'directory') return { answer: redirect(context, `${path}/`, 301) };
      return { answer: readAnswer(context, route, file, path) };
    }
    for (const index of inherited(route, 'index') ?? ['index.html']) {
      if (typeOf(sys, `${file}${index}`) === 'file')
        return { answer: readAnswer(context, route, `${file}${index}`, path) };
    }
    sys.stat(file);
    if (inherited(route, 'autoindex')?.[0] === 'on') return { answer: listDirectory(sys, file, path) };
    return refuse(403, `directory index of "${file}" is forbidden`);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (error.code === 'EACCES') return refuse(403, `open() "${file}" failed (13: Permission denied)`);
    const shown = path.endsWith('/') ? `${file}${(inherited(route, 'index') ?? ['index.html'])[0]}` : file;
    return refuse(
      404,
      `${path.endsWith('/') ? `"${shown}" is not found` : `open() "${shown}" failed`} (2: No such file or directory)`,
    );
  }
}

function readAnswer(context: Context, route: Route, file: Bytes, path: Bytes): AnswerParts {
  const { sys } = context;
  if (!sys.access(file, 'r')) throw new SystemError('EACCES');
  const { modified, size } = sys.stat(file);
  const headers = {
    ...fileHeaders(contentType(route, file), modified, size),
    ...addedHeaders(context, route, path),
  };
  if (context.request.headers['if-none-match'] === headers.etag) return { status: 304, headers };
  return { status: 200, headers, file: { path: file, size } };
}

function contentType(route: Route, file: Bytes): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  const types = route.chain.flatMap((block) => findAll(block, 'types')).flatMap(({ block }) => block ?? []);
  const found = types.find(({ args }) => args.includes(ending))?.name;
  return found ?? inherited(route, 'default_type')?.[0] ?? 'text/plain';
}

function addedHeaders(context: Context, route: Route, path: Bytes): Record<string, string> {
  const block = route.chain.find((one) => find(one, 'add_header') !== undefined) ?? [];
  const added = findAll(block, 'add_header').map(({ args: [name = '', value = ''] }) => [
    name.toLowerCase(),
    expand(context, value, path),
  ]);
  return Object.fromEntries(added) as Record<string, string>;
}

function listDirectory(sys: Syscalls, directory: Bytes, path: Bytes): AnswerParts {
  const lines = sys.readDirectory(directory).map((name) => {
    const shown = typeOf(sys, `${directory}${name}`) === 'directory' ? `${name}/` : name;
    const { modified, size, type } = sys.stat(`${directory}${name}`);
    const date = httpDate(modified);
    const when = `${date.slice(5, 7)}-${date.slice(8, 11)}-${date.slice(12, 16)} ${date.slice(17, 22)}`;
    return `<a href="${shown}">${shown}</a>${' '.repeat(Math.max(1, 51 - shown.length))}${when}${(type === 'directory' ? '-' : String(size)).padStart(20)}\r\n`;
  });
  const title = `Index of ${path}`;
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<h1>${title}</h1><hr><pre><a href="../">../</a>\r\n${lines.join('')}</pre><hr></body>\r\n</html>\r\n`;
  return { status: 200, headers: { 'content-type': HTML }, body };
}

/** error_page: the page of another path keeps the status, unless it says `=`. */
function replaceError(
  context: Context,
  route: Route,
  plan: Extract<Plan, { answer: AnswerParts }>,
  depth: number,
): Plan {
  const { status } = plan.answer;
  if (status < 400 || depth > 0) return plan;
  const pages = route.chain.find((block) => find(block, 'error_page') !== undefined) ?? [];
  const args = findAll(pages, 'error_page').find((one) => one.args.slice(0, -1).includes(String(status)))?.args;
  const target = args?.at(-1);
  if (target === undefined || !target.startsWith('/')) return plan;
  const page = planPath(context, target, depth + 1);
  if (!('answer' in page) || page.answer.status >= 400) return plan;
  const override = /^=(\d{3})?$/.exec(args?.find((word) => word.startsWith('=')) ?? '');
  const shown = override === null ? status : Number(override[1] ?? page.answer.status);
  return { ...plan, answer: { ...page.answer, status: shown } };
}
