import type { Node, Pod } from '../../api/core_v1.js';
import { hostPorts } from '../../kinds/core/pod/host-ports.js';
import { controllerOf, keyOf, keyText } from '../../machinery/meta/object.js';
import { allocatable, podRequests, type Resources } from './resources.js';

const hasAffinity = (pod: Pod): boolean =>
  Boolean(pod.spec.affinity?.podAffinity ?? pod.spec.affinity?.podAntiAffinity);

/** One node with the sums of its pods, kept as pods come and go. Models pkg/scheduler/framework NodeInfo. */
export class NodeInfo {
  node: Node | undefined;
  allocatable: Resources & { pods: number } = { cpu: 0, memory: 0, ephemeral: 0, pods: 0 };
  readonly requested: Resources = { cpu: 0, memory: 0, ephemeral: 0 };
  nonZeroCpu = 0;
  nonZeroMemory = 0;
  readonly pods = new Map<string, Pod>();
  /** Pods that have inter-pod (anti-)affinity. */
  readonly podsWithAffinity = new Map<string, Pod>();
  readonly ports = new Map<string, number>();
  /** The number of pods by the uid of their controller: default spreading counts them. */
  readonly podsByController = new Map<string, number>();
  /** Sizes of the images on the node, by name. */
  images: ReadonlyMap<string, number> = new Map();

  constructor(readonly name: string) {}

  setNode(node: Node | undefined): void {
    if (node?.status.allocatable !== this.node?.status.allocatable)
      this.allocatable = allocatable(node?.status.allocatable);
    if (node?.status.images !== this.node?.status.images) this.images = imageSizes(node);
    this.node = node;
  }

  add(pod: Pod): void {
    const key = keyText(keyOf(pod));
    this.pods.set(key, pod);
    if (hasAffinity(pod)) this.podsWithAffinity.set(key, pod);
    this.updateSums(pod, 1);
  }

  remove(pod: Pod): void {
    const key = keyText(keyOf(pod));
    if (!this.pods.delete(key)) return;
    this.podsWithAffinity.delete(key);
    this.updateSums(pod, -1);
  }

  private updateSums(pod: Pod, sign: 1 | -1): void {
    const r = podRequests(pod);
    this.requested.cpu += sign * r.cpu;
    this.requested.memory += sign * r.memory;
    this.requested.ephemeral += sign * r.ephemeral;
    this.nonZeroCpu += sign * r.nonZeroCpu;
    this.nonZeroMemory += sign * r.nonZeroMemory;
    if (r.other) for (const [name, n] of r.other) increment((this.requested.other ??= new Map()), name, sign * n);
    for (const port of hostPorts(pod)) increment(this.ports, port, sign);
    const owner = controllerOf(pod)?.uid;
    if (owner !== undefined) increment(this.podsByController, owner, sign);
  }

  /** A copy of the node without some of its pods, for preemption. */
  without(victims: readonly Pod[]): NodeInfo {
    const gone = new Set(victims.map((v) => keyText(keyOf(v))));
    return this.copyWith([...this.pods].flatMap(([key, pod]) => (gone.has(key) ? [] : [pod])));
  }

  /** A copy of the node with more pods, which are nominated to run there. */
  with(nominated: readonly Pod[]): NodeInfo {
    return this.copyWith([...this.pods.values(), ...nominated]);
  }

  private copyWith(pods: readonly Pod[]): NodeInfo {
    const copy = new NodeInfo(this.name);
    copy.setNode(this.node);
    for (const pod of pods) copy.add(pod);
    return copy;
  }
}

function increment(map: Map<string, number>, key: string, by: number): void {
  const n = (map.get(key) ?? 0) + by;
  if (n === 0) map.delete(key);
  else map.set(key, n);
}

function imageSizes(node: Node | undefined): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const image of node?.status.images ?? [])
    for (const name of image.names ?? []) sizes.set(name, image.sizeBytes ?? 0);
  return sizes;
}
