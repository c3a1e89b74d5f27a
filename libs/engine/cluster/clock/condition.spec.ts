import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../testkit/beds/cluster-bed.js';
import { ConfigMaps, Secrets } from '../../kinds/index.js';
import { Condition, ConditionError } from './condition.js';

const conditionOf = (bed: ClusterBed, text: string): Condition =>
  new Condition(text, bed.cluster.state, bed.cluster.registry);

test.each([
  ['configmaps.exists(c, c.metadata.name == "a")', true, undefined],
  ['configmaps.exists(c, c.metadata.name == "b")', false, undefined],
  ['configmaps.filter(c, c.metadata.name == "a")[0].data.missing == "x"', false, 'no such key: missing'],
  ["configmap['default/a'].data.k == 'v'", true, undefined],
  ["configmap['default/b'].data.k == 'v'", false, 'no such key: default/b'],
  ["'default/a' in configmap && !('default/b' in configmap)", true, undefined],
  ["configmap['a'].data.k == 'v'", false, "configmap is asked by 'NAMESPACE/NAME', not by 'a'"],
  ['now > timestamp("2020-01-01T00:00:00Z")', true, undefined],
])('%s: %s', (text, holds, error) => {
  const bed = new ClusterBed();
  bed.create(ConfigMaps, 'a', { data: { k: 'v' } });
  expect(conditionOf(bed, text).judge(true)).toEqual({ holds, ...(error === undefined ? {} : { error }) });
});

test('what names no resource is no condition', () => {
  const bed = new ClusterBed();
  expect(() => conditionOf(bed, 'gnomes.all(g, true)').judge(true)).toThrow(ConditionError);
  expect(() => conditionOf(bed, 'pods.all(')).toThrow(ConditionError);
  expect(() => conditionOf(bed, "pods['default/a'].x == 1")).toThrow(
    "pods is the list of all: one of them is pod['…']",
  );
});

test('it is looked at again when what it names has changed', () => {
  const bed = new ClusterBed();
  const condition = conditionOf(bed, 'configmaps.exists(c, c.metadata.name == "a")');
  expect(condition.judge(true).holds).toBe(false);
  bed.create(Secrets, 'a');
  expect(condition.judge(false).holds).toBe(false);
  bed.create(ConfigMaps, 'a');
  expect(condition.judge(false).holds).toBe(true);
});
