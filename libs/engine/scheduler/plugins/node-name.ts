import { rejectForGood, type FilterPlugin } from '../plugin.js';

const REJECTION = rejectForGood("node(s) didn't match the requested node name");

/** A node asked for by name. Models plugins/nodename. */
export const nodeName: FilterPlugin = {
  name: 'NodeName',
  prepare(pod) {
    const wanted = pod.spec.nodeName;
    return wanted ? (info) => (info.name === wanted ? undefined : REJECTION) : undefined;
  },
};
