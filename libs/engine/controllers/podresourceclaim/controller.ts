import type { Pod, PodResourceClaim, PodStatus } from '../../api/core_v1.js';
import type { ResourceClaim } from '../../api/resource_v1.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { Pods, ResourceClaims, ResourceClaimTemplates } from '../../kinds/index.js';
import { claimNameOf, isReservedFor, MAX_CONSUMERS } from '../../kinds/resource/pod-claims.js';
import { controllerOf, keyOf } from '../../machinery/meta/object.js';
import { SECOND } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Context, type Result } from '../../runtime/controller.js';
import { newControllerRef } from '../controller-ref-manager.js';
import { controllingPod } from '../pods.js';
import { restUntilRetry } from '../retry-by-events.js';

type Made = NonNullable<PodStatus['resourceClaimStatuses']>[number];

/** Whose claim of a pod an object was made as. */
const POD_CLAIM_NAME = 'resource.kubernetes.io/pod-claim-name';
const FAILED = 'FailedResourceClaimCreation';
/** Upstream's queue begins with 5 ms, which nobody can see. */
const BACK_OFF = { first: SECOND, longest: 1_000 * SECOND };

/**
 * A pod that names templates has claims of its own, and says which. A claim that is allocated is reserved for a pod
 * that was put on a node past the scheduler. Models pkg/controller/resourceclaim/controller.go syncPod.
 */
export const controller = defineController<Pod>({
  name: 'podresourceclaim',
  actor: 'system:serviceaccount:kube-system:resource-claim-controller',
  eventSource: 'resource_claim',
  for: {
    kind: Pods,
    when: (pod, old) =>
      (pod.spec.resourceClaims?.length ?? 0) > 0 && (!old || old.spec !== pod.spec || old.status !== pod.status),
  },
  watches: [
    watch<ResourceClaim>({
      kind: ResourceClaims,
      keys: (claim, read) => (read.get(ResourceClaims, keyOf(claim)) ? NO_KEYS : controllingPod(claim)),
    }),
  ],
  reconcile(context, key) {
    const pod = context.client.get(Pods, key);
    const wanted = pod?.spec.resourceClaims ?? [];
    if (!pod || wanted.length === 0 || pod.metadata.deletionTimestamp || isPodTerminal(pod)) return undefined;
    const rest = restUntilRetry(context, pod, FAILED, BACK_OFF);
    if (rest > 0) return { requeueAfter: rest };
    const statuses: Made[] = [];
    let retry: Result | undefined;
    for (const one of wanted) {
      if (!one.resourceClaimTemplateName) continue;
      const made = findClaim(context, pod, one) ?? makeClaim(context, pod, one);
      if (typeof made !== 'string') statuses.push({ name: one.name, resourceClaimName: made.metadata.name });
      else {
        context.event(pod, 'Warning', FAILED, `PodResourceClaim ${one.name}: ${made}`);
        retry = { requeueAfter: restUntilRetry(context, pod, FAILED, BACK_OFF) };
        break;
      }
    }
    const named = (pod.status.resourceClaimStatuses ?? []).filter(
      (known) => !statuses.some(({ name }) => name === known.name),
    );
    const next = [...named, ...statuses];
    const isKnown = statuses.every((one) =>
      pod.status.resourceClaimStatuses?.some(
        (known) => known.name === one.name && known.resourceClaimName === one.resourceClaimName,
      ),
    );
    const current = isKnown
      ? pod
      : context.client.updateStatus(Pods, { ...pod, status: { ...pod.status, resourceClaimStatuses: next } });
    if (current.spec.nodeName) reserve(context, current);
    return retry;
  },
});

function findClaim({ client }: Context, pod: Pod, { name }: PodResourceClaim): ResourceClaim | undefined {
  return client
    .list(ResourceClaims, pod.metadata.namespace)
    .find(
      (claim) =>
        claim.metadata.annotations?.[POD_CLAIM_NAME] === name &&
        controllerOf(claim)?.uid === pod.metadata.uid &&
        claim.metadata.deletionTimestamp === undefined,
    );
}

/** A text: why there is none. */
function makeClaim({ client }: Context, pod: Pod, wanted: PodResourceClaim): ResourceClaim | string {
  const { namespace = '', name: podName = '' } = pod.metadata;
  const name = wanted.resourceClaimTemplateName!;
  const template = client.get(ResourceClaimTemplates, { namespace, name });
  if (!template) return `resource claim template "${name}": resourceclaimtemplate.resource.k8s.io "${name}" not found`;
  const { metadata, spec } = template.spec;
  return client.create(ResourceClaims, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      generateName: `${podName}-${wanted.name}-`,
      namespace,
      ...(metadata?.labels ? { labels: metadata.labels } : {}),
      annotations: { ...metadata?.annotations, [POD_CLAIM_NAME]: wanted.name },
      ownerReferences: [newControllerRef(Pods, pod)],
    },
    spec,
    status: {},
  });
}

/** Nobody else does for a pod that no scheduler has seen. */
function reserve({ client }: Context, pod: Pod): void {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  for (const wanted of pod.spec.resourceClaims ?? []) {
    const claim = client.get(ResourceClaims, { namespace, name: claimNameOf(pod, wanted) ?? '' });
    const { allocation, reservedFor = [] } = claim?.status ?? {};
    if (!claim || !allocation || reservedFor.length >= MAX_CONSUMERS || isReservedFor(claim, pod)) continue;
    client.updateStatus(ResourceClaims, {
      ...claim,
      status: { ...claim.status, reservedFor: [...reservedFor, { resource: 'pods', name, uid }] },
    });
  }
}
