import type { PodHttpAnswer } from '@terrarium/engine';

const TITLES: Readonly<Record<number, string>> = {
  301: '301 Moved Permanently',
  302: '302 Found',
  308: '308 Permanent Redirect',
  401: '401 Authorization Required',
  403: '403 Forbidden',
  404: '404 Not Found',
  413: '413 Request Entity Too Large',
  502: '502 Bad Gateway',
  503: '503 Service Temporarily Unavailable',
  504: '504 Gateway Time-out',
};

/** A page that nginx makes by itself, without its version. */
export function page(status: number, headers: Readonly<Record<string, string>> = {}): PodHttpAnswer {
  const title = TITLES[status] ?? String(status);
  const body =
    `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n` +
    '<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n';
  return { status, headers: { 'content-type': 'text/html', ...headers }, body };
}
