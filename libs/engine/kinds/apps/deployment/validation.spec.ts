import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { labels, MISMATCH, selector, template } from '../testing.js';
import { kind } from './kind.js';

const rolling = (rollingUpdate: object): object => ({ strategy: { rollingUpdate } });
const at = 'spec.strategy.rollingUpdate';

test.each<[string, object, string[]]>([
  ['a good one', {}, []],
  ['a selector for others', { selector: { matchLabels: { app: 'shop' } } }, [MISMATCH]],
  ['no selector', { selector: undefined }, ['spec.selector: Required value', MISMATCH]],
  ['no containers', { template: { metadata: { labels } } }, ['spec.template.spec.containers: Required value']],
  [
    'less than nothing',
    { replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1 },
    ['replicas', 'minReadySeconds', 'revisionHistoryLimit'].map(
      (field) => `spec.${field}: Invalid value: -1: must be greater than or equal to 0`,
    ),
  ],
  [
    'a deadline before pods can be available',
    { minReadySeconds: 600 },
    ['spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds'],
  ],
  [
    'an unknown strategy',
    { strategy: { type: 'Jump' } },
    [
      'spec.strategy: Unsupported value: {"Type":"Jump","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
  ],
  [
    'both bounds 0',
    rolling({ maxSurge: 0, maxUnavailable: 0 }),
    [`${at}.maxUnavailable: Invalid value: 0: may not be 0 when \`maxSurge\` is 0`],
  ],
  [
    'both bounds 0 percent',
    rolling({ maxSurge: '0%', maxUnavailable: '0%' }),
    [`${at}.maxUnavailable: Invalid value: "0%": may not be 0 when \`maxSurge\` is 0`],
  ],
  [
    'more than all',
    rolling({ maxSurge: '200%', maxUnavailable: '101%' }),
    [`${at}.maxUnavailable: Invalid value: "101%": must not be greater than 100%`],
  ],
  [
    'Recreate with bounds',
    { strategy: { type: 'Recreate', rollingUpdate: {} } },
    ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
  ],
])('%s', (_, spec, errors) => expect(errorsOf(kind, { spec: { selector, template, ...spec } })).toEqual(errors));
