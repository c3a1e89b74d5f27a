import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind as Components } from './kind.js';

test.each<[string, object, string[]]>([
  ['kubelet', { enabled: false }, []],
  [
    'etcd',
    {},
    [
      'metadata.name: Unsupported value: "etcd": supported values: "cloud-controller-manager", "kube-controller-manager", "kube-proxy", "kube-scheduler", "kubelet"',
    ],
  ],
  ['kubelet', { enabled: 1 }, ['spec.enabled: Invalid value: 1: must be true or false']],
])('the Component %s of %j', (name, spec, errors) =>
  expect(errorsOf(Components, { metadata: { name }, spec })).toEqual(errors),
);
