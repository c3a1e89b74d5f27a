import { compilePattern } from '../../../engine/machinery/text/regex.js';
import type { ProxyRequest } from '../proxy/proxy.js';
import { ageOf, type Attached } from './attach.js';
import { closeness, isHost } from './hostnames.js';
import type { Route, RouteKind, RouteMatch, Rule, ValueMatch } from './resources.js';

/** The rule that a request is for, and the prefix of its path that was matched. */
export interface Chosen {
  readonly kind: RouteKind;
  readonly route: Route;
  readonly rule: Rule;
  readonly prefix: string;
}

const ANY: RouteMatch = { path: { type: 'PathPrefix', value: '/' } };
const isGeneral = ({ type = 'Exact' }: ValueMatch): boolean => type === 'RegularExpression';

/** The rule of all routes of a listener that matches a request most closely. Models the specification of HTTPRoute. */
export function choose(attached: readonly Attached[], host: string, request: ProxyRequest): Chosen | undefined {
  const near = attached.flatMap((one) => {
    const own = one.hosts.filter((name) => isHost(name, host)).map(closeness);
    return own.length > 0 ? [{ ...one, host: Math.max(...own) }] : [];
  });
  const closest = Math.max(...near.map((one) => one.host));
  const [path = ''] = request.path.split('?', 1);
  const query = queryOf(request.path);
  const found = near
    .filter((one) => one.host === closest)
    .flatMap(({ kind, route }) =>
      (route.spec.rules ?? []).flatMap((rule, order) =>
        (rule.matches?.length ? rule.matches : [ANY])
          .map((match) => (kind === 'GRPCRoute' ? ofGrpc(match) : match))
          .filter((match) => isMatch(match, path, query, request))
          .map((match) => ({ kind, route, rule, order, match })),
      ),
    )
    .sort((a, b) => compare(weightsOf(b.match), weightsOf(a.match)) || age(a.route, b.route) || a.order - b.order);
  const [best] = found;
  return best && { kind: best.kind, route: best.route, rule: best.rule, prefix: best.match.path?.value ?? '/' };
}

const age = (a: Route, b: Route): number => (a === b ? 0 : ageOf(a) < ageOf(b) ? -1 : 1);
const compare = (a: readonly number[], b: readonly number[]): number => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : a[index]! - b[index]!;
};

/** What counts first: an exact path, the length of its prefix, the method, headers, queries. */
const weightsOf = ({ path, method, headers = [], queryParams = [] }: RouteMatch): number[] => [
  path?.type === 'Exact' ? 2 : path?.type === 'RegularExpression' ? 1 : 0,
  path?.type === 'Exact' ? 0 : (path?.value ?? '/').length,
  method === undefined ? 0 : 1,
  headers.length,
  queryParams.length,
];

/** A GRPCRoute's match as one of paths: '/package.Service/Method'. */
function ofGrpc(match: RouteMatch): RouteMatch {
  const {
    type = 'Exact',
    service,
    method,
  } = (match.method ?? {}) as {
    readonly type?: string;
    readonly service?: string;
    readonly method?: string;
  };
  const { headers } = match;
  const rest = headers ? { headers } : {};
  if (!service && !method) return { ...ANY, ...rest };
  if (type === 'RegularExpression')
    return { path: { type, value: `/${service || '[^/]+'}/${method || '[^/]+'}` }, ...rest };
  if (service && method) return { path: { type: 'Exact', value: `/${service}/${method}` }, ...rest };
  return service
    ? { path: { type: 'PathPrefix', value: `/${service}` }, ...rest }
    : { path: { type: 'RegularExpression', value: `/[^/]+/${method}` }, ...rest };
}

function isMatch(match: RouteMatch, path: string, query: ReadonlyMap<string, string>, request: ProxyRequest): boolean {
  const { headers = [], queryParams = [], method } = match;
  return (
    isPath(match, path) &&
    (method === undefined || method === request.method) &&
    distinct(headers).every((one) => isValue(one, request.headers[one.name.toLowerCase()])) &&
    distinct(queryParams).every((one) => isValue(one, query.get(one.name)))
  );
}

function isPath({ path }: RouteMatch, asked: string): boolean {
  const { type = 'PathPrefix', value = '/' } = path ?? {};
  if (type === 'Exact') return asked === value;
  if (type === 'RegularExpression') return compilePattern(`^(?:${value})`)?.test(asked) === true;
  const whole = value.endsWith('/') ? value.slice(0, -1) : value;
  return asked === whole || asked.startsWith(`${whole}/`);
}

const isValue = (wanted: ValueMatch, value: string | undefined): boolean => {
  if (value === undefined) return false;
  return isGeneral(wanted) ? compilePattern(`^(?:${wanted.value})$`)?.test(value) === true : value === wanted.value;
};

/** Of two that name the same the first one counts; names of headers do not care for case. */
const distinct = (list: readonly ValueMatch[]): ValueMatch[] =>
  list.filter((one, index) => list.findIndex(({ name }) => name.toLowerCase() === one.name.toLowerCase()) === index);

/** The first value of each name. */
function queryOf(path: string): Map<string, string> {
  const found = new Map<string, string>();
  const at = path.indexOf('?');
  if (at < 0) return found;
  for (const part of path.slice(at + 1).split('&')) {
    const equal = part.indexOf('=');
    const [name, value] = equal < 0 ? [part, ''] : [part.slice(0, equal), part.slice(equal + 1)];
    if (!found.has(decode(name))) found.set(decode(name), decode(value));
  }
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // What is no escape stands for itself.
    return text;
  }
}
