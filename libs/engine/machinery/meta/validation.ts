/**
 * Rules for names, labels, ports and keys: each returns upstream's messages, none when the text is valid.
 * Models apimachinery/pkg/util/validation and apimachinery/pkg/apis/meta/v1/validation.
 */
import type { LabelSelector } from '../../api/meta_v1.js';
import { parseAddress, parsePrefix } from '../net/netip.js';
import { forbiddenField, invalidValue, required, tooLong, type FieldError, type Path } from './field.js';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_UNDERSCORE = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_UNDERSCORE = `${LABEL_UNDERSCORE}(\\.${LABEL_UNDERSCORE})*`;
const QUALIFIED_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED_NAME})?`;
const C_IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const CONFIG_KEY = '[-._a-zA-Z0-9]+';
const HEADER_NAME = '[-A-Za-z0-9]+';
const PERCENT = '[0-9]+%';

export const MAX_LABEL = 63;
export const MAX_SUBDOMAIN = 253;
const MAX_PORT_NAME = 15;
const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const ENV_NAME_CHARACTERS =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const QUALIFIED_NAME_CHARACTERS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

export const EMPTY = 'must be non-empty';
export const NOT_NEGATIVE = 'must be greater than or equal to 0';
export const IMMUTABLE = 'field is immutable';
export const maxLength = (n: number): string => `must be no more than ${n} characters`;
const maxBytes = (n: number): string => `must be no more than ${n} bytes`;
export const between = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;

/** 'msg (e.g. 'a',  or 'b', regex used for validation is 'r')', spaces as upstream. */
const regexMessage = (message: string, regex: string, ...examples: string[]): string =>
  `${message} (e.g. ${examples.map((e) => `'${e}', `).join(' or ')}regex used for validation is '${regex}')`;

type Rule = (text: string) => string[];
const VALID: string[] = [];

function rule(regex: string, max: number, message: string, tooLong = maxLength(max)): Rule {
  const pattern = new RegExp(`^${regex}$`);
  return (text) => {
    const long = text.length > max;
    if (!long && pattern.test(text)) return VALID;
    return [...(long ? [tooLong] : []), ...(pattern.test(text) ? [] : [message])];
  };
}

const dns1123Label = rule(
  LABEL,
  MAX_LABEL,
  regexMessage(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    LABEL,
    'my-name',
    '123-abc',
  ),
);

/** Domains that DNS searches: a part may begin with '_'. */
export const isDNS1123SubdomainWithUnderscore = rule(
  SUBDOMAIN_UNDERSCORE,
  MAX_SUBDOMAIN,
  regexMessage(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
    SUBDOMAIN_UNDERSCORE,
    'example.com',
  ),
);

const subdomain = new RegExp(`^${SUBDOMAIN}$`);

/** Upstream says nothing else of a name whose only fault are dots. */
export function isDNS1123Label(text: string): string[] {
  const messages = dns1123Label(text);
  if (messages.length === 0 || !text.includes('.') || !subdomain.test(text)) return messages;
  return [...messages.slice(0, -1), 'must not contain dots'];
}

export const isDNS1123Subdomain = rule(
  SUBDOMAIN,
  MAX_SUBDOMAIN,
  regexMessage(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    SUBDOMAIN,
    'example.com',
  ),
);

export const isDNS1035Label = rule(
  LABEL_1035,
  MAX_LABEL,
  regexMessage(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    LABEL_1035,
    'my-name',
    'abc-123',
  ),
);

export const isWildcardDNS1123Subdomain = rule(
  `\\*\\.${SUBDOMAIN}`,
  MAX_SUBDOMAIN,
  regexMessage(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    `\\*\\.${SUBDOMAIN}`,
    '*.example.com',
  ),
);

export const isLabelValue = rule(
  LABEL_VALUE,
  MAX_LABEL,
  regexMessage(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    LABEL_VALUE,
    'MyValue',
    'my_value',
    '12345',
  ),
  maxBytes(MAX_LABEL),
);

export const isCIdentifier = rule(
  C_IDENTIFIER,
  Infinity,
  regexMessage(
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    C_IDENTIFIER,
    'my_name',
    'MY_NAME',
    'MyName',
  ),
);

export const isHTTPHeaderName = rule(
  HEADER_NAME,
  Infinity,
  regexMessage("a valid HTTP header must consist of alphanumeric characters or '-'", HEADER_NAME, 'X-Header-Name'),
);

export const isPercent = rule(
  PERCENT,
  Infinity,
  regexMessage("a valid percent string must be a numeric string followed by an ending '%'", PERCENT, '1%', '93%'),
);

export function isEnvVarName(text: string): string[] {
  if (text === '') return [EMPTY];
  return /^[ -<>-~]+$/.test(text) ? VALID : [ENV_NAME_CHARACTERS];
}

const configKey = rule(
  CONFIG_KEY,
  MAX_SUBDOMAIN,
  regexMessage(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    CONFIG_KEY,
    'key.name',
    'KEY_NAME',
    'key-name',
  ),
);

/** Keys of ConfigMaps and Secrets. */
export function isConfigMapKey(text: string): string[] {
  const messages = configKey(text);
  if (text === '.') return [...messages, "must not be '.'"];
  if (text === '..') return [...messages, "must not be '..'"];
  return text.startsWith('..') ? [...messages, "must not start with '..'"] : messages;
}

const qualifiedPart = new RegExp(`^${QUALIFIED_NAME}$`);
const qualifiedMessage = regexMessage(QUALIFIED_NAME_CHARACTERS, QUALIFIED_NAME, 'MyName', 'my.name', '123-abc');

/** Label and annotation keys, resource and finalizer names: 'name' or 'example.com/name'. */
export function isQualifiedName(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2)
    return [
      `a valid label key ${qualifiedMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const name = parts.at(-1)!;
  const messages: string[] = [];
  if (parts.length === 2) {
    if (parts[0] === '') messages.push(`prefix part ${EMPTY}`);
    else messages.push(...isDNS1123Subdomain(parts[0]!).map((m) => `prefix part ${m}`));
  }
  if (name === '') messages.push(`name part ${EMPTY}`);
  else if (name.length > MAX_LABEL) messages.push(`name part ${maxBytes(MAX_LABEL)}`);
  if (!qualifiedPart.test(name)) messages.push(`name part ${qualifiedMessage}`);
  return messages;
}

