import { describe, expect, test } from '@jest/globals';
import { podUpdateErrors, web } from '../testing.js';

const old = { containers: [web] };
const ONLY =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
/** The errors without their diffs. */
const headsOf = (before: object, after: object): string[] =>
  podUpdateErrors({ ...old, ...before }, { ...old, ...after }).map((message) => message.split('\n')[0]!);

describe('what may change', () => {
  test.each<[string, object, object]>([
    ['an image', {}, { containers: [{ ...web, image: 'nginx:1.26' }] }],
    ['a deadline that comes', {}, { activeDeadlineSeconds: 5 }],
    ['a deadline that is sooner', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 4 }],
    ['a toleration more', {}, { tolerations: [{ key: 'a', operator: 'Exists' }] }],
    ['a gate that goes', { schedulingGates: [{ name: 'a' }, { name: 'b' }] }, { schedulingGates: [{ name: 'b' }] }],
    ['grace that was negative', { terminationGracePeriodSeconds: -1 }, { terminationGracePeriodSeconds: 1 }],
    [
      'the nodes of a gated pod, to fewer',
      { schedulingGates: [{ name: 'a' }] },
      { schedulingGates: [{ name: 'a' }], nodeSelector: { zone: 'a' } },
    ],
  ])('%s', (_, before, after) => expect(headsOf(before, after)).toEqual([]));
});

describe('what may not', () => {
  test.each<[string, object, object, string[]]>([
    ['anything else', {}, { hostNetwork: true }, [ONLY]],
    [
      'the number of containers',
      {},
      { containers: [web, { ...web, name: 'b' }] },
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
    ['an image that goes', {}, { containers: [{ ...web, image: '' }] }, ['spec.containers[0].image: Required value']],
    [
      'a deadline that is later',
      { activeDeadlineSeconds: 4 },
      { activeDeadlineSeconds: 5 },
      ['spec.activeDeadlineSeconds: Invalid value: 5: must be less than or equal to previous value'],
    ],
    [
      'a deadline that goes',
      { activeDeadlineSeconds: 4 },
      {},
      ['spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value'],
    ],
    [
      'a toleration that goes',
      { tolerations: [{ key: 'a', operator: 'Exists' }] },
      {},
      ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
    ],
    [
      'a gate that comes',
      {},
      { schedulingGates: [{ name: 'a' }] },
      ["spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'"],
    ],
    ['the nodes of a pod without gates', {}, { nodeSelector: { zone: 'a' } }, [ONLY]],
    [
      'the nodes of a gated pod, to others',
      { schedulingGates: [{ name: 'a' }], nodeSelector: { zone: 'a' } },
      { schedulingGates: [{ name: 'a' }], nodeSelector: { zone: 'b' } },
      [
        'spec.nodeSelector: Invalid value: {"zone":"b"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ],
    ],
  ])('%s', (_, before, after, errors) => expect(headsOf(before, after)).toEqual(errors));
});

test('what may not change is shown as a diff', () => {
  const [error] = podUpdateErrors(old, { ...old, hostname: 'other' });
  expect(error).toContain('spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,');
  expect(error!.split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
    '- "Hostname": "",',
    '+ "Hostname": "other",',
  ]);
});
