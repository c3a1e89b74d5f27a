import type { APIService } from '../../api/apiregistration_v1.js';
import type { Kind } from '../../machinery/kind.js';

/** Group versions in the order clients prefer them. Models pkg/controlplane/apiserver/aggregator.go. */
const PRIORITIES: Readonly<Record<string, number>> = {
  '': 18_000,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
  'resource.k8s.io': 16_200,
  apps: 17_800,
};
const OWN_GROUPS = new Set(['apiregistration.k8s.io', 'terrarium.dev']);

/** One for each group version that the server answers itself. */
export function apiServices(kinds: readonly Kind[]): APIService[] {
  const served = new Map<string, { group: string; version: string }>();
  for (const { group, version, internal } of kinds)
    if (!internal && !OWN_GROUPS.has(group)) served.set(`${version}.${group}`, { group, version });
  return [...served.entries()].map(
    ([name, { group, version }]) =>
      ({
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name, labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
        spec: {
          ...(group ? { group } : {}),
          version,
          groupPriorityMinimum: PRIORITIES[group] ?? 16_000,
          versionPriority: group === '' ? 1 : group === 'autoscaling' && version === 'v2' ? 30 : 15,
        },
      }) as unknown as APIService,
  );
}
