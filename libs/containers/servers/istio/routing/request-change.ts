import { compilePattern } from '../../../../engine/machinery/text/regex.js';
import type { ProxyRequest } from '../../proxy/proxy.js';
import type { HeaderOperations, HttpMatch, HttpRoute } from '../resources.js';
import { pathOf } from './match.js';

/** Headers as a VirtualService changes them: names in lower case. */
export function changeHeaders<T extends string | readonly string[]>(
  headers: Readonly<Record<string, T>>,
  ...all: readonly (HeaderOperations | undefined)[]
): Record<string, T | string> {
  const changed: Record<string, T | string> = { ...headers };
  for (const operations of all) {
    for (const name of operations?.remove ?? []) delete changed[name.toLowerCase()];
    for (const [name, value] of Object.entries(operations?.set ?? {})) changed[name.toLowerCase()] = value;
    for (const [name, value] of Object.entries(operations?.add ?? {})) {
      const before = changed[name.toLowerCase()];
      changed[name.toLowerCase()] = before === undefined ? value : `${String(before)},${value}`;
    }
  }
  return changed;
}

/** The path of a request to an upstream: what was matched by a prefix is replaced, else all of it. */
export function rewritePath(
  { rewrite }: HttpRoute,
  match: HttpMatch | undefined,
  request: Pick<ProxyRequest, 'path'>,
): string {
  const path = pathOf(request);
  const query = request.path.slice(path.length);
  const { uri, uriRegexRewrite } = rewrite ?? {};
  if (uriRegexRewrite?.match !== undefined) return replaceGroups(path, uriRegexRewrite) + query;
  if (uri === undefined) return request.path;
  if (match?.uri?.exact !== undefined || match?.uri?.regex !== undefined) return uri + query;
  const prefix = match?.uri?.prefix ?? '/';
  const rest = path.slice(prefix.length);
  // Models pilot's use of path_template: '/' for '/api' does not leave '//x'.
  return (uri.endsWith('/') && rest.startsWith('/') ? uri.slice(0, -1) + rest : uri + rest) + query;
}

function replaceGroups(path: string, { match = '', rewrite = '' }: { match?: string; rewrite?: string }): string {
  const pattern = compilePattern(match);
  const groups = pattern?.groups(path);
  if (!groups) return path;
  const text = rewrite.replace(/\\(\d)/g, (_all, digit: string) => groups[Number(digit)] ?? '');
  return path.replace(groups[0] ?? '', () => text);
}

/** Where a redirect leads. */
export function redirectTarget(
  { redirect = {} }: HttpRoute,
  request: ProxyRequest,
): { readonly status: number; readonly location: string } {
  const scheme = redirect.scheme ?? request.scheme;
  const host = redirect.authority ?? request.headers['host'] ?? '';
  const authority = redirect.port === undefined ? host : `${host.replace(/:\d{1,5}$/, '')}:${redirect.port}`;
  const query = request.path.slice(pathOf(request).length);
  const path = redirect.uri === undefined ? request.path : redirect.uri + query;
  return { status: redirect.redirectCode ?? 301, location: `${scheme}://${authority}${path}` };
}
