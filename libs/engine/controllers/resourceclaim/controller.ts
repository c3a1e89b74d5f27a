import type { Pod } from '../../api/core_v1.js';
import type { ResourceClaim, ResourceClaimConsumerReference } from '../../api/resource_v1.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { Pods, ResourceClaims } from '../../kinds/index.js';
import { claimNameOf, DELETE_PROTECTION } from '../../kinds/resource/pod-claims.js';
import type { Client, Reader } from '../../machinery/client.js';
import { removeFinalizer } from '../../machinery/meta/finalizers.js';
import { controllerOf, keyOf, type Key } from '../../machinery/meta/object.js';
import { defineController, NO_KEYS, watch } from '../../runtime/controller.js';

/**
 * Who has a claim is there and has not ended; a claim that nobody has any more gives its devices back, and goes when it
 * was made for a pod that is done. Models pkg/controller/resourceclaim/controller.go syncClaim.
 */
export const controller = defineController<ResourceClaim>({
  name: 'resourceclaim',
  actor: 'system:serviceaccount:kube-system:resource-claim-controller',
  for: ResourceClaims,
  watches: [
    watch<Pod>({
      kind: Pods,
      when: (pod) => (pod.spec.resourceClaims?.length ?? 0) > 0,
      keys: (pod, read) => (isGone(pod, read) || isDone(pod) ? claimsOf(pod) : NO_KEYS),
    }),
  ],
  reconcile({ client }, key) {
    const claim = client.get(ResourceClaims, key);
    if (!claim) return;
    const reserved = claim.status?.reservedFor ?? [];
    const valid = reserved.filter((one) => isValid(one, key, client));
    if (valid.length < reserved.length) release(client, claim, valid);
    else if (claim.metadata.deletionTimestamp && valid.length === 0) release(client, claim, valid);
    if (valid.length > 0) return;
    const owner = controllerOf(claim);
    if (owner?.kind !== 'Pod' || owner.apiVersion !== 'v1') return;
    const pod = client.get(Pods, { namespace: key.namespace, name: owner.name });
    const current = client.get(ResourceClaims, key);
    if (!pod || !current || current.metadata.deletionTimestamp) return;
    if (pod.metadata.uid !== owner.uid || isDone(pod)) client.delete(ResourceClaims, key);
  },
});

const isGone = (pod: Pod, read: Reader): boolean => !read.get(Pods, keyOf(pod));

/** None of its containers runs, and none will. */
const isDone = (pod: Pod): boolean =>
  isPodTerminal(pod) || (pod.metadata.deletionTimestamp !== undefined && !pod.spec.nodeName);

const claimsOf = (pod: Pod): Key[] =>
  (pod.spec.resourceClaims ?? []).flatMap((wanted) => {
    const name = claimNameOf(pod, wanted);
    return name ? [{ namespace: pod.metadata.namespace ?? '', name }] : [];
  });

function isValid({ resource, name, uid }: ResourceClaimConsumerReference, { namespace }: Key, read: Reader): boolean {
  if (resource !== 'pods') return true;
  const pod = read.get(Pods, { namespace, name });
  return pod?.metadata.uid === uid && !isDone(pod);
}

/** Who has it has left; with the last one goes what was allocated, and what keeps the claim from being deleted. */
function release(client: Client, claim: ResourceClaim, valid: readonly ResourceClaimConsumerReference[]): void {
  const { allocation, reservedFor: _left, ...rest } = claim.status ?? {};
  const isProtected = claim.metadata.finalizers?.includes(DELETE_PROTECTION) === true;
  const keeps = valid.length > 0 || !isProtected;
  const status = {
    ...rest,
    ...(allocation && keeps ? { allocation } : {}),
    ...(valid.length > 0 ? { reservedFor: [...valid] } : {}),
  };
  const isSame = allocation === undefined && (claim.status?.reservedFor?.length ?? 0) === valid.length;
  const updated = isSame ? claim : client.updateStatus(ResourceClaims, { ...claim, status });
  if (!keeps) client.update(ResourceClaims, removeFinalizer(updated, DELETE_PROTECTION));
}
