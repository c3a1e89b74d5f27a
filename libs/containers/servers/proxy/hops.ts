/** Headers that concern one hop, as Envoy and Traefik leave them out of what they pass on. */
export const OF_ONE_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'content-length',
  'proxy-connection',
]);

/** The same as nginx does it. */
export const OF_ONE_HOP_BY_NGINX: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'expect',
  'content-length',
  'proxy',
]);
