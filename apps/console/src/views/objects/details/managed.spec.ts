import { expect, test } from '@jest/globals';
import { managedBy } from './managed.js';

test('fields are told by their paths', () => {
  const fieldsV1 = {
    'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
    'f:spec': {
      'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } },
      'f:finalizers': { 'v:"kubernetes"': {} },
    },
  };
  expect(managedBy([{ manager: 'kubectl', operation: 'Apply', fieldsV1 }])).toEqual([
    {
      manager: 'kubectl',
      operation: 'Apply',
      subresource: '',
      time: '',
      fields: ['metadata.labels.app', 'spec.containers[name:web].image', 'spec.finalizers["kubernetes"]'],
    },
  ]);
});

test('what is no field set has none', () =>
  expect(managedBy([{}, { fieldsV1: 'x' }]).map((m) => m.fields)).toEqual([[], []]));
