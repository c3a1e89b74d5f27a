import type { Pod, Toleration } from '../../api/core_v1.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';

const TOLERATION_SECONDS = 300;
const toleration = (key: string): Toleration => ({
  effect: 'NoExecute',
  key,
  operator: 'Exists',
  tolerationSeconds: TOLERATION_SECONDS,
});
const NOT_READY = toleration('node.kubernetes.io/not-ready');
const UNREACHABLE = toleration('node.kubernetes.io/unreachable');
const DEFAULTS = [NOT_READY, UNREACHABLE];

/**
 * Makes pods tolerate a node that is not ready or unreachable for five minutes, unless they have tolerations of these
 * taints. Models plugin/pkg/admission/defaulttolerationseconds.
 */
export const plugin: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  resources: ['pods'],
  mutate({ operation, subresource, object }) {
    if ((operation !== 'CREATE' && operation !== 'UPDATE') || subresource) return;
    const pod = object as Pod;
    const given = pod.spec.tolerations ?? [];
    const missing = given.length === 0 ? DEFAULTS : DEFAULTS.filter((t) => !given.some((g) => coversTaint(g, t)));
    if (missing.length > 0)
      pod.spec = { ...pod.spec, tolerations: given.length === 0 ? missing : [...given, ...missing] };
  },
};

const coversTaint = (given: Toleration, added: Toleration): boolean =>
  (!given.key || given.key === added.key) && (!given.effect || given.effect === added.effect);
