import type { Cluster } from './clusters.generated.js';

/** Labels of a learner's cluster (docs/LABS.md). */
const LAB_LABEL = 'lab.terrarium.dev/name';
const LEARNER_LABEL = 'lab.terrarium.dev/learner';

/** The lab that a learner's cluster is of. */
export const labOf = ({ labels }: Cluster): string | undefined =>
  labels[LEARNER_LABEL] ? labels[LAB_LABEL] : undefined;
