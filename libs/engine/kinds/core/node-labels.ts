/** Labels of nodes that have gone out of use. Models pkg/api/node/util.go. */
import type { NodeSelectorTerm } from '../../api/core_v1.js';
import type { Path } from '../../machinery/meta/field.js';
import { isLabelValue } from '../../machinery/meta/validation.js';

const OLD: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

export const nodeLabelDeprecatedMessage = (key: string): string | undefined => OLD[key];

/** `values`: whether to warn of values that no label can have, too. */
export function warningsForNodeSelectorTerm(term: NodeSelectorTerm, values: boolean, path: Path): string[] {
  return (term.matchExpressions ?? []).flatMap((expression, i) => {
    const at = path.child('matchExpressions').index(i);
    const old = nodeLabelDeprecatedMessage(expression.key);
    const warnings = old ? [`${at.child('key')}: ${expression.key} is ${old}`] : [];
    if (values)
      expression.values?.forEach((value, j) =>
        warnings.push(
          ...isLabelValue(value).map((message) => `${at.child('values').index(j)}: ${value} is invalid, ${message}`),
        ),
      );
    return warnings;
  });
}
