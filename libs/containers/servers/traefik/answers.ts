import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** What net/http's Error writes. */
export const plain = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): AnswerParts => ({
  ...{ status, headers: { ...TEXT, 'x-content-type-options': 'nosniff', ...headers }, body: `${text}\n` },
});

export const NOT_FOUND = plain(404, '404 page not found');

/** What the reverse proxy writes when a server is not reached. */
export const failed = (status: 502 | 504): AnswerParts => ({
  ...{ status, headers: TEXT, body: status === 502 ? 'Bad Gateway' : 'Gateway Timeout' },
});

const TITLES: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
};

/** Models pkg/middlewares/redirect moveHandler. */
export const redirectTo = (status: number, location: string): AnswerParts => ({
  ...{ status, headers: { ...TEXT, location }, body: TITLES[status] ?? '' },
});
