import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { initDefaults, joinDefaults } from './defaults.js';

test('the defaults of init are two documents, of the first patch of a version', () => {
  const documents = parseAllDocuments(initDefaults('v1.36.3')).map((one) => one.toJS() as Record<string, unknown>);
  expect(documents.map(({ kind }) => kind)).toEqual(['InitConfiguration', 'ClusterConfiguration']);
  expect(documents[1]).toMatchObject({ kubernetesVersion: '1.36.0', networking: { serviceSubnet: '10.96.0.0/12' } });
});

test('the defaults of join name the node', () =>
  expect(parse(joinDefaults('worker-1'))).toMatchObject({
    kind: 'JoinConfiguration',
    nodeRegistration: { name: 'worker-1', taints: null },
    timeouts: { discovery: '5m0s' },
  }));