/** A name that can stand in a URL: RBAC's, and any name on update. */
export function isPathSegmentName(text: string): string[] {
  if (text === '.') return ["may not be '.'"];
  if (text === '..') return ["may not be '..'"];
  return ['/', '%'].filter((c) => text.includes(c)).map((c) => `may not contain '${c}'`);
}

/** IANA service names: a port's name. */
export function isPortName(text: string): string[] {
  const messages: string[] = [];
  if (text.length > MAX_PORT_NAME) messages.push(maxLength(MAX_PORT_NAME));
  if (!/^[-a-z0-9]+$/.test(text))
    messages.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(text)) messages.push('must contain at least one letter (a-z)');
  if (text.includes('--')) messages.push('must not contain consecutive hyphens');
  if (text !== '' && (text.startsWith('-') || text.endsWith('-'))) messages.push('must not begin or end with a hyphen');
  return messages;
}

export const isPortNumber = (port: number): string[] => (port >= 1 && port <= 65535 ? VALID : [between(1, 65535)]);

export const isIPv4 = (text: string): boolean => parseAddress(text)?.kind() === 'ipv4';
export const isIPv6 = (text: string): boolean => parseAddress(text)?.kind() === 'ipv6';

export const isIP = (text: string): string[] =>
  parseAddress(text) ? VALID : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];

export const isCIDR = (text: string): string[] =>
  parsePrefix(text) ? VALID : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];

// ---- the same as field errors ----

/** One error per message. */
export const invalidEach = (path: Path, value: unknown, messages: readonly string[]): FieldError[] =>
  messages.map((m) => invalidValue(path, value, m));

export const notNegative = (path: Path, value: number | undefined): FieldError[] =>
  value !== undefined && value < 0 ? [invalidValue(path, value, NOT_NEGATIVE)] : [];

/** `equal` says whether the field stayed as it was. */
export const immutable = (path: Path, value: unknown, equal: boolean): FieldError[] =>
  equal ? [] : [invalidValue(path, value, IMMUTABLE)];

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    errors.push(
      ...invalidEach(path, key, isQualifiedName(key)),
      ...invalidEach(path, labels[key], isLabelValue(labels[key]!)),
    );
  }
  return errors;
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: Path,
): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in annotations) {
    errors.push(...invalidEach(path, key, isQualifiedName(key.toLowerCase())));
    size += key.length + annotations[key]!.length;
  }
  if (size > MAX_ANNOTATIONS_BYTES) errors.push(tooLong(path, MAX_ANNOTATIONS_BYTES));
  return errors;
}

export function validateLabelSelector(selector: LabelSelector | undefined, path: Path): FieldError[] {
  const errors = validateLabels(selector?.matchLabels, path.child('matchLabels'));
  selector?.matchExpressions?.forEach(({ key = '', operator = '', values }, i) => {
    const at = path.child('matchExpressions').index(i);
    if (operator === 'In' || operator === 'NotIn') {
      if (!values?.length)
        errors.push(required(at.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values?.length)
        errors.push(
          forbiddenField(at.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
    } else errors.push(invalidValue(at.child('operator'), operator, 'not a valid selector operator'));
    errors.push(...invalidEach(at.child('key'), key, isQualifiedName(key)));
    values?.forEach((value, j) => errors.push(...invalidEach(at.child('values').index(j), value, isLabelValue(value))));
  });
  return errors;
}
