import { unresolvable, type FilterPlugin } from '../plugin.js';
import { tolerates } from './taint-toleration.js';

const REJECTION = unresolvable('node(s) were unschedulable');
const TAINT = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Filters out cordoned nodes. Models plugins/nodeunschedulable. */
export const nodeUnschedulable: FilterPlugin = {
  name: 'NodeUnschedulable',
  preFilter(pod) {
    if (tolerates(pod.spec.tolerations, TAINT)) return undefined;
    return (info) => (info.node!.spec.unschedulable ? REJECTION : undefined);
  },
};
