import type { AnswerParts } from '../../../../engine/node/cni/http-bytes.js';

const TITLES: Readonly<Record<number, string>> = {
  301: '301 Moved Permanently',
  302: '302 Found',
  303: '303 See Other',
  307: '307 Temporary Redirect',
  308: '308 Permanent Redirect',
  400: '400 Bad Request',
  401: '401 Authorization Required',
  403: '403 Forbidden',
  404: '404 Not Found',
  413: '413 Request Entity Too Large',
  500: '500 Internal Server Error',
  502: '502 Bad Gateway',
  503: '503 Service Temporarily Unavailable',
  504: '504 Gateway Time-out',
};

/** A page that nginx makes by itself, without its version. */
export function page(status: number, headers: Readonly<Record<string, string>> = {}): AnswerParts {
  const title = TITLES[status] ?? String(status);
  const body =
    `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n` +
    '<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n';
  return { status, headers: { 'content-type': 'text/html', ...headers }, body };
}

/** What nginx says to a client that speaks plain HTTP where TLS is spoken. */
export const PLAIN_TO_TLS: AnswerParts = {
  status: 400,
  headers: { 'content-type': 'text/html' },
  body:
    '<html>\r\n<head><title>400 The plain HTTP request was sent to HTTPS port</title></head>\r\n<body>\r\n' +
    '<center><h1>400 Bad Request</h1></center>\r\n<center>The plain HTTP request was sent to HTTPS port</center>\r\n' +
    '<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
};
