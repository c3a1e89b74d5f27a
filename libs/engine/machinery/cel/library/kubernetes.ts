import {
  addQuantities,
  canonicalQuantity,
  compareQuantity,
  isQuantity,
  quantityFault,
  milliValue,
  quantityValue,
} from '../../quantity/quantity.js';
import { EvaluationError } from '../errors.js';
import type { Library } from '../registry.js';
import { Double, Opaque, toInt, type Value } from '../values.js';

type Text = readonly [string];
type Pair = readonly [Opaque, Opaque];
type Self = readonly [Opaque];

// ---- quantities: data is the canonical text ----

const QUANTITY = 'kubernetes.Quantity';
const amount = (o: Opaque): string => o.data as string;
/** A quantity in canonical form as a value. */
export const quantity = (text: string): Opaque =>
  new Opaque(QUANTITY, text, (other) => compareQuantity(text, other as string) === 0);
const negate = (text: string): string => (text.startsWith('-') ? text.slice(1) : `-${text}`);
const isWhole = (text: string): boolean => compareQuantity(text, String(BigInt(Math.trunc(quantityValue(text))))) === 0;

/** Models apiserver/pkg/cel/library/quantity.go. */
export const quantities: Library = {
  [`quantity(string): ${QUANTITY}`]: ([text]: Text) => {
    const fault = quantityFault(text);
    if (fault !== undefined) throw new EvaluationError(fault);
    return quantity(canonicalQuantity(text));
  },
  'isQuantity(string): bool': ([text]: Text) => isQuantity(text),
  [`sign(${QUANTITY}): int`]: ([q]: Self) => BigInt(Math.sign(compareQuantity(amount(q), '0'))),
  [`${QUANTITY}.isInteger(): bool`]: ([q]: Self) => isWhole(amount(q)),
  [`${QUANTITY}.asInteger(): int`]: ([q]: Self) => {
    if (!isWhole(amount(q))) throw new EvaluationError('cannot convert value to integer');
    return toInt(BigInt(Math.trunc(quantityValue(amount(q)))));
  },
  [`${QUANTITY}.asApproximateFloat(): double`]: ([q]: Self) => new Double(milliValue(amount(q)) / 1000),
  [`${QUANTITY}.isGreaterThan(${QUANTITY}): bool`]: ([a, b]: Pair) => compareQuantity(amount(a), amount(b)) > 0,
  [`${QUANTITY}.isLessThan(${QUANTITY}): bool`]: ([a, b]: Pair) => compareQuantity(amount(a), amount(b)) < 0,
  [`${QUANTITY}.compareTo(${QUANTITY}): int`]: ([a, b]: Pair) =>
    BigInt(Math.sign(compareQuantity(amount(a), amount(b)))),
  [`${QUANTITY}.add(${QUANTITY}): ${QUANTITY}`]: ([a, b]: Pair) => quantity(addQuantities(amount(a), amount(b))),
  [`${QUANTITY}.add(int): ${QUANTITY}`]: ([a, n]: readonly [Opaque, bigint]) =>
    quantity(addQuantities(amount(a), String(n))),
  [`${QUANTITY}.sub(${QUANTITY}): ${QUANTITY}`]: ([a, b]: Pair) =>
    quantity(addQuantities(amount(a), negate(amount(b)))),
  [`${QUANTITY}.sub(int): ${QUANTITY}`]: ([a, n]: readonly [Opaque, bigint]) =>
    quantity(addQuantities(amount(a), negate(String(n)))),
};

// ---- URLs ----

interface Url {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}
const URL_TYPE = 'kubernetes.URL';

/** Absolute URIs and absolute paths, as Go's url.ParseRequestURI. */
function parseUrl(text: string): Url | undefined {
  if (/[\s\x7f#]/.test(text)) return undefined;
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?]*))?)?([^?]*)(?:\?([^]*))?/.exec(text);
  if (!match) return undefined;
  const [, scheme = '', host = '', path = '', query = ''] = match;
  if (!scheme && !path.startsWith('/')) return undefined;
  const hostAndPort = host.slice(host.lastIndexOf('@') + 1);
  if (/:[^0-9]/.test(hostAndPort.slice(hostAndPort.lastIndexOf(']') + 1))) return undefined;
  return { text, scheme: scheme.toLowerCase(), host: hostAndPort, path, query };
}
const url = (o: Opaque): Url => o.data as Url;
const hostname = (host: string): string => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
const decodeQueryPart = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};
function queryOf(text: string): Value {
  const values = new Map<string, string[]>();
  for (const part of text.split('&').filter(Boolean)) {
    const [key = '', ...rest] = part.split('=');
    values.set(decodeQueryPart(key), [...(values.get(decodeQueryPart(key)) ?? []), decodeQueryPart(rest.join('='))]);
  }
  return Object.fromEntries(values);
}

