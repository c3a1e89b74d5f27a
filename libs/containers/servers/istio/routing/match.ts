import { compilePattern } from '../../../../engine/machinery/text/regex.js';
import type { ProxyRequest } from '../../proxy/proxy.js';
import type { HttpMatch, HttpRoute, StringMatch } from '../resources.js';

/** Who asks, as matches see it. */
export interface Asker {
  /** 'mesh', or 'namespace/name' of a Gateway. */
  readonly gateway: string;
  readonly port: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly namespace: string;
}

export const pathOf = ({ path }: Pick<ProxyRequest, 'path'>): string => path.split('?', 1)[0] ?? '';

/** An empty match is there when the value is. Expressions are RE2's, of the whole value. */
export function isText(match: StringMatch | undefined, value: string | undefined, ignoresCase = false): boolean {
  if (match === undefined) return true;
  if (value === undefined) return false;
  const fold = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  if (match.exact !== undefined) return fold(value) === fold(match.exact);
  if (match.prefix !== undefined) return fold(value).startsWith(fold(match.prefix));
  if (match.regex !== undefined) return compilePattern(`^(?:${match.regex})$`)?.test(value) === true;
  return true;
}

/** The first route that a request fits, and the match by which it does. */
export function chooseRoute(
  routes: readonly HttpRoute[],
  request: ProxyRequest,
  asker: Asker,
): { readonly route: HttpRoute; readonly match: HttpMatch | undefined } | undefined {
  for (const route of routes) {
    if (!route.match?.length) return { route, match: undefined };
    const match = route.match.find((one) => isMatch(one, request, asker));
    if (match) return { route, match };
  }
  return undefined;
}

function isMatch(match: HttpMatch, request: ProxyRequest, asker: Asker): boolean {
  const { headers } = request;
  const every = (wanted: HttpMatch['headers'], fits: (name: string, match: StringMatch) => boolean): boolean =>
    Object.entries(wanted ?? {}).every(([name, one]) => fits(name.toLowerCase(), one));
  const query = match.queryParams ? new URLSearchParams(request.path.split('?')[1] ?? '') : undefined;
  return (
    isText(match.uri, pathOf(request), match.ignoreUriCase === true) &&
    isText(match.method, request.method) &&
    isText(match.scheme, request.scheme) &&
    isText(match.authority, headers['host']) &&
    every(match.headers, (name, one) => isText(one, headers[name])) &&
    every(match.withoutHeaders, (name, one) => !isText(one, headers[name])) &&
    Object.entries(match.queryParams ?? {}).every(([name, one]) => isText(one, query?.get(name) ?? undefined)) &&
    (match.port === undefined || match.port === asker.port) &&
    (match.gateways === undefined || match.gateways.includes(asker.gateway)) &&
    (match.sourceNamespace === undefined || match.sourceNamespace === asker.namespace) &&
    Object.entries(match.sourceLabels ?? {}).every(([name, value]) => asker.labels[name] === value)
  );
}
