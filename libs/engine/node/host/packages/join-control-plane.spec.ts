import { expect, test } from '@jest/globals';
import { Nodes, Secrets } from '../../../kinds/index.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import { clientOf, stateOf } from '../../cri/testing.js';
import { joinControlPlane } from './join-control-plane.js';

const LABEL = 'node-role.kubernetes.io/control-plane';

test.each([
  ['abcdef.0123456789abcdef', true],
  ['abcdef.0000000000000000', false],
])('the token %s lets a node into the control plane: %s', (token, expected) => {
  const state = stateOf();
  const client = clientOf(state);
  client.create(Nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' }, spec: {}, status: {} });
  client.create(Secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'kube-system', name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.kubernetes.io/token',
    data: { 'token-id': encodeBase64('abcdef'), 'token-secret': encodeBase64('0123456789abcdef') },
  });
  joinControlPlane(client, 'worker-1', token);
  const node = state.get(Nodes, { namespace: '', name: 'worker-1' });
  expect(node?.metadata.labels?.[LABEL] !== undefined).toBe(expected);
  expect((node?.spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)).toEqual(
    expected ? [`${LABEL}:NoSchedule`] : [],
  );
});
