import { expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { ClusterRoles } from '../../kinds/index.js';
import { controller } from './controller.js';

const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
const rulesOf = (bed: ControllerBed): string[] =>
  (bed.get(ClusterRoles, 'all').rules ?? []).map((r) => r.resources!.join());

/** 'all' aggregates the roles with the labels first=yes and second=yes, in that order. */
function newBed(): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(ClusterRoles, 'all', {
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: { first: 'yes' } }, { matchLabels: { second: 'yes' } }],
    },
  });
  bed.create(ClusterRoles, 'b', { rules: [rule('pods'), rule('nodes')] }, { labels: { first: 'yes' } });
  bed.create(ClusterRoles, 'a', { rules: [rule('secrets'), rule('pods')] }, { labels: { second: 'yes' } });
  bed.create(ClusterRoles, 'other', { rules: [rule('services')] });
  return bed.settle();
}

test('the rules of a role are those that its selectors find, each once, by selector and name', () => {
  const bed = newBed();
  expect(rulesOf(bed)).toEqual(['pods', 'nodes', 'secrets']);
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});

test('they follow what is added, changed and deleted', () => {
  const bed = newBed();
  bed.create(ClusterRoles, 'c', { rules: [rule('events')] }, { labels: { first: 'yes' } });
  expect(rulesOf(bed.settle())).toEqual(['pods', 'nodes', 'events', 'secrets']);
  bed.client.update(ClusterRoles, { ...bed.get(ClusterRoles, 'b'), rules: [rule('leases')] });
  expect(rulesOf(bed.settle())).toEqual(['leases', 'events', 'secrets', 'pods']);
  bed.client.delete(ClusterRoles, { namespace: '', name: 'a' });
  expect(rulesOf(bed.settle())).toEqual(['leases', 'events']);
});

test('rules that somebody writes into it are replaced; roles without a selector are left alone', () => {
  const bed = newBed();
  bed.client.update(ClusterRoles, { ...bed.get(ClusterRoles, 'all'), rules: [rule('services')] });
  expect(rulesOf(bed.settle())).toEqual(['pods', 'nodes', 'secrets']);
  expect(bed.get(ClusterRoles, 'other').rules).toEqual([rule('services')]);
});

test('a role does not aggregate itself', () => {
  const bed = newBed();
  const all = bed.get(ClusterRoles, 'all');
  bed.client.update(ClusterRoles, { ...all, metadata: { ...all.metadata, labels: { first: 'yes' } } });
  expect(rulesOf(bed.settle())).toEqual(['pods', 'nodes', 'secrets']);
});
