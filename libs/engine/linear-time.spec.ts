import { describe, expect, test } from '@jest/globals';
import { validateLabels as validatePodSecurityLabels } from './admission/podsecurity/policy.js';
import { nonResourceUrlMatches } from './auth/rbac/evaluation.js';
import { hasBadEscape, unescapePath } from './machinery/requests/unescape.js';
import { acceptClauses } from './apiserver/request/negotiate.js';
import { decodeContinue } from './apiserver/verbs/list/continue-token.js';
import { conversionError } from './apiserver/verbs/conversion-error.js';
import { hasFormat } from './extensions/schema/formats.js';
import { compileJsonPath } from './extensions/jsonpath.js';
import { validateClient } from './kinds/admissionregistration/webhooks.js';
import { splitMaybeSubscriptedPath } from './kinds/core/pod/field-path.js';
import { warningsForOverlappingVirtualPaths } from './kinds/core/pod/validation/container/overlapping-paths.js';
import { validateResourceQuotaResourceName } from './kinds/core/resource-names.js';
import { validateCSIDriverName } from './kinds/csi-driver-name.js';
import {
  getWarningsForCIDR,
  getWarningsForIP,
  isValidCIDRForLegacyField,
  isValidIPForLegacyField,
} from './kinds/ip.js';
import { findIllegalByte } from './machinery/text/base64.js';
import { evaluate } from './machinery/cel/testing.js';
import { decodePem } from './machinery/crypto/x509/pem.js';
import { Path } from './machinery/meta/field.js';
import * as validation from './machinery/meta/validation.js';
import { parseAddress, parsePrefix } from './machinery/net/netip.js';
import { isQuantity } from './machinery/quantity/quantity.js';
import { parseFieldSelector } from './machinery/selectors/field-selector.js';
import { parseLabelSelector } from './machinery/selectors/parser.js';
import { parseSchedule } from './machinery/time/cron.js';
import { findTimeZone } from './machinery/time/time-zones.js';
import { parseReference } from './node/cri/images/reference.js';
import { expand } from './node/kubelet/container/expansion.js';
import { parseTime } from './schema/serializer/go-time.js';
import { findYamlError } from './schema/serializer/go-yaml/parser.js';
import { scanJson } from './schema/serializer/json-scanner.js';

/** A body may be ten times as long; at this length already, quadratic work takes a minute. */
const LENGTH = 300_000;
const LIMIT_MS = 2_000;

const repeat = (unit: string): string => unit.repeat(Math.ceil(LENGTH / unit.length));
const UNITS = [
  ...['a', '0', 'A', ' ', '\n', '.', '-', '/', '*', ':', '=', ',', '@', '[', '{', '$(', '%', '\\', '"', "'", '_'],
  ...['a.', '0.', 'a-', '.0', '-_', '::', '0s', '0 ', 'a=b,', '\\a', '/a', "['a']", '-----BEGIN A-----\n', '<a>'],
  ...['\n-----END ', '%.9', ' cannot be handled as a ', 'a\n', '0e', '(0', "a['", '"a"@'],
];
/** Long runs of one thing that a pattern may begin with, and that end otherwise. */
const HOSTILE = UNITS.flatMap((unit) => [repeat(unit), `v${repeat(unit)}\n!`, `${repeat(unit)}']`]);

const path = Path.of('spec');
const CEL = [
  ...[
    'duration(x)',
    'timestamp(x)',
    'double(x)',
    'int(x)',
    'uint(x)',
    'quantity(x)',
    'isURL(x)',
    'url(x).getHostname()',
  ],
  ...[
    'isSemver(x)',
    'semver(x, true).major()',
    'isIP(x)',
    'isCIDR(x)',
    'x.trim()',
    'x.lowerAscii()',
    'x.format([1.5])',
  ],
  ...['format.uri().value().validate(x)', 'format.byte().value().validate(x)', 'format.datetime().value().validate(x)'],
  ...['format.qualifiedName().value().validate(x)', 'strings.quote(x)', 'x.replace("a", "b")', 'x.find("(a|b)*c")'],
];
const FORMATS = [
  ...['byte', 'bsonobjectid', 'cidr', 'creditcard', 'date', 'date-time', 'datetime', 'duration', 'email', 'hostname'],
  ...['hexcolor', 'ipv4', 'ipv6', 'isbn', 'isbn10', 'isbn13', 'mac', 'rgbcolor', 'ssn', 'uri', 'uuid', 'uuid4'],
];
const RULES = Object.entries(validation).filter(
  ([name, rule]) => name.startsWith('is') && name !== 'isPortNumber' && typeof rule === 'function',
) as unknown as [string, (text: string) => unknown][];

