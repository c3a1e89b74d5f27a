import type { ClusterRole } from '../../api/rbac_v1.js';
import { APIServices, ClusterRoles, CustomResourceDefinitions } from '../../kinds/index.js';
import type { Kind } from '../../machinery/kind.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { keyOf, type KubeObject } from '../../machinery/meta/object.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import { defineController, watch } from '../../runtime/controller.js';
import { grantsEveryGroup, withEveryGroup } from './every-group.js';

const isFilled = (role: ClusterRole): boolean => role.aggregationRule !== undefined || grantsEveryGroup(role);

/**
 * Fills the rules of ClusterRoles that aggregate others, and those that grant every group with the groups that come.
 * Models pkg/controller/clusterroleaggregation.
 */
export const controller = defineController({
  name: 'clusterroleaggregation',
  actor: 'system:serviceaccount:kube-system:clusterrole-aggregation-controller',
  for: {
    kind: ClusterRoles,
    keys: (_role, reader) => reader.list(ClusterRoles).filter(isFilled).map(keyOf),
  },
  watches: [CustomResourceDefinitions, APIServices].map((kind) =>
    watch<KubeObject>({
      kind: kind as Kind,
      when: (_object, old) => old === undefined,
      keys: (_object, reader) => reader.list(ClusterRoles).filter(grantsEveryGroup).map(keyOf),
    }),
  ),
  reconcile({ client }, key) {
    const role = client.get(ClusterRoles, key);
    if (role && grantsEveryGroup(role)) {
      const granted = withEveryGroup(client, role.rules ?? []);
      if (!deepEqual(granted, role.rules ?? [])) client.update(ClusterRoles, { ...role, rules: granted });
      return;
    }
    if (!role?.aggregationRule) return;
    const rules: NonNullable<ClusterRole['rules']> = [];
    for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
      for (const other of client.list(ClusterRoles)) {
        if (other.metadata.name === key.name || !matchesLabelSelector(selector, other.metadata.labels ?? {})) continue;
        for (const rule of other.rules ?? []) if (!rules.some((r) => deepEqual(r, rule))) rules.push(rule);
      }
    }
    if (!deepEqual(rules, role.rules ?? [])) client.update(ClusterRoles, { ...role, rules });
  },
});
