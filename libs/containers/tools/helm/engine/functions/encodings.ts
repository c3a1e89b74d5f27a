import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { hex, sha256, sha512 } from '../../../../../engine/machinery/crypto/sha256.js';
import { decodeBase64Text, encodeBase64, findIllegalByte } from '../../../../../engine/machinery/text/base64.js';
import { encodeUtf8 } from '../../../../../engine/machinery/text/utf8.js';
import { compilePattern, patternFault } from '../../../../../engine/machinery/text/regex.js';
import { parseYaml } from '../../../../../engine/schema/index.js';
import { RE2JS } from 're2js';
import { GoInt, GoObject, isMap } from '../../../go-template/values.js';
import { formatYaml } from '../../../kubectl/output/yaml.js';
import { sortKeys } from '../../../kubectl/output/sort-keys.js';
import { parseConstraint, parseVersion, type Version } from '../../chart/semver.js';
import { plainOf } from '../../chart/values.js';
import { fail, type FunctionTable, limitText, MAX_LIST, typed } from './typed.js';

const toYaml = (value: unknown): string => limitText(formatYaml(plainOf(value)).replace(/\n$/, ''));

/** As Go's encoder: fields in order, and HTML's letters escaped. */
const toJson = (value: unknown): string =>
  limitText(JSON.stringify(sortKeys(plainOf(value)))).replace(
    /[<>&]/g,
    (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
  );

const rawJson = (value: unknown, indent = 0): string =>
  limitText(JSON.stringify(sortKeys(plainOf(value)), null, indent));

function fromYaml(text: string): unknown {
  const { value, error } = parseYaml(text);
  if (error !== undefined) return { Error: `error converting YAML to JSON: ${error}` };
  if (value === null || value === undefined) return {};
  if (isMap(value)) return value;
  return {
    Error: `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
  };
}

function fromYamlArray(text: string): unknown[] {
  const { value, error } = parseYaml(text);
  if (error !== undefined) return [error];
  return Array.isArray(value)
    ? value
    : [
        'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal object into Go value of type []interface {}',
      ];
}

function readJson(text: string): { readonly value?: unknown; readonly error?: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: `invalid JSON: ${(error as Error).message}` };
  }
}

function decode(text: string): string {
  const at = findIllegalByte(text);
  return at >= 0 ? `illegal base64 data at input byte ${at}` : decodeBase64Text(text);
}

/** A pattern of Go's; what is none fails as regexp.MustCompile's callers do. */
function patternOf(text: string): RE2JS {
  const fault = patternFault(text);
  if (fault !== undefined) return fail(fault);
  return RE2JS.compile(text);
}

function replaceAll(pattern: string, text: string, by: string): string {
  const matcher = patternOf(pattern).matcher(text);
  let [out, at] = ['', 0];
  for (let i = 0; matcher.find() && i < MAX_LIST; i++) {
    out += text.slice(at, matcher.start()) + expand(by, (group) => groupOf(matcher, group));
    at = matcher.end();
  }
  return limitText(out + text.slice(at));
}

type Matcher = ReturnType<RE2JS['matcher']>;

function groupOf(matcher: Matcher, group: string): string {
  try {
    return matcher.group(/^\d+$/.test(group) ? Number(group) : group) ?? '';
  } catch {
    return '';
  }
}

/** Models regexp.Expand: `$1`, `${1}`, `$name`, `$$`. */
const expand = (text: string, find: (group: string) => string): string =>
  text.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) =>
    whole === '$$' ? '$' : find(braced ?? bare ?? ''),
  );

function split(pattern: string, text: string, most: number): string[] {
  if (most === 0) return [];
  const matcher = patternOf(pattern).matcher(text);
  const parts: string[] = [];
  let at = 0;
  while (matcher.find() && (most < 0 || parts.length < most - 1) && parts.length < MAX_LIST) {
    if (matcher.end() === 0) continue;
    parts.push(text.slice(at, matcher.start()));
    at = matcher.end();
  }
  return [...parts, text.slice(at)];
}

/** What is no pattern matches nothing. */
const matches = (pattern: string, text: string): boolean => compilePattern(pattern)?.test(text) ?? false;

function semverCompare(constraint: string, text: string): boolean {
  const check = parseConstraint(constraint) ?? fail(`improper constraint: ${constraint}`);
  return check(readVersion(text));
}

const readVersion = (text: string): Version => parseVersion(text) ?? fail('Invalid Semantic Version');

/** A version with the methods that charts call. */
function semver(text: string): GoObject {
  const { numbers, pre, meta } = readVersion(text);
  const whole = numbers.join('.') + (pre === '' ? '' : `-${pre}`) + (meta === '' ? '' : `+${meta}`);
  const [major, minor, patch] = numbers.map((number) => () => new GoInt(number));
  const texts = { Prerelease: () => pre, Metadata: () => meta, Original: () => text, String: () => whole };
  return new GoObject('*semver.Version', {}, { Major: major!, Minor: minor!, Patch: patch!, ...texts }, whole);
}

/** Functions for YAML, JSON, base64, digests, patterns and versions. */
export const ENCODINGS: FunctionTable = {
  toYaml: typed('a', toYaml),
  toYamlPretty: typed('a', toYaml),
  mustToYaml: typed('a', toYaml),
  fromYaml: typed('s', fromYaml),
  fromYamlArray: typed('s', fromYamlArray),
  toJson: typed('a', toJson),
  mustToJson: typed('a', toJson),
  toRawJson: typed('a', rawJson),
  mustToRawJson: typed('a', rawJson),
  toPrettyJson: typed('a', (value: unknown) => rawJson(value, 2)),
  mustToPrettyJson: typed('a', (value: unknown) => rawJson(value, 2)),
  fromJson: typed('s', (text: string) => {
    const { value, error } = readJson(text);
    return error === undefined ? value : { Error: error };
  }),
  mustFromJson: typed('s', (text: string) => {
    const { value, error } = readJson(text);
    return error === undefined ? value : fail(error);
  }),
  fromJsonArray: typed('s', (text: string) => {
    const { value, error } = readJson(text);
    return error === undefined && Array.isArray(value) ? value : [error ?? 'json: cannot unmarshal object'];
  }),
  b64enc: typed('s', (text: string) => encodeBase64(text)),
  b64dec: typed('s', decode),
  sha256sum: typed('s', (text: string) => hex(sha256(text))),
  sha1sum: typed('s', (text: string) => hex(sha1(encodeUtf8(text)))),
  sha512sum: typed('s', (text: string) => hex(sha512(text))),
  adler32sum: typed('s', adler32),
  regexMatch: typed('ss', matches),
  mustRegexMatch: typed('ss', (pattern: string, text: string) => {
    patternOf(pattern);
    return matches(pattern, text);
  }),
  regexFind: typed('ss', (pattern: string, text: string) => find(pattern, text, 1)[0] ?? ''),
  regexFindAll: typed('ssi', find),
  regexReplaceAll: typed('sss', replaceAll),
  mustRegexReplaceAll: typed('sss', replaceAll),
  regexReplaceAllLiteral: typed('sss', (pattern: string, text: string, by: string) =>
    replaceAll(pattern, text, by.replaceAll('$', '$$$$')),
  ),
  regexSplit: typed('ssi', split),
  regexQuoteMeta: typed('s', (text: string) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
  urlParse: typed('s', parseAddress),
  urlJoin: typed('m', joinAddress),
  semver: typed('s', semver),
  semverCompare: typed('ss', semverCompare),
};

function find(pattern: string, text: string, most: number): string[] {
  patternOf(pattern);
  return compilePattern(pattern)!.findAll(text, most < 0 ? MAX_LIST : most);
}

/** What stands before a mark, and what behind it; without the mark all of it is before. */
function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** Models sprig's urlParse. */
function parseAddress(text: string): Record<string, string> {
  const [whole, fragment] = cut(text, '#');
  const [address, query] = cut(whole, '?');
  const scheme = /^[a-zA-Z][\w+.-]*(?=:)/.exec(address)?.[0] ?? '';
  const rest = scheme === '' ? address : address.slice(scheme.length + 1);
  const [authority, ...folders] = rest.startsWith('//') ? rest.slice(2).split('/') : ['', rest];
  const [userinfo, host] = authority!.includes('@') ? cut(authority!, '@') : ['', authority!];
  const path = rest.startsWith('//') ? folders.map((folder) => `/${folder}`).join('') : rest;
  return { scheme, userinfo, host, hostname: host.replace(/:\d*$/, ''), path, query, fragment, opaque: '' };
}

function joinAddress(parts: Readonly<Record<string, unknown>>): string {
  const part = (name: string): string => (typeof parts[name] === 'string' ? (parts[name] as string) : '');
  const put = (before: string, name: string, after = ''): string =>
    part(name) === '' ? '' : before + part(name) + after;
  const host = part('host') === '' ? '' : `//${put('', 'userinfo', '@')}${part('host')}`;
  return put('', 'scheme', ':') + host + part('path') + put('?', 'query') + put('#', 'fragment');
}

function adler32(text: string): string {
  let [a, b] = [1, 0];
  for (const byte of bytesOf(text)) {
    a = (a + byte.charCodeAt(0)) % 65_521;
    b = (b + a) % 65_521;
  }
  return String(b * 65_536 + a);
}
