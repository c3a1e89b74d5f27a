import type { Pod } from '../../../api/core_v1.js';
import { defineKind, proxyConnection, streamConnection, type Kind } from '../../../machinery/kind.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { attribution } from './attribution.js';
import { timestamp } from '../../../machinery/time/time.js';
import { bind } from './actions/binding.js';
import { defaultPod } from './defaults.js';
import { evict } from './actions/eviction.js';
import { endedApiServers } from './status/ended-api-server.js';
import { isPodTerminal } from './status/phase.js';
import { qosClass } from './status/qos.js';
import { updateEphemeralContainers } from './actions/ephemeral-containers.js';
import { resize } from './actions/resize.js';
import { validatePodStatusUpdate } from './validation/status-update.js';
import { columns } from './table.js';
import { validatePodUpdate } from './validation/update.js';
import { validatePod } from './validation/pod.js';
import { podWarnings } from './validation/warnings.js';

export { defaultPodSpec, defaultPodTemplate } from './defaults.js';
export { isPodPhaseTerminal } from './status/phase.js';
export { qosClass } from './status/qos.js';
export { validateNodeSelector, validateTolerations } from './validation/scheduling.js';
export { summarizePod } from './table.js';
export { validatePodSpec } from './validation/spec.js';
export {
  templateLabelsMismatch,
  validateAlwaysRestarted,
  validatePodTemplate,
  validateSelectedTemplate,
} from './validation/template.js';
export { podNameWarnings, templateWarnings } from './validation/warnings.js';

const GATED = 'Scheduling is blocked due to non-empty scheduling gates';

/** Models pkg/registry/core/pod/strategy.go. */
export const kind: Kind<Pod> = defineKind<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  shortNames: ['po'],
  categories: ['all'],
  scope: 'Namespaced',
  returnsDeleted: true,
  definition: 'io.k8s.api.core.v1.Pod',
  subresources: {
    status: true,
    actions: {
      binding: {
        verbs: ['create'],
        kind: { group: '', version: 'v1', kind: 'Binding' },
        body: 'io.k8s.api.core.v1.Binding',
        handle: bind,
      },
      eviction: {
        verbs: ['create'],
        kind: { group: 'policy', version: 'v1', kind: 'Eviction', acceptedVersions: ['v1beta1'] },
        body: 'io.k8s.api.policy.v1.Eviction',
        handle: (request) => evict(request, (options) => request.client.delete(kind, keyOf(request.object), options)),
      },
      ephemeralcontainers: { verbs: ['get', 'patch', 'update'], handle: updateEphemeralContainers },
      resize: { verbs: ['get', 'patch', 'update'], handle: resize },
    },
    connects: {
      attach: streamConnection('PodAttachOptions'),
      exec: streamConnection('PodExecOptions'),
      portforward: streamConnection('PodPortForwardOptions'),
      proxy: proxyConnection('PodProxyOptions'),
    },
  },
  fieldSelectors: {
    'spec.nodeName': (p) => p.spec.nodeName ?? '',
    'spec.restartPolicy': (p) => p.spec.restartPolicy ?? '',
    'spec.schedulerName': (p) => p.spec.schedulerName ?? '',
    'spec.serviceAccountName': (p) => p.spec.serviceAccountName ?? '',
    'spec.hostNetwork': (p) => String(p.spec.hostNetwork ?? false),
    'status.phase': (p) => p.status.phase ?? '',
    'status.podIPs': () => '',
    'status.podIP': (p) => p.status.podIP ?? '',
    'status.nominatedNodeName': (p) => p.status.nominatedNodeName ?? '',
  },
  indexes: {
    nodeName: (p) => (p.spec.nodeName ? [p.spec.nodeName] : []),
    unfinishedByNode: (p) => (p.spec.nodeName && !isPodTerminal(p) ? [p.spec.nodeName] : []),
    claim: ({ metadata, spec }) =>
      spec.volumes?.flatMap(({ persistentVolumeClaim: claim }) =>
        claim ? [`${metadata.namespace}/${claim.claimName}`] : [],
      ) ?? [],
    /** Nodes whose API server has ended, though it had come up. */
    endedApiServer: endedApiServers,
    anyEndedApiServer: (pod) => endedApiServers(pod).map(() => ''),
  },
  columns,
  gracePeriod(pod, requested) {
    const { nodeName, terminationGracePeriodSeconds = 30 } = pod.spec;
    const period = requested ?? terminationGracePeriodSeconds;
    if (!nodeName || isPodTerminal(pod)) return 0;
    return period < 0 ? 1 : period;
  },
  defaults: defaultPod,
  prepareForCreate(draft, { now }) {
    const { serviceAccountName } = draft.spec;
    if (serviceAccountName && draft.spec.serviceAccount !== serviceAccountName)
      draft.spec = { ...draft.spec, serviceAccount: serviceAccountName };
    draft.status = { phase: 'Pending', qosClass: qosClass(draft.spec) };
    if (draft.spec.schedulingGates?.length) {
      draft.status.conditions = [
        {
          type: 'PodScheduled',
          status: 'False',
          lastProbeTime: null as unknown as undefined,
          lastTransitionTime: timestamp(now),
          reason: 'SchedulingGated',
          message: GATED,
        },
      ];
    }
  },
  attribution,
  prepareForStatusUpdate(draft, old) {
    if (!draft.status.qosClass && old.status.qosClass)
      draft.status = { ...draft.status, qosClass: old.status.qosClass };
  },
  statusKeeps: ['ownerReferences'],
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatusUpdate: validatePodStatusUpdate,
  warnings: podWarnings,
});
