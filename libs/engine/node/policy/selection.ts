import type { Pod } from '../../api/core_v1.js';
import type { NetworkPolicy } from '../../api/networking_v1.js';
import { readPolicy, selectsPod, type ReadPolicy } from './network-policy.js';

interface Candidate {
  readonly place: number;
  readonly policy: NetworkPolicy;
}

/**
 * The policies of one namespace, filed by a label that a pod must have to be selected, so that a pod is compared with
 * few of them. What was found for a pod is kept as long as the pod is.
 */
export class Selection {
  private readonly byLabel = new Map<string, Candidate[]>();
  private readonly others: Candidate[] = [];
  private readonly found = new WeakMap<Pod, readonly ReadPolicy[]>();

  /** `read`: policies that were read before. */
  constructor(
    policies: readonly NetworkPolicy[],
    private readonly read: WeakMap<NetworkPolicy, ReadPolicy>,
  ) {
    policies.forEach((policy, place) => this.file({ policy, place }));
  }

  private file(candidate: Candidate): void {
    const [label] = Object.entries(candidate.policy.spec.podSelector?.matchLabels ?? {});
    if (!label) return void this.others.push(candidate);
    const key = label.join('=');
    const filed = this.byLabel.get(key);
    if (filed) filed.push(candidate);
    else this.byLabel.set(key, [candidate]);
  }

  /** The policies that select a pod, in the order of their names. */
  of(pod: Pod): readonly ReadPolicy[] {
    let found = this.found.get(pod);
    if (!found) this.found.set(pod, (found = this.find(pod)));
    return found;
  }

  private find(pod: Pod): readonly ReadPolicy[] {
    const labelled = Object.entries(pod.metadata.labels ?? {}).flatMap(
      (label) => this.byLabel.get(label.join('=')) ?? [],
    );
    return [...this.others, ...labelled]
      .filter(({ policy }) => selectsPod(policy, pod))
      .sort((a, b) => a.place - b.place)
      .map(({ policy }) => this.readOf(policy));
  }

  private readOf(policy: NetworkPolicy): ReadPolicy {
    let made = this.read.get(policy);
    if (!made) this.read.set(policy, (made = readPolicy(policy)));
    return made;
  }
}