/** Models apiserver/pkg/cel/library/urls.go. */
export const urls: Library = {
  [`url(string): ${URL_TYPE}`]: ([text]: Text) => {
    const parsed = parseUrl(text);
    if (!parsed)
      throw new EvaluationError(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
      );
    return new Opaque(URL_TYPE, parsed, (other) => (other as Url).text === text);
  },
  'isURL(string): bool': ([text]: Text) => parseUrl(text) !== undefined,
  [`${URL_TYPE}.getScheme(): string`]: ([u]: Self) => url(u).scheme,
  [`${URL_TYPE}.getHost(): string`]: ([u]: Self) => url(u).host,
  [`${URL_TYPE}.getHostname(): string`]: ([u]: Self) => hostname(url(u).host),
  [`${URL_TYPE}.getPort(): string`]: ([u]: Self) => /:(\d+)$/.exec(url(u).host)?.[1] ?? '',
  [`${URL_TYPE}.getEscapedPath(): string`]: ([u]: Self) => url(u).path,
  [`${URL_TYPE}.getQuery(): map<string, list<string>>`]: ([u]: Self) => queryOf(url(u).query),
};

// ---- semantic versions ----

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: readonly string[];
  readonly build: string;
}
const SEMVER = 'kubernetes.Semver';
const SEMVER_TEXT =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

function parseVersion(text: string, loose = false): Version | undefined {
  const match = SEMVER_TEXT.exec(loose ? loosenVersion(text) : text);
  if (!match || text.length > 256) return undefined;
  return {
    numbers: [BigInt(match[1]!), BigInt(match[2]!), BigInt(match[3]!)],
    pre: match[4]?.split('.') ?? [],
    build: match[5] ?? '',
  };
}
function loosenVersion(text: string): string {
  const [, numbers = '', rest = ''] = /^v?([\d.]*)([^]*)/.exec(text)!;
  const parts = numbers.split('.').map((n) => n.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest;
}
function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < 3; i++) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i]! < b.numbers[i]! ? -1 : 1;
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (let i = 0; i < Math.max(a.pre.length, b.pre.length); i++) {
    const [x, y] = [a.pre[i], b.pre[i]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [nx, ny] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (nx && ny) return BigInt(x) < BigInt(y) ? -1 : 1;
    return nx !== ny ? (nx ? -1 : 1) : x < y ? -1 : 1;
  }
  return 0;
}
const version = (o: Opaque): Version => o.data as Version;
/** Throws EvaluationError when it is none. */
export function semver(text: string, loose: boolean): Opaque {
  const parsed = parseVersion(text, loose);
  if (!parsed)
    throw new EvaluationError(
      text.split('.').length < 3
        ? 'No Major.Minor.Patch elements found'
        : `Invalid character(s) found in version ${JSON.stringify(text)}`,
    );
  return new Opaque(SEMVER, parsed, (other) => compareVersions(parsed, other as Version) === 0);
}

/** Models apiserver/pkg/cel/library/semverlib.go. */
export const versions: Library = {
  [`semver(string): ${SEMVER}`]: ([text]: Text) => semver(text, false),
  [`semver(string, bool): ${SEMVER}`]: ([text, loose]: readonly [string, boolean]) => semver(text, loose),
  'isSemver(string): bool': ([text]: Text) => parseVersion(text) !== undefined,
  'isSemver(string, bool): bool': ([text, loose]: readonly [string, boolean]) =>
    parseVersion(text, loose) !== undefined,
  [`${SEMVER}.major(): int`]: ([v]: Self) => version(v).numbers[0],
  [`${SEMVER}.minor(): int`]: ([v]: Self) => version(v).numbers[1],
  [`${SEMVER}.patch(): int`]: ([v]: Self) => version(v).numbers[2],
  [`${SEMVER}.isGreaterThan(${SEMVER}): bool`]: ([a, b]: Pair) => compareVersions(version(a), version(b)) > 0,
  [`${SEMVER}.isLessThan(${SEMVER}): bool`]: ([a, b]: Pair) => compareVersions(version(a), version(b)) < 0,
  [`${SEMVER}.compareTo(${SEMVER}): int`]: ([a, b]: Pair) => BigInt(compareVersions(version(a), version(b))),
};

/** Models apiserver/pkg/cel/library/jsonpatch.go. */
export const jsonPatches: Library = {
  '.jsonpatch.escapeKey(string): string': ([text]: Text) => text.replaceAll('~', '~0').replaceAll('/', '~1'),
};
