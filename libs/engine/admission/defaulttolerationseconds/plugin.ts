import type { Pod, Toleration } from '../../api/core_v1.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';

const SECONDS = 300;
const toleration = (key: string): Toleration => ({
  effect: 'NoExecute',
  key,
  operator: 'Exists',
  tolerationSeconds: SECONDS,
});
const NOT_READY = toleration('node.kubernetes.io/not-ready');
const UNREACHABLE = toleration('node.kubernetes.io/unreachable');
const BOTH = [NOT_READY, UNREACHABLE];

/**
 * A pod stays five minutes on a node that is lost, unless it says otherwise. Models
 * plugin/pkg/admission/defaulttolerationseconds.
 */
export const plugin: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  resources: ['pods'],
  mutate({ operation, subresource, object }) {
    if ((operation !== 'CREATE' && operation !== 'UPDATE') || subresource) return;
    const pod = object as Pod;
    const given = pod.spec.tolerations ?? [];
    const missing = given.length === 0 ? BOTH : BOTH.filter((t) => !given.some((g) => coversTaint(g, t)));
    if (missing.length > 0)
      pod.spec = { ...pod.spec, tolerations: given.length === 0 ? missing : [...given, ...missing] };
  },
};

const coversTaint = (given: Toleration, wanted: Toleration): boolean =>
  (!given.key || given.key === wanted.key) && (!given.effect || given.effect === wanted.effect);
