import { parseDuration, parseTime } from '../../machinery/cel/values.js';
import { isCIDR, isDNS1123Label, isDNS1123Subdomain, isIPv4, isIPv6 } from '../../machinery/meta/validation.js';

const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);
const uuid = (version: string): ((text: string) => boolean) =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'));

/** A duration in Scala's notation, anywhere in the text: the last of its digits is enough to know one. */
const SPOKEN_DURATION = /\d\s*(?:ns|nano|us|µs|micro|ms|milli|s|m|h|d|w)/i;
const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function hasLuhnDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const n = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (n > 9 ? n - 9 : n);
  }, 0);
  return sum % 10 === 0;
}

function isISBN10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  return [...digits].reduce((sum, c, i) => sum + (10 - i) * (c === 'X' ? 10 : Number(c)), 0) % 11 === 0;
}

function isISBN13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  return (
    /^\d{13}$/.test(digits) && [...digits].reduce((sum, c, i) => sum + (i % 2 === 1 ? 3 : 1) * Number(c), 0) % 10 === 0
  );
}

/** The formats of strings in a CRD's schema; others are ignored. Models kube-openapi/pkg/validation/strfmt. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matches(/^[0-9a-f]{24}$/i),
  byte: matches(/^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  cidr: (text) => isCIDR(text).length === 0,
  creditcard: (text) => CARD.test(text.replace(/\D/g, '')) && hasLuhnDigit(text.replace(/\D/g, '')),
  date: (text) => parseTime(`${text}T00:00:00Z`) !== undefined,
  'date-time': (text) => parseTime(text) !== undefined,
  datetime: (text) => parseTime(text) !== undefined,
  duration: (text) => parseDuration(text) !== undefined || SPOKEN_DURATION.test(text),
  email: matches(/^(?:[^<>@]*<)?(?:"[^"]*"|[^\s@<>"]+)@[^\s@<>]+>?$/),
  hostname: matches(
    /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?|(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63})$/,
  ),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  ipv4: (text) => isIPv4(text.replace(/\b0+(?=\d)/g, '')),
  isbn: (text) => isISBN10(text) || isISBN13(text),
  isbn10: isISBN10,
  isbn13: isISBN13,
  ipv6: isIPv6,
  'k8s-long-name': (text) => isDNS1123Subdomain(text).length === 0,
  'k8s-short-name': (text) => isDNS1123Label(text).length === 0,
  mac: matches(/^(?:(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}|(?:[0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4})$/),
  rgbcolor: matches(
    /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/,
  ),
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  uri: matches(/^([A-Za-z][A-Za-z0-9+.-]*:|\/)\S*$/),
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: uuid('4'),
  uuid5: uuid('5'),
};
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Whether upstream validates the format for the type; it warns of other formats and ignores them. */
export function isKnownFormat(type: string | undefined, format: string): boolean {
  if (type !== undefined && type !== '' && type !== 'string') return NUMBERS[type]?.includes(format) ?? false;
  return Object.hasOwn(FORMATS, format) || format === 'password';
}

const MAX_LENGTH = 64 * 1024;

export const hasFormat = (text: string, format: string): boolean =>
  !Object.hasOwn(FORMATS, format) || (text.length <= MAX_LENGTH && FORMATS[format]!(text));
