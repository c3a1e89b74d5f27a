import type { Start } from '@terrarium/engine';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  js: 'application/javascript',
  json: 'application/json',
  txt: 'text/plain',
  svg: 'image/svg+xml',
  xml: 'text/xml',
};

/** A file below a web server's document root: what is mounted into the container hides what the image brings. */
export function documentAt(
  start: Start,
  root: string,
  url: string,
  pages: Readonly<Record<string, string>>,
): { readonly headers: Record<string, string>; readonly body: string } | undefined {
  const asked = unescaped(url.split('?', 1)[0]!);
  const path = asked.endsWith('/') ? `${asked}index.html` : asked;
  if (asked.split('/').includes('..')) return undefined;
  const files = start.files();
  const mounted = files[root + path];
  const hidden = mounted === undefined && Object.keys(files).some((name) => name.startsWith(`${root}/`));
  const body = mounted ?? (hidden || !Object.hasOwn(pages, path) ? undefined : pages[path]);
  return body === undefined
    ? undefined
    : { headers: { 'content-type': TYPES[path.split('.').at(-1)!] ?? 'application/octet-stream' }, body };
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
