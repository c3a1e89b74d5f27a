import type { Pod } from '../../../api/core_v1.js';
import type { ResourceClaim } from '../../../api/resource_v1.js';
import { ResourceClaims, ResourceSlices } from '../../../kinds/index.js';
import { claimNameOf } from '../../../kinds/resource/pod-claims.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { findingOf, lastEvent, MAX_DETAILS, refOf, refText, revisionOf, type Topic, type World } from '../../world.js';

/** Why a pod that waits for a node has no devices: no claim yet, none published, or others have them. */
export function deviceFindings(world: World, pod: Pod): WhyFinding[] {
  if (!pod.spec.resourceClaims?.length) return [];
  const event = lastEvent(world, pod, ['FailedResourceClaimCreation']);
  const waits = claimsOf(world, pod).filter(({ status }) => !status?.allocation);
  return [
    ...(event ? [findingOf(pod, event.reason ?? '', event.message ?? '', { revision: revisionOf(event) })] : []),
    ...waits.map((claim) => waitingFinding(world, claim)),
  ];
}

function claimsOf({ read }: World, pod: Pod): ResourceClaim[] {
  const { namespace = '' } = pod.metadata;
  return (pod.spec.resourceClaims ?? []).flatMap(
    (wanted) => read.get(ResourceClaims, { namespace, name: claimNameOf(pod, wanted) ?? '' }) ?? [],
  );
}

/** Who has the devices that there are. */
function waitingFinding(world: World, claim: ResourceClaim): WhyFinding {
  const slices = world.read.list(ResourceSlices);
  const count = slices.reduce((sum, { spec }) => sum + (spec.devices?.length ?? 0), 0);
  const classes = classesOf(claim).join(', ');
  if (count === 0) {
    const message = `it asks for a device of the class ${classes}, and no ResourceSlice publishes any: no driver runs`;
    return findingOf(claim, 'NoDevices', message);
  }
  const holders = holdersOf(world);
  const message =
    `it asks for a device of the class ${classes} and is not allocated: ${count} devices are published, of which ` +
    `${holders.length} are taken`;
  return findingOf(claim, 'NotAllocated', message, { details: holders.slice(0, MAX_DETAILS) });
}

const classesOf = ({ spec }: ResourceClaim): string[] => [
  ...new Set(
    (spec.devices?.requests ?? []).flatMap(({ exactly, firstAvailable = [] }) =>
      [...(exactly ? [exactly] : []), ...firstAvailable].map(({ deviceClassName }) => deviceClassName),
    ),
  ),
];

/** 'device gpu-0 of the pool worker-1 (gpu.example.com) is that of pod/default/first, by resourceclaim/default/c'. */
const holdersOf = ({ read }: World): string[] =>
  read.list(ResourceClaims).flatMap((claim) =>
    (claim.status?.allocation?.devices?.results ?? []).map(({ driver, pool, device }) => {
      const { namespace = '' } = claim.metadata;
      const pods = (claim.status.reservedFor ?? []).map(({ name }) => refText('pod', namespace, name));
      const whose = pods.length > 0 ? `that of ${pods.join(', ')}` : 'nobody’s';
      return `device ${device} of the pool ${pool} (${driver}) is ${whose}, by ${refOf(claim)}`;
    }),
  );

/** Why a claim has no devices. */
export const resourceClaimTopic: Topic<ResourceClaim> = (world, claim) => {
  if (claim.status?.allocation) return [];
  return [waitingFinding(world, claim)];
};
