import type { PodHttpAnswer } from '../../../machinery/requests/http.js';

export const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
export const JSON_TYPE = { 'content-type': 'application/json' };
export const OK: PodHttpAnswer = { status: 200, headers: TEXT, body: 'ok' };
export const NOT_FOUND: PodHttpAnswer = { status: 404, headers: TEXT, body: '404 page not found\n' };
