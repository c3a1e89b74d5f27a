import { randomUUID } from 'node:crypto';

/** Characters that mean nothing in a header, a log or a shell; long enough for every scheme of trace ids. */
const WELL_FORMED = /^[\w.:-]{1,128}$/;

/** The client's id of its request when it is well-formed, else a new one. */
export const requestIdOf = (header: string | readonly string[] | undefined): string =>
  typeof header === 'string' && WELL_FORMED.test(header) ? header : randomUUID();
