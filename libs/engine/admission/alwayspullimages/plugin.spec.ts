import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import type { AdmissionRequest } from '../../runtime/admission.js';
import { plugin } from './plugin.js';

const pod = (image: string, imagePullPolicy = 'IfNotPresent'): Pod =>
  ({
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image, imagePullPolicy }], initContainers: [{ name: 'i', image: 'i' }] },
  }) as Pod;
const admitted = (object: Pod, old?: Pod, subresource = ''): (string | undefined)[] => {
  plugin.mutate!({ operation: old ? 'UPDATE' : 'CREATE', subresource, object, old } as unknown as AdmissionRequest);
  return [...object.spec.containers, ...object.spec.initContainers!].map((one) => one.imagePullPolicy);
};

test('a new pod pulls always', () => expect(admitted(pod('a'))).toEqual(['Always', 'Always']));
test('so does one with a new image', () => expect(admitted(pod('b'), pod('a'))).toEqual(['Always', 'Always']));
test('others are left alone', () => {
  expect(admitted(pod('a'), pod('a'))).toEqual(['IfNotPresent', undefined]);
  expect(admitted(pod('a'), undefined, 'status')).toEqual(['IfNotPresent', undefined]);
});
test('it is off unless a flag names it', () => expect(plugin.isOff).toBe(true));
