import { Jobs } from '../../kinds/index.js';
import { parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';
import { defineController } from '../../runtime/controller.js';

/**
 * Until the controller has seen that a Job has ended, and has read it once more: no Job goes in the instant it ends.
 */
const WATCH_LATENCY: Millis = 100;

/** Deletes Jobs some time after they have ended. Models pkg/controller/ttlafterfinished. */
export const controller = defineController({
  name: 'ttlafterfinished',
  actor: 'system:serviceaccount:kube-system:ttl-after-finished-controller',
  eventSource: 'ttl-after-finished-controller',
  for: { kind: Jobs, when: (job) => job.spec.ttlSecondsAfterFinished !== undefined, delay: WATCH_LATENCY },
  reconcile({ client, now }, key) {
    const job = client.get(Jobs, key);
    const ended = job?.status.conditions?.find(
      (c) => (c.type === 'Complete' || c.type === 'Failed') && c.status === 'True',
    );
    if (
      !job ||
      !ended ||
      job.spec.ttlSecondsAfterFinished === undefined ||
      job.metadata.deletionTimestamp !== undefined
    )
      return undefined;
    const due = parseTimestamp(ended.lastTransitionTime ?? '') + job.spec.ttlSecondsAfterFinished * SECOND;
    if (due > now) return { requeueAfter: due - now };
    client.delete(Jobs, key, { propagationPolicy: 'Foreground', preconditions: { uid: job.metadata.uid } });
    return undefined;
  },
});
