import { describe, expect, test } from '@jest/globals';
import { context, makeWithDefaults } from '../../testing.js';
import { configuredFamilies, initFamilies } from './families.js';
import { kind } from './kind.js';
import type { ServiceSpec } from './testing.js';

const ports = [{ port: 80 }];
const selector = { app: 'web' };

/** The families that come of it; else the errors. */
function familiesIn(configured: readonly ('IPv4' | 'IPv6')[], spec: ServiceSpec): string {
  const service = makeWithDefaults(kind, { metadata: { name: 'web', namespace: 'default' }, spec: { ports, ...spec } });
  const errors = initFamilies(service, undefined, configured).map(({ message }) => message);
  expect(initFamilies(service, undefined, configured).map(({ message }) => message)).toEqual(errors);
  return errors.join('; ') || `${service.spec.ipFamilyPolicy}: ${service.spec.ipFamilies?.join(', ')}`;
}

describe('a cluster of IPv4 alone', () => {
  test.each<[ServiceSpec, string]>([
    [{ selector }, 'SingleStack: IPv4'],
    [{ selector, ipFamilyPolicy: 'PreferDualStack' }, 'PreferDualStack: IPv4'],
    [
      { selector, ipFamilyPolicy: 'RequireDualStack' },
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ],
    [{ selector, ipFamilies: ['IPv6'] }, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    [
      { selector, clusterIP: 'fd00::1', clusterIPs: ['fd00::1'] },
      'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    ],
    [{ clusterIP: 'None', clusterIPs: ['None'] }, 'RequireDualStack: IPv4, IPv6'],
    [{ clusterIP: 'None', clusterIPs: ['None'], selector }, 'SingleStack: IPv4'],
  ])('%j', (spec, expected) => expect(familiesIn(['IPv4'], spec)).toBe(expected));
});

describe('a cluster of both', () => {
  test.each<[ServiceSpec, string]>([
    [{ selector }, 'SingleStack: IPv4'],
    [{ selector, ipFamilies: ['IPv6'] }, 'SingleStack: IPv6'],
    [{ selector, ipFamilyPolicy: 'PreferDualStack' }, 'PreferDualStack: IPv4, IPv6'],
    [{ selector, ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] }, 'RequireDualStack: IPv6, IPv4'],
    [
      { selector, ipFamilies: ['IPv6', 'IPv4'] },
      "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' " +
        'when multiple IP families are specified',
    ],
  ])('%j', (spec, expected) => expect(familiesIn(['IPv4', 'IPv6'], spec)).toBe(expected));
});

test('no ServiceCIDR is as one of IPv4', () => expect(configuredFamilies(context.read)).toEqual(['IPv4']));
