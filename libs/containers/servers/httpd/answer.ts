import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { httpDate, unescapeUrl, type AnswerParts, type HttpRequest } from '../http.js';
import { findAll, type Configuration, type Directive } from './configuration.js';
import { mediaType } from './media.js';
import { errorPage, escapeHtml } from './pages.js';
import { accessOf, blocksFor, findSite, hasOption, lastOf, type Site } from './site.js';

/** An answer, with a line for the error log, or where the request is passed on to. */
export type Plan =
  | { readonly answer: AnswerParts; readonly problem?: Problem }
  | { readonly proxy: Bytes; readonly uri: Bytes };
export interface Problem {
  /** `core:error` */
  readonly source: string;
  readonly text: Bytes;
}

export interface Context {
  readonly sys: Syscalls;
  readonly configuration: Configuration;
  readonly request: HttpRequest;
  readonly port: number;
}

type Blocks = readonly (readonly Directive[])[];

const MAX_ENTRIES = 10_000;

export function planAnswer(context: Context): Plan {
  const { request, configuration, port } = context;
  const url = normalize(unescapeUrl(request.route));
  if (url === undefined) return { answer: errorPage(400) };
  const site = findSite(configuration, port, request.headers['host'] ?? '');
  const plan = planUrl(context, site, url);
  return 'answer' in plan ? withDocument(context, site, url, plan) : plan;
}

/** Without `.`, `..` and repeated slashes; undefined when it leaves the root. */
function normalize(path: string): Bytes | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  const joined = `/${parts.join('/')}`;
  return bytesOf(/\/\.{0,2}$/.test(path) && joined !== '/' ? `${joined}/` : joined);
}

/** What follows a prefix of whole parts; undefined: it is none. */
function after(url: Bytes, prefix: Bytes): Bytes | undefined {
  if (!url.startsWith(prefix)) return undefined;
  const rest = url.slice(prefix.length);
  return rest === '' || prefix.endsWith('/') || rest.startsWith('/') ? rest : undefined;
}

function planUrl(context: Context, site: Site, url: Bytes): Plan {
  const { request } = context;
  for (const { args } of site.chain.flatMap((block) => findAll(block, 'proxypass'))) {
    const [prefix = '', target = ''] = args;
    const rest = after(url, prefix);
    if (rest !== undefined && target !== '!') return proxyTo(target, rest, request);
    if (rest !== undefined) break;
  }
  for (const block of site.chain) {
    const own = block.find(
      ({ name, args }) =>
        name.startsWith('redirect') &&
        redirectPath(name, args) !== undefined &&
        after(url, redirectPath(name, args)!) !== undefined,
    );
    if (own) return { answer: redirect(own, url) };
  }
  const alias = site.chain
    .flatMap((block) => [...findAll(block, 'alias'), ...findAll(block, 'scriptalias')])
    .find(({ args }) => after(url, args[0] ?? '') !== undefined);
  const file = alias ? (alias.args[1] ?? '') + after(url, alias.args[0] ?? '')! : site.documentRoot + url;
  return serve(context, site, file, url);
}

function proxyTo(target: Bytes, rest: Bytes, { queryText }: HttpRequest): Plan {
  const path = /^https?:\/\/[^/]+(\/.*)?$/.exec(target)?.[1] ?? '/';
  const query = queryText === '' ? '' : `?${queryText}`;
  const joined = path.endsWith('/') && rest.startsWith('/') ? path + rest.slice(1) : path + rest;
  return { proxy: target, uri: joined + query };
}

const STATUS: Readonly<Record<string, number>> = { permanent: 301, temp: 302, seeother: 303, gone: 410 };

/** The path of `Redirect [status] path [url]`. */
function redirectPath(name: string, args: readonly Bytes[]): Bytes | undefined {
  if (name === 'redirectmatch') return undefined;
  return args.find((word) => word.startsWith('/'));
}

function redirect({ name, args }: Directive, url: Bytes): AnswerParts {
  const path = redirectPath(name, args)!;
  const at = args.indexOf(path);
  const word = name === 'redirectpermanent' ? 'permanent' : at > 0 ? args[0]!.toLowerCase() : 'temp';
  const status = STATUS[word] ?? (/^\d{3}$/.test(word) ? Number(word) : 302);
  const target = args[at + 1];
  if (target === undefined) return errorPage(status);
  const location = target + after(url, path)!;
  const page = errorPage(status, escapeHtml(location));
  return { ...page, headers: { ...page.headers, location: textOf(location) } };
}

function serve(context: Context, site: Site, path: Bytes, url: Bytes): Plan {
  const { sys, request } = context;
  const file = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const blocks = blocksFor(site, file, url);
  const access = accessOf(blocks);
  if (access === 'denied')
    return refuse(403, 'authz_core:error', `AH01630: client denied by server configuration: ${path}`);
  if (access === 'login') return { answer: askLogin(blocks) };
  if (!['GET', 'HEAD', 'POST', 'OPTIONS'].includes(request.method))
    return { answer: { ...errorPage(405, request.method), headers: { allow: 'GET,POST,OPTIONS,HEAD' } } };
  const handler = lastOf(blocks, 'sethandler')?.args[0];
  if (handler !== undefined && handler !== 'none' && handler !== 'None')
    return refuse(500, 'core:error', `the handler ${handler} is not simulated`);
  try {
    if (sys.stat(file).type !== 'directory') {
      if (url.endsWith('/')) return { answer: errorPage(404) };
      return { answer: readFile(context, blocks, file) };
    }
    if (!url.endsWith('/')) return { answer: addSlash(context, url) };
    return serveDirectory(context, blocks, file, url);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (error.code !== 'EACCES') return { answer: errorPage(404) };
    return refuse(
      403,
      'core:error',
      `(13)Permission denied: AH00035: access to ${url} denied (filesystem path '${file}') because search permissions are missing on a component of the path`,
    );
  }
}

