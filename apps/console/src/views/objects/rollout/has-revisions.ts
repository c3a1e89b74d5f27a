import type { Resource } from '../../../kube/resource.js';

/** Those that `kubectl rollout` knows. */
export const hasRevisions = ({ group, resource }: Pick<Resource, 'group' | 'resource'>): boolean =>
  group === 'apps' && ['deployments', 'statefulsets', 'daemonsets'].includes(resource);
