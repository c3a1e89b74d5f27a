import { unresolvable, type FilterPlugin } from '../plugin.js';

const REJECTION = unresolvable("node(s) didn't match the requested node name");

/** Filters for the node that the pod's spec names. Models plugins/nodename. */
export const nodeName: FilterPlugin = {
  name: 'NodeName',
  preFilter(pod) {
    const { nodeName: name } = pod.spec;
    return name ? (info) => (info.name === name ? undefined : REJECTION) : undefined;
  },
};
