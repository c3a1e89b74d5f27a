import type { BodyResponse } from './http.js';

/** Tells the edge that in life there would be no answer. */
const HEADER = 'x-terrarium-connection';
const REFUSED = 'refused';

/** Stands for a connection that nobody accepts. A client that is not told so by its edge reads a Status of 503. */
export const refusedConnection = (message: string): BodyResponse => ({
  type: 'body',
  status: 503,
  headers: { 'content-type': 'application/json', [HEADER]: REFUSED },
  body: `${JSON.stringify({
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message },
    ...{ reason: 'ServiceUnavailable', code: 503 },
  })}\n`,
});

export const isRefusedConnection = ({ headers }: Pick<BodyResponse, 'headers'>): boolean => headers[HEADER] === REFUSED;
