import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';

const PAGES: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ['Bad request', 'Your browser sent an invalid request.'],
  401: ['Unauthorized', 'You need a valid user and password to access this content.'],
  403: ['Forbidden', 'Request forbidden by administrative rules.'],
  404: ['Not Found', 'The resource could not be found.'],
  429: ['Too Many Requests', 'You have sent too many requests in a given amount of time.'],
  502: ['Bad Gateway', 'The server returned an invalid or incomplete response.'],
  503: ['Service Unavailable', 'No server is available to handle this request.'],
  504: ['Gateway Time-out', "The server didn't respond in time."],
};

/** What HAProxy answers by itself. Models src/http.c http_err_msgs. */
export function page(status: number, headers: Readonly<Record<string, string>> = {}): AnswerParts {
  const [title, text] = PAGES[status] ?? [String(status), ''];
  return {
    ...{ status, headers: { 'cache-control': 'no-cache', 'content-type': 'text/html', ...headers } },
    body: `<html><body><h1>${status} ${title}</h1>\n${text}\n</body></html>\n`,
  };
}

/** The controller's own default backend knows no path but that of its health. */
export const DEFAULT_ANSWER: AnswerParts = {
  ...{ status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Not Found' },
};

export const redirectTo = (status: number, location: string): AnswerParts => ({
  ...{ status, headers: { location, 'cache-control': 'no-cache' }, body: '' },
});
