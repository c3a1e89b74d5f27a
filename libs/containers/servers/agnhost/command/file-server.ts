import { bytesOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { httpDate, httpError, type AnswerParts } from '../../http.js';
import { mediaTypeOf } from '../../media-types.js';
import { readSmallFile } from '../../../tools/accounts.js';

/** Models net/http's FileServer over the whole file system. */
export function serveFile(sys: Syscalls, url: string): AnswerParts {
  const path = bytesOf(url.startsWith('/') ? url : `/${url}`);
  if (path.split('/').includes('..')) return httpError('invalid URL path', 400);
  if (path.endsWith('/index.html')) return redirectTo('./');
  try {
    const { type, modified } = sys.stat(path);
    if (type === 'directory') {
      if (!path.endsWith('/')) return redirectTo(`${path.slice(path.lastIndexOf('/') + 1)}/`);
      return sys.access(`${path}index.html`, 'r') ? fileAnswer(sys, `${path}index.html`, modified) : list(sys, path);
    }
    if (path.endsWith('/')) return redirectTo(`../${path.split('/').at(-2)}`);
    if (!sys.access(path, 'r')) return httpError('403 Forbidden', 403);
    return fileAnswer(sys, path, modified);
  } catch (error) {
    if (error instanceof SystemError) return httpError('404 page not found', 404);
    throw error;
  }
}

const redirectTo = (location: Bytes): AnswerParts => ({ status: 301, headers: { location } });

function fileAnswer(sys: Syscalls, path: Bytes, modified: number): AnswerParts {
  const body = readSmallFile(sys, path);
  const isText = !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(body.slice(0, 512));
  const type = mediaTypeOf(path) ?? (isText ? 'text/plain; charset=utf-8' : 'application/octet-stream');
  return {
    status: 200,
    headers: { 'accept-ranges': 'bytes', 'content-type': type, 'last-modified': httpDate(modified) },
    body,
  };
}

function list(sys: Syscalls, path: Bytes): AnswerParts {
  const lines = sys.readDirectory(path).map((name) => {
    const shown = sys.lstat(`${path}${name}`).type === 'directory' ? `${name}/` : name;
    return `<a href="${shown}">${shown}</a>\n`;
  });
  const body = `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines.join('')}</pre>\n`;
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}
