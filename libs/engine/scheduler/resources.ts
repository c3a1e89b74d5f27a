import type { Container, Pod, PodSpec } from '../api/core_v1.js';
import { milliValue, quantityValue } from '../machinery/quantity/quantity.js';

/** An amount of every resource: CPU in millicores, all others in units (bytes for memory). */
export interface Resources {
  cpu: number;
  memory: number;
  ephemeral: number;
  /** Extended resources and hugepages; undefined when there are none. */
  other?: Map<string, number>;
}

/** What a pod asks for; `scoredCpu` and `scoredMemory` count containers without requests at a floor. */
export interface PodRequests extends Resources {
  scoredCpu: number;
  scoredMemory: number;
}

/** Floors for scoring. Models pkg/scheduler/util/pod_resources.go. */
const FLOOR_MILLI_CPU = 100;
const FLOOR_MEMORY = 200 * 1024 * 1024;

const amount = (name: string, text: string): number => (name === 'cpu' ? milliValue(text) : quantityValue(text));
const isOther = (name: string): boolean =>
  name !== 'cpu' && name !== 'memory' && name !== 'ephemeral-storage' && name !== 'pods';

const zero = (): PodRequests => ({ cpu: 0, memory: 0, ephemeral: 0, scoredCpu: 0, scoredMemory: 0 });

function fromList(list: Readonly<Record<string, string>> | undefined, floors: boolean): PodRequests {
  const sum = zero();
  for (const name in list) {
    const n = amount(name, list[name]!);
    if (name === 'cpu') sum.cpu = sum.scoredCpu = n;
    else if (name === 'memory') sum.memory = sum.scoredMemory = n;
    else if (name === 'ephemeral-storage') sum.ephemeral = n;
    else if (isOther(name)) (sum.other ??= new Map()).set(name, n);
  }
  if (floors && list?.['cpu'] === undefined) sum.scoredCpu = FLOOR_MILLI_CPU;
  if (floors && list?.['memory'] === undefined) sum.scoredMemory = FLOOR_MEMORY;
  return sum;
}

function combine(into: PodRequests, from: PodRequests, pick: (a: number, b: number) => number): PodRequests {
  into.cpu = pick(into.cpu, from.cpu);
  into.memory = pick(into.memory, from.memory);
  into.ephemeral = pick(into.ephemeral, from.ephemeral);
  into.scoredCpu = pick(into.scoredCpu, from.scoredCpu);
  into.scoredMemory = pick(into.scoredMemory, from.scoredMemory);
  if (from.other)
    for (const [name, n] of from.other) (into.other ??= new Map()).set(name, pick(into.other.get(name) ?? 0, n));
  return into;
}
const plus = (a: number, b: number): number => a + b;
const most = (a: number, b: number): number => (a > b ? a : b);
const ofContainer = (c: Container): PodRequests => fromList(c.resources?.requests, true);

function compute(spec: PodSpec): PodRequests {
  const running = zero();
  for (const c of spec.containers) combine(running, ofContainer(c), plus);
  const sidecars = zero();
  const peak = zero();
  for (const c of spec.initContainers ?? []) {
    const own = ofContainer(c);
    if (c.restartPolicy === 'Always') {
      combine(running, own, plus);
      combine(sidecars, own, plus);
      combine(peak, sidecars, most);
    } else {
      combine(peak, combine(own, sidecars, plus), most);
    }
  }
  combine(running, peak, most);
  overridePodLevel(running, spec.resources?.requests);
  if (spec.overhead) combine(running, fromList(spec.overhead, false), plus);
  return running;
}

/** Pod-level requests replace the sum of the containers'. */
function overridePodLevel(sum: PodRequests, requests: Readonly<Record<string, string>> | undefined): void {
  if (!requests) return;
  const own = fromList(requests, false);
  if (requests['cpu'] !== undefined) sum.cpu = sum.scoredCpu = own.cpu;
  if (requests['memory'] !== undefined) sum.memory = sum.scoredMemory = own.memory;
}

const known = new WeakMap<PodSpec, PodRequests>();

/** A pod's effective requests, by k8s.io/component-helpers/resource PodRequests; cached by its (never mutated) spec. */
export function podRequests(pod: Pod): PodRequests {
  let requests = known.get(pod.spec);
  if (!requests) known.set(pod.spec, (requests = compute(pod.spec)));
  return requests;
}

/** A node's allocatable as amounts, with the number of pods beside it. */
export function allocatable(list: Readonly<Record<string, string>> | undefined): Resources & { pods: number } {
  return { ...fromList(list, false), pods: list?.['pods'] === undefined ? 0 : quantityValue(list['pods']) };
}
