import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { containers, MISMATCH, selector, template } from '../testing.js';
import { kind } from './kind.js';

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const mounting = (name: string): object => ({
  ...template,
  spec: { containers: [{ ...containers[0], volumeMounts: [{ name, mountPath: '/data' }] }] },
});

test.each<[string, object, string[]]>([
  ['a good one', { serviceName: 'web' }, []],
  ['one whose pods mount its claims', { volumeClaimTemplates: [claim], template: mounting('data') }, []],
  [
    'one whose pods mount what there is not',
    { volumeClaimTemplates: [claim], template: mounting('logs') },
    ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "logs"'],
  ],
  ['a selector for others', { selector: { matchLabels: { app: 'shop' } } }, [MISMATCH]],
  [
    'less than nothing',
    { replicas: -1, minReadySeconds: -1, ordinals: { start: -1 } },
    ['replicas', 'minReadySeconds', 'ordinals.start'].map(
      (field) => `spec.${field}: Invalid value: -1: must be greater than or equal to 0`,
    ),
  ],
  [
    'an unknown management of pods',
    { podManagementPolicy: 'Random' },
    ["spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'"],
  ],
  [
    'an unknown strategy',
    { updateStrategy: { type: 'Jump' } },
    [`spec.updateStrategy: Invalid value: {"Type":"Jump","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`],
  ],
  [
    'a partition without rolling',
    { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
    [
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    ],
  ],
  [
    'a partition before the first pod',
    { updateStrategy: { rollingUpdate: { partition: -1 } } },
    ['spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'an unknown end of claims',
    { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Burn' } },
    [
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Burn": supported values: "Retain", "Delete"',
    ],
  ],
  [
    'a claim without room',
    { volumeClaimTemplates: [{ ...claim, spec: { accessModes: ['ReadWriteOnce'] } }] },
    ['spec.volumeClaimTemplates[0].spec.resources[storage]: Required value'],
  ],
  [
    'pods that end',
    { template: { ...template, spec: { containers, restartPolicy: 'Never' } } },
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
])('%s', (_, spec, errors) => expect(errorsOf(kind, { spec: { selector, template, ...spec } })).toEqual(errors));