const refuse = (status: number, source: string, text: Bytes): Plan => ({
  answer: errorPage(status),
  problem: { source, text },
});

function askLogin(blocks: Blocks): AnswerParts {
  const name = lastOf(blocks, 'authname')?.args[0] ?? '';
  const page = errorPage(401);
  return { ...page, headers: { ...page.headers, 'www-authenticate': `Basic realm="${textOf(name)}"` } };
}

function addSlash({ request, port }: Context, url: Bytes): AnswerParts {
  const host = request.headers['host'] ?? 'localhost';
  const shown = host.includes(':') || port === 80 ? host : `${host}:${port}`;
  const location = `http://${shown}${textOf(url)}/`;
  const page = errorPage(301, escapeHtml(bytesOf(location)));
  return { ...page, headers: { ...page.headers, location } };
}

function serveDirectory(context: Context, blocks: Blocks, folder: Bytes, url: Bytes): Plan {
  const { sys } = context;
  const names = lastOf(blocks, 'directoryindex')?.args ?? ['index.html'];
  for (const name of names) {
    const file = `${folder}/${name}`;
    if (sys.access(file, '') && sys.stat(file).type === 'file') return { answer: readFile(context, blocks, file) };
  }
  if (context.configuration.modules.includes('autoindex') && hasOption(blocks, 'indexes'))
    return { answer: listDirectory(sys, folder, url) };
  return refuse(
    403,
    'autoindex:error',
    `AH01276: Cannot serve directory ${folder}/: No matching DirectoryIndex (${names.join(',')}) found, and server-generated directory index forbidden by Options directive`,
  );
}

function readFile(context: Context, blocks: Blocks, file: Bytes): AnswerParts {
  const { sys, request } = context;
  if (!sys.access(file, 'r')) throw new SystemError('EACCES');
  const { modified, size } = sys.stat(file);
  const etag = `"${size.toString(16)}-${(modified * 1_000).toString(16)}"`;
  const type = mediaType(blocks, file);
  const headers: Record<string, string> = {
    'last-modified': httpDate(modified),
    etag,
    'accept-ranges': 'bytes',
    ...(type !== undefined && { 'content-type': type }),
    ...addedHeaders(blocks),
  };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers };
  return { status: 200, headers, file: { path: file, size } };
}

/** `Header set|add|append name value`. */
function addedHeaders(blocks: Blocks): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { args } of blocks.flatMap((block) => findAll(block, 'header'))) {
    const words = args[0]?.toLowerCase() === 'always' ? args.slice(1) : args;
    const [action = '', name = '', value = ''] = words;
    if (action.toLowerCase() === 'unset') delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = textOf(value);
  }
  return headers;
}

/** mod_autoindex without fancy indexing. */
function listDirectory(sys: Syscalls, folder: Bytes, url: Bytes): AnswerParts {
  const parent =
    url === '/'
      ? ''
      : `<li><a href="${url.slice(0, url.slice(0, -1).lastIndexOf('/') + 1)}"> Parent Directory</a></li>\n`;
  const lines = sys
    .readDirectory(folder)
    .filter((name) => !name.startsWith('.'))
    .slice(0, MAX_ENTRIES)
    .map((name) => {
      const shown = isFolder(sys, `${folder}/${name}`) ? `${name}/` : name;
      const target = encodeURIComponent(textOf(name)) + (shown === name ? '' : '/');
      return `<li><a href="${target}"> ${escapeHtml(shown)}</a></li>\n`;
    });
  const title = `Index of ${escapeHtml(url === '/' ? url : url.replace(/\/$/, ''))}`;
  const body = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html>\n <head>\n  <title>${title}</title>\n </head>\n <body>\n<h1>${title}</h1>\n<ul>${parent}${lines.join('')}</ul>\n</body></html>\n`;
  return { status: 200, headers: { 'content-type': 'text/html;charset=ISO-8859-1' }, body };
}

function isFolder(sys: Syscalls, path: Bytes): boolean {
  try {
    return sys.stat(path).type === 'directory';
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** ErrorDocument: a text, a file of this site, or another place. */
function withDocument(context: Context, site: Site, url: Bytes, plan: Extract<Plan, { answer: AnswerParts }>): Plan {
  const { status } = plan.answer;
  if (status < 400) return plan;
  const blocks = blocksFor(site, site.documentRoot + url, url);
  const own = blocks
    .flatMap((block) => findAll(block, 'errordocument'))
    .findLast(({ args }) => args[0] === String(status));
  const [, target = ''] = own?.args ?? [];
  if (own === undefined || target === 'default') return plan;
  if (/^https?:\/\//.test(target))
    return { ...plan, answer: { ...errorPage(302, target), headers: { location: textOf(target) } } };
  if (!target.startsWith('/')) return { ...plan, answer: { ...errorPage(status), body: target } };
  const page = planUrl(context, site, target);
  if (!('answer' in page) || page.answer.status !== 200) return plan;
  return { ...plan, answer: { ...page.answer, status } };
}
