import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { containers, MISMATCH, selector, template } from '../testing.js';
import { kind } from './kind.js';

const rolling = (rollingUpdate: object): object => ({ updateStrategy: { rollingUpdate } });
const at = 'spec.updateStrategy.rollingUpdate';

test.each<[string, object, string[]]>([
  ['a good one', {}, []],
  ['one that waits', { updateStrategy: { type: 'OnDelete' } }, []],
  ['a selector for others', { selector: { matchLabels: { app: 'shop' } } }, [MISMATCH]],
  [
    'a restart policy',
    { template: { ...template, spec: { containers, restartPolicy: 'Never' } } },
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
  [
    'an unknown strategy',
    { updateStrategy: { type: 'Jump' } },
    ['spec.updateStrategy.type: Unsupported value: "Jump": supported values: "RollingUpdate", "OnDelete"'],
  ],
  [
    'both bounds 0',
    rolling({ maxUnavailable: 0, maxSurge: 0 }),
    [`${at}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`],
  ],
  [
    'both bounds more',
    rolling({ maxUnavailable: 1, maxSurge: '10%' }),
    [`${at}.maxSurge: Invalid value: "10%": may not be set when maxUnavailable is non-zero`],
  ],
  [
    'more than all',
    rolling({ maxUnavailable: '101%' }),
    [`${at}.maxUnavailable: Invalid value: "101%": must not be greater than 100%`],
  ],
  [
    'less than nothing',
    { minReadySeconds: -1, revisionHistoryLimit: -1 },
    ['minReadySeconds', 'revisionHistoryLimit'].map(
      (field) => `spec.${field}: Invalid value: -1: must be greater than or equal to 0`,
    ),
  ],
])('%s', (_, spec, errors) => expect(errorsOf(kind, { spec: { selector, template, ...spec } })).toEqual(errors));
