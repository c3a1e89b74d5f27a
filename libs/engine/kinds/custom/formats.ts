import { parseDuration, parseTime } from '../../machinery/cel/values.js';
import { isCIDR, isDNS1123Label, isDNS1123Subdomain, isIPv4, isIPv6 } from '../../machinery/validation.js';

const matches = (pattern: RegExp) => (text: string): boolean => pattern.test(text);
const uuid = (version: string): ((text: string) => boolean) => matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'));

/** The formats that a CRD's schema may ask of a text; others are ignored. Models kube-openapi/pkg/validation/strfmt. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  cidr: (text) => isCIDR(text).length === 0,
  date: (text) => parseTime(`${text}T00:00:00Z`) !== undefined,
  'date-time': (text) => parseTime(text) !== undefined,
  datetime: (text) => parseTime(text) !== undefined,
  duration: (text) => parseDuration(text) !== undefined,
  email: matches(/^[^\s@<>]+@[^\s@<>]+$/),
  hostname: matches(/^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  ipv4: isIPv4,
  ipv6: isIPv6,
  'k8s-long-name': (text) => isDNS1123Subdomain(text).length === 0,
  'k8s-short-name': (text) => isDNS1123Label(text).length === 0,
  mac: matches(/^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$/),
  uri: matches(/^([A-Za-z][A-Za-z0-9+.-]*:|\/)\S*$/),
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: uuid('4'),
  uuid5: uuid('5'),
};
const MAX_LENGTH = 64 * 1024;

export const hasFormat = (text: string, format: string): boolean => !Object.hasOwn(FORMATS, format) || (text.length <= MAX_LENGTH && FORMATS[format]!(text));
