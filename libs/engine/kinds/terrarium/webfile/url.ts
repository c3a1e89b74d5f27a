/** Where a file of the web is. */
export interface WebUrl {
  readonly scheme: 'http' | 'https';
  /** In lower case. */
  readonly host: string;
  readonly port: number;
  /** With the query. */
  readonly path: string;
}

const MAX_URL = 2_000;
const URL = /^(https?):\/\/([a-z0-9](?:[-a-z0-9.]*[a-z0-9])?)(?::(\d{1,5}))?(\/[^\s#]*)?$/i;
/** Names that the cluster and its nodes know themselves. */
const OWN = /(?:^|\.)(?:local|localhost|internal|arpa)$/;

/** Undefined: it is no URL of a host outside of the cluster, which has a dot and is no address. */
export function readWebUrl(text: unknown): WebUrl | undefined {
  if (typeof text !== 'string' || text.length > MAX_URL) return undefined;
  const [, scheme = '', name = '', digits, path = '/'] = URL.exec(text) ?? [];
  const host = name.toLowerCase();
  const isOutside = host.includes('.') && !host.includes('..') && !/\.\d+$/.test(host) && !OWN.test(host);
  const isSecure = scheme.toLowerCase() === 'https';
  const port = digits === undefined ? (isSecure ? 443 : 80) : Number(digits);
  if (!isOutside || port === 0 || port > 65_535) return undefined;
  return { scheme: isSecure ? 'https' : 'http', host, port, path };
}
