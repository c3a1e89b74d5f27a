import { compilePattern } from '../../../engine/machinery/text/regex.js';
import { isInRanges } from '../ingress/nginx/config/annotations.js';
import type { ProxyRequest } from '../proxy/proxy.js';

/** A rule of a router: Host(`a.test`) && PathPrefix(`/api`). Models pkg/rules and pkg/muxer/http. */
export type Rule =
  | { readonly type: 'matcher'; readonly name: string; readonly values: readonly string[] }
  | { readonly type: '&&' | '||'; readonly left: Rule; readonly right: Rule }
  | { readonly type: '!'; readonly rule: Rule };

const MAX_RULE = 4_000;
const MAX_DEPTH = 50;
const TOKEN = /\s*(&&|\|\||[!(),]|`[^`]*`|"(?:[^"\\]|\\.)*"|[A-Za-z]+)/y;
/** How many values a matcher takes. */
const MATCHERS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  ...{ Host: [1, 50], HostRegexp: [1, 50], Path: [1, 50], PathPrefix: [1, 50], PathRegexp: [1, 1], Method: [1, 50] },
  ...{ Header: [2, 2], Headers: [2, 2], HeaderRegexp: [2, 2], HeadersRegexp: [2, 2], Query: [1, 50] },
  ...{ QueryRegexp: [2, 2], ClientIP: [1, 50], HostSNI: [1, 1] },
};

/** The rule that a text says; a string says what is wrong with it. */
export function parseRule(text: string): Rule | string {
  const tokens = tokensOf(text);
  if (!tokens) return `error while parsing rule ${text}`;
  let at = 0;
  const fault = (): string => `error while parsing rule ${text}: unexpected ${JSON.stringify(tokens[at] ?? 'EOF')}`;

  function either(depth: number): Rule | string {
    let left = both(depth);
    while (typeof left !== 'string' && tokens![at] === '||') {
      at++;
      const right = both(depth);
      if (typeof right === 'string') return right;
      left = { type: '||', left, right };
    }
    return left;
  }
  function both(depth: number): Rule | string {
    let left = single(depth);
    while (typeof left !== 'string' && tokens![at] === '&&') {
      at++;
      const right = single(depth);
      if (typeof right === 'string') return right;
      left = { type: '&&', left, right };
    }
    return left;
  }
  function single(depth: number): Rule | string {
    if (depth > MAX_DEPTH) return fault();
    if (tokens![at] === '!') {
      at++;
      const rule = single(depth + 1);
      return typeof rule === 'string' ? rule : { type: '!', rule };
    }
    if (tokens![at] === '(') {
      at++;
      const inner = either(depth + 1);
      if (typeof inner === 'string') return inner;
      if (tokens![at++] !== ')') return fault();
      return inner;
    }
    return matcher();
  }
  function matcher(): Rule | string {
    const name = tokens![at++] ?? '';
    if (!/^[A-Za-z]/.test(name) || tokens![at++] !== '(') return fault();
    const values: string[] = [];
    while (at < tokens!.length && tokens![at] !== ')') {
      const token = tokens![at++]!;
      if (!/^[`"]/.test(token)) return fault();
      values.push(token.slice(1, -1));
      if (tokens![at] === ',') at++;
    }
    if (tokens![at++] !== ')') return fault();
    const [least, most] = MATCHERS[name] ?? [1, 0];
    if (most === 0) return `error while checking rule ${text}: unsupported function: ${name}`;
    if (values.length < least || values.length > most)
      return `error while adding rule ${text}: unexpected number of parameters; got ${values.length}, expected one of [${least}]`;
    return { type: 'matcher', name, values };
  }

  const rule = either(0);
  return typeof rule !== 'string' && at < tokens.length ? fault() : rule;
}

function tokensOf(text: string): string[] | undefined {
  if (text.length > MAX_RULE) return undefined;
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const trimmed = text.trimEnd();
  for (let at = 0; at < trimmed.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(trimmed);
    if (!found) return undefined;
    tokens.push(found[1]!);
  }
  return tokens.length > 0 ? tokens : undefined;
}

/** Whether a request is what a rule asks for. */
export function matches(rule: Rule, request: ProxyRequest, host: string): boolean {
  switch (rule.type) {
    case '&&':
      return matches(rule.left, request, host) && matches(rule.right, request, host);
    case '||':
      return matches(rule.left, request, host) || matches(rule.right, request, host);
    case '!':
      return !matches(rule.rule, request, host);
    case 'matcher':
      return matchesOne(rule.name, rule.values, request, host);
  }
}

const finds = (pattern: string, text: string): boolean => compilePattern(pattern)?.groups(text) !== undefined;

function matchesOne(name: string, values: readonly string[], request: ProxyRequest, host: string): boolean {
  const [path = '', query = ''] = request.path.split('?', 2);
  const [first = '', second = ''] = values;
  switch (name) {
    case 'Host':
      return values.some((one) => one.toLowerCase() === host || isWildcard(one.toLowerCase(), host));
    case 'HostRegexp':
      return values.some((one) => finds(one, host));
    case 'Path':
      return values.includes(path);
    case 'PathPrefix':
      return values.some((one) => path.startsWith(one));
    case 'PathRegexp':
      return finds(first, path);
    case 'Method':
      return values.some((one) => one.toUpperCase() === request.method);
    case 'Header':
    case 'Headers':
      return request.headers[first.toLowerCase()] === second;
    case 'HeaderRegexp':
    case 'HeadersRegexp':
      return finds(second, request.headers[first.toLowerCase()] ?? '');
    case 'Query':
      return matchesQuery(query, values);
    case 'QueryRegexp':
      return new URLSearchParams(query).getAll(first).some((one) => finds(second, one));
    case 'ClientIP':
      return isInRanges(request.client, values);
    default:
      return false;
  }
}

/** Query(`name`, `value`), Query(`name`), or, as releases before 3 have it, Query(`name=value`). */
function matchesQuery(query: string, [first = '', second]: readonly string[]): boolean {
  const [name = '', own] = second === undefined ? first.split('=', 2) : [first, second];
  const found = new URLSearchParams(query).getAll(name);
  return own === undefined ? found.length > 0 : found.includes(own);
}

const isWildcard = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') && host.includes('.') && host.slice(host.indexOf('.')) === pattern.slice(1);
