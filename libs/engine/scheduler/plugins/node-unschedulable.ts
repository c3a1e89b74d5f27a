import { unresolvable, type FilterPlugin } from '../plugin.js';
import { isTaintTolerated } from '../../machinery/scheduling/tolerations.js';

const REJECTION = unresolvable('node(s) were unschedulable');
const TAINT = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Filters out cordoned nodes. Models plugins/nodeunschedulable. */
export const nodeUnschedulable: FilterPlugin = {
  name: 'NodeUnschedulable',
  preFilter(pod) {
    if (isTaintTolerated(TAINT, pod.spec.tolerations)) return undefined;
    return (info) => (info.node!.spec.unschedulable ? REJECTION : undefined);
  },
};
