import { describe, expect, test } from '@jest/globals';
import { kinds } from '../../kinds/index.js';
import { apiServices } from './api-services.js';

const services = new Map(apiServices(kinds).map((service) => [service.metadata.name, service]));

describe('the APIService', () => {
  test.each<[string, string | undefined, string, number, number]>([
    ['v1.', undefined, 'v1', 18_000, 1],
    ['v1.apps', 'apps', 'v1', 17_800, 15],
    ['v1.batch', 'batch', 'v1', 17_400, 15],
    ['v2.autoscaling', 'autoscaling', 'v2', 17_500, 30],
    ['v1.autoscaling', 'autoscaling', 'v1', 17_500, 15],
    ['v1.rbac.authorization.k8s.io', 'rbac.authorization.k8s.io', 'v1', 17_000, 15],
  ])('%s', (name, group, version, groupPriorityMinimum, versionPriority) => {
    const { metadata, spec } = services.get(name)!;
    expect(metadata.labels).toEqual({ 'kube-aggregator.kubernetes.io/automanaged': 'onstart' });
    expect(spec).toEqual({ ...(group ? { group } : {}), version, groupPriorityMinimum, versionPriority });
  });

  test.each(['v1.apiregistration.k8s.io', 'v1alpha1.terrarium.dev'])('%s is not there', (name) =>
    expect(services.has(name)).toBe(false),
  );
});
