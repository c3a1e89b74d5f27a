import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind as ServiceCIDRs } from './kind.js';

test.each<[string[], string[]]>([
  [[], ['spec.cidrs: Required value: at least one CIDR required']],
  [['10.0.0.1/8'], ['spec.cidrs[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length']],
  [['10.0.0.0/8', 'fd00::/64'], []],
])('a ServiceCIDR of %j', (cidrs, errors) => expect(errorsOf(ServiceCIDRs, { spec: { cidrs } })).toEqual(errors));
