import { expect, test } from '@jest/globals';
import { dataOf, readProportion, replicasOf } from './replicas.js';

const SIZE = { cores: 12, nodes: 3 };

test.each<[string, Record<string, string>, number | undefined]>([
  ['one at least', { linear: '{"coresPerReplica":256,"nodesPerReplica":16}' }, 1],
  ['nodes', { linear: '{"coresPerReplica":256,"nodesPerReplica":1}' }, 3],
  ['cores', { linear: '{"coresPerReplica":2,"nodesPerReplica":1}' }, 6],
  ['a minimum', { linear: '{"coresPerReplica":256,"min":4,"nodesPerReplica":1}' }, 4],
  ['a maximum', { linear: '{"coresPerReplica":1,"max":5}' }, 5],
  ['no single point of failure', { linear: '{"nodesPerReplica":16,"preventSinglePointFailure":true}' }, 2],
  ['a ladder of nodes', { ladder: '{"nodesToReplicas":[[1,1],[2,2],[8,7]]}' }, 2],
  ['a ladder of both', { ladder: '{"coresToReplicas":[[1,1],[12,5]],"nodesToReplicas":[[1,1]]}' }, 5],
  ['below the ladder', { ladder: '{"coresToReplicas":[[64,3]]}' }, 3],
  ['no JSON', { linear: '{' }, undefined],
  ['no mode', { other: '{}' }, undefined],
])('replicas by %s', (_name, data, wanted) => {
  const proportion = readProportion(data);
  expect(proportion && replicasOf(proportion, SIZE)).toBe(wanted);
});

test('the parameters of the command line', () => {
  expect(dataOf('{"linear":{"min":1}}')).toEqual({ linear: '{"min":1}' });
  expect(dataOf('nonsense')).toBeUndefined();
});
