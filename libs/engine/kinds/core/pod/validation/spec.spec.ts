import { expect, test } from '@jest/globals';
import { Path } from '../../../../machinery/meta/field.js';
import { podErrors, web } from '../testing.js';
import { validatePodSpec } from './spec.js';

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

test.each<[string, object, string[]]>([
  ['a plain one', {}, []],
  [
    'an unknown restart policy',
    { restartPolicy: 'Sometimes' },
    ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
  ],
  [
    'an unknown preemption policy',
    { preemptionPolicy: 'Ask' },
    ['spec.preemptionPolicy: Unsupported value: "Ask": supported values: "PreemptLowerPriority", "Never"'],
  ],
  [
    'no time at all',
    { activeDeadlineSeconds: 0 },
    ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
  ],
  ['a hostname that is no label', { hostname: 'A' }, [`spec.hostname: Invalid value: "A": ${LABEL}`]],
  [
    'an alias of no address',
    { hostAliases: [{ ip: 'x', hostnames: ['a.example.com'] }] },
    ['spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    "a hostname of its own on the host's network",
    { hostnameOverride: 'a', hostNetwork: true, setHostnameAsFQDN: true },
    [
      'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
      'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
    ],
  ],
  [
    'a long hostname of its own',
    { hostnameOverride: 'a'.repeat(65) },
    ['spec.hostnameOverride: Too long: may not be more than 64 bytes'],
  ],
  [
    'another port of the host on its network',
    { containers: [{ ...web, ports: [{ containerPort: 80, hostPort: 81 }] }], hostNetwork: true },
    ['spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true'],
  ],
  [
    'an overhead of what containers do not have',
    { overhead: { storage: '1Gi' } },
    ['spec.overhead.limits[storage]: Invalid value: "storage": must be a standard resource for containers'],
  ],
])('%s', (_, spec, errors) => expect(podErrors({ containers: [web], ...spec })).toEqual(errors));

const claim = (fields: object): object => ({ name: 'gpu', ...fields });
test.each<[string, object[], string[]]>([
  ['by name', [claim({ resourceClaimName: 'c' })], []],
  [
    'by name and template',
    [claim({ resourceClaimName: 'c', resourceClaimTemplateName: 't' })],
    [
      'spec.resourceClaims[0]: Invalid value: {"Name":"gpu","ResourceClaimName":"c","ResourceClaimTemplateName":"t"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
    ],
  ],
  [
    'by neither',
    [claim({})],
    [
      'spec.resourceClaims[0]: Invalid value: {"Name":"gpu","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ],
  ],
  [
    'twice',
    [claim({ resourceClaimName: 'c' }), claim({ resourceClaimName: 'd' })],
    ['spec.resourceClaims[1].name: Duplicate value: "gpu"'],
  ],
  ['without a name', [{ resourceClaimName: 'c' }], ['spec.resourceClaims[0].name: Required value']],
])('a claim %s', (_, resourceClaims, errors) =>
  expect(podErrors({ containers: [web], resourceClaims })).toEqual(errors),
);

test('a spec without defaults, at a path of its own', () =>
  expect(validatePodSpec({ containers: [] }, Path.of('template', 'spec')).map((error) => error.message)).toEqual([
    'template.spec.terminationGracePeriodSeconds: Required value',
    'template.spec.containers: Required value',
    'template.spec.restartPolicy: Required value',
    'template.spec.dnsPolicy: Required value',
  ]));
