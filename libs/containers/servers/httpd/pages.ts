import { bytesOf, type Bytes } from '../../../engine/kernel/bytes.js';
import type { AnswerParts } from '../http.js';

/** Apache's own pages, by status: the title and the sentence below it. */
const PAGES: Readonly<Record<number, readonly [title: string, text: string]>> = {
  301: ['Moved Permanently', 'The document has moved <a href="$">here</a>.'],
  302: ['Found', 'The document has moved <a href="$">here</a>.'],
  303: ['See Other', 'The answer to your request is located <a href="$">here</a>.'],
  307: ['Temporary Redirect', 'The document has moved <a href="$">here</a>.'],
  308: ['Permanent Redirect', 'The document has moved <a href="$">here</a>.'],
  400: ['Bad Request', 'Your browser sent a request that this server could not understand.<br />'],
  401: [
    'Unauthorized',
    "This server could not verify that you\nare authorized to access the document\nrequested.  Either you supplied the wrong\ncredentials (e.g., bad password), or your\nbrowser doesn't understand how to supply\nthe credentials required.",
  ],
  403: ['Forbidden', "You don't have permission to access this resource."],
  404: ['Not Found', 'The requested URL was not found on this server.'],
  405: ['Method Not Allowed', 'The requested method $ is not allowed for this URL.'],
  410: [
    'Gone',
    'The requested resource is no longer available on this server and there is no forwarding address.\nPlease remove all references to this resource.',
  ],
  500: [
    'Internal Server Error',
    'The server encountered an internal error or\nmisconfiguration and was unable to complete\nyour request.',
  ],
  502: [
    'Proxy Error',
    'The proxy server received an invalid\nresponse from an upstream server.<br />\nThe proxy server could not handle the request<p>Reason: <strong>$</strong></p>',
  ],
  503: [
    'Service Unavailable',
    'The server is temporarily unable to service your\nrequest due to maintenance downtime or capacity\nproblems. Please try again later.',
  ],
};

/** `detail` stands for the $ of the sentence: a URL or a method. */
export function errorPage(status: number, detail: Bytes = ''): AnswerParts {
  const [title, text] = PAGES[status] ?? PAGES[500]!;
  const shown = bytesOf(text).split('$').join(detail);
  const heading = status === 502 ? 'Proxy Error' : title;
  const body = `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${status} ${title}</title>\n</head><body>\n<h1>${heading}</h1>\n<p>${shown}</p>\n</body></html>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=iso-8859-1' }, body };
}

export const escapeHtml = (text: Bytes): Bytes =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
