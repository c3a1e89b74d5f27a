import type { ClusterRole } from '../../api/rbac_v1.js';
import { ClusterRoles } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { keyOf } from '../../machinery/meta/object.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import { defineController } from '../../runtime/controller.js';

/** Fills the rules of ClusterRoles that aggregate others. Models pkg/controller/clusterroleaggregation. */
export const controller = defineController({
  name: 'clusterroleaggregation',
  actor: 'system:serviceaccount:kube-system:clusterrole-aggregation-controller',
  for: {
    kind: ClusterRoles,
    keys: (_role, reader) =>
      reader
        .list(ClusterRoles)
        .filter((role) => role.aggregationRule)
        .map(keyOf),
  },
  reconcile({ client }, key) {
    const role = client.get(ClusterRoles, key);
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