const FUNCTIONS: [string, (text: string) => unknown][] = [
  ...RULES,
  ...CEL.map((text): [string, (x: string) => unknown] => [text, (x) => evaluate(text, { x })]),
  ...FORMATS.map((name): [string, (text: string) => unknown] => [`format ${name}`, (text) => hasFormat(text, name)]),
  ['isQuantity', isQuantity],
  ['parseReference', parseReference],
  ['nonResourceURLs', (text) => nonResourceUrlMatches({ verbs: ['get'], nonResourceURLs: [text, `${text}*`] }, '/a')],
  ['decodePem', decodePem],
  ['splitMaybeSubscriptedPath', splitMaybeSubscriptedPath],
  ['expand', (text) => expand(text, () => undefined)],
  ['parseAddress', parseAddress],
  ['parsePrefix', parsePrefix],
  ['IP', (text) => [isValidIPForLegacyField(path, text), getWarningsForIP(path, text)]],
  ['CIDR', (text) => [isValidCIDRForLegacyField(path, text), getWarningsForCIDR(path, text)]],
  ['parseFieldSelector', parseFieldSelector],
  ['parseLabelSelector', parseLabelSelector],
  ['parseSchedule', parseSchedule],
  ['parseSchedule @every', (text) => parseSchedule(`@every ${text}`)],
  ['findTimeZone', findTimeZone],
  [
    'compileJsonPath',
    (text) => [compileJsonPath(text), compileJsonPath(`.a${text}`), compileJsonPath(`{.a[?(@.b==${text}`)],
  ],
  ['parseTime', (text) => [parseTime(text), parseTime(`2026-01-01T00:00:00.${text}`)]],
  ['scanJson', scanJson],
  ['findYamlError', findYamlError],
  ['findIllegalByte', findIllegalByte],
  ['unescapePath', (text) => [hasBadEscape(text), unescapePath(text)]],
  ['acceptClauses', acceptClauses],
  ['decodeContinue', decodeContinue],
  ['conversionError', (text) => conversionError(`json: cannot unmarshal ${text} into Go value of type ${text}`)],
  ['webhook URL', (text) => validateClient({ url: `https://${text}` }, path)],
  ['mount paths', (text) => warningsForOverlappingVirtualPaths(projecting(text))],
  ['quota names', (text) => validateResourceQuotaResourceName(text, path)],
  ['CSI driver names', (text) => validateCSIDriverName(path, text)],
  ['PodSecurity labels', (text) => validatePodSecurityLabels({ 'pod-security.kubernetes.io/enforce-version': text })],
];
const projecting = (text: string): Parameters<typeof warningsForOverlappingVirtualPaths>[0] => [
  {
    name: 'v',
    configMap: {
      name: 'c',
      items: [
        { key: 'k', path: text },
        { key: 'l', path: `${text}/a` },
      ],
    },
  },
];

/** What users write may be refused, however it is: only the time is of interest here. */
function msOf(run: () => unknown): number {
  const start = performance.now();
  try {
    run();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
  }
  return performance.now() - start;
}

describe('long texts of users take linear time', () => {
  test.each(FUNCTIONS)('%s', (_name, run) => {
    const slow = HOSTILE.find((text) => msOf(() => run(text)) > LIMIT_MS);
    expect(slow?.slice(0, 40)).toBeUndefined();
  });
});
