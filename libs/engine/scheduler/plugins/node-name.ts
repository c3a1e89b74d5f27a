import { unresolvable, type FilterPlugin } from '../plugin.js';

const REJECTION = unresolvable("node(s) didn't match the requested node name");

/** A node asked for by name. Models plugins/nodename. */
export const nodeName: FilterPlugin = {
  name: 'NodeName',
  preFilter(pod) {
    const wanted = pod.spec.nodeName;
    return wanted ? (info) => (info.name === wanted ? undefined : REJECTION) : undefined;
  },
};
