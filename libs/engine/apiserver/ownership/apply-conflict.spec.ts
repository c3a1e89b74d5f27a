import { expect, test } from '@jest/globals';
import { NONE, type Owner } from '../../machinery/managedfields/index.js';
import { applyConflict } from './apply-conflict.js';

const owner = (manager: string, operation: Owner['operation'], subresource?: string): Owner => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  fields: NONE,
  ...(subresource ? { subresource } : {}),
});
const REPLICAS = ['f:spec', 'f:replicas'];
const IMAGE = ['f:spec', 'f:containers', 'k:{"name":"app"}', 'f:image'];

test.each([
  [
    'an updater',
    [{ owner: owner('hpa', 'Update', 'scale'), path: REPLICAS }],
    'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using apps/v1: .spec.replicas',
  ],
  [
    'an applier',
    [{ owner: owner('helm', 'Apply'), path: IMAGE }],
    'Apply failed with 1 conflict: conflict with "helm": .spec.containers[name="app"].image',
  ],
  [
    'two owners',
    [
      { owner: owner('helm', 'Apply'), path: IMAGE },
      { owner: owner('me', 'Update'), path: REPLICAS },
      { owner: owner('helm', 'Apply'), path: REPLICAS },
    ],
    'Apply failed with 3 conflicts: conflicts with "helm":\n- .spec.containers[name="app"].image\n- .spec.replicas\nconflicts with "me" using apps/v1:\n- .spec.replicas',
  ],
])('a conflict with %s', (_, conflicts, message) => {
  const { status, details, ...rest } = applyConflict(conflicts).toStatus();
  expect(rest).toMatchObject({ code: 409, reason: 'Conflict', message });
  expect([status, details?.causes?.length]).toEqual(['Failure', conflicts.length]);
});

test('a cause names the field and its owner', () => {
  expect(applyConflict([{ owner: owner('me', 'Update'), path: REPLICAS }]).details?.causes).toEqual([
    { reason: 'FieldManagerConflict', message: 'conflict with "me" using apps/v1', field: '.spec.replicas' },
  ]);
});
