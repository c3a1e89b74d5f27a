import type { Container, Pod, PodSpec } from '../../api/core_v1.js';
import { milliValue, quantityValue } from '../../machinery/quantity/quantity.js';

/** An amount of every resource: CPU in millicores, all others in units (bytes for memory). */
export interface Resources {
  cpu: number;
  memory: number;
  ephemeral: number;
  /** Extended resources and hugepages; undefined when there are none. */
  other?: Map<string, number>;
}

/** A pod's requests; `nonZeroCpu` and `nonZeroMemory` assume a default for containers without one. */
export interface PodRequests extends Resources {
  nonZeroCpu: number;
  nonZeroMemory: number;
}

/** The requests that scoring assumes of containers without any. Models pkg/scheduler/util/pod_resources.go. */
const DEFAULT_MILLI_CPU_REQUEST = 100;
const DEFAULT_MEMORY_REQUEST = 200 * 1024 * 1024;

const parseAmount = (name: string, text: string): number => (name === 'cpu' ? milliValue(text) : quantityValue(text));
const isOther = (name: string): boolean =>
  name !== 'cpu' && name !== 'memory' && name !== 'ephemeral-storage' && name !== 'pods';

const noRequests = (): PodRequests => ({ cpu: 0, memory: 0, ephemeral: 0, nonZeroCpu: 0, nonZeroMemory: 0 });

function parseResourceList(list: Readonly<Record<string, string>> | undefined, assumeDefaults: boolean): PodRequests {
  const sum = noRequests();
  for (const name in list) {
    const n = parseAmount(name, list[name]!);
    if (name === 'cpu') sum.cpu = sum.nonZeroCpu = n;
    else if (name === 'memory') sum.memory = sum.nonZeroMemory = n;
    else if (name === 'ephemeral-storage') sum.ephemeral = n;
    else if (isOther(name)) (sum.other ??= new Map()).set(name, n);
  }
  if (assumeDefaults && list?.['cpu'] === undefined) sum.nonZeroCpu = DEFAULT_MILLI_CPU_REQUEST;
  if (assumeDefaults && list?.['memory'] === undefined) sum.nonZeroMemory = DEFAULT_MEMORY_REQUEST;
  return sum;
}

function combine(into: PodRequests, from: PodRequests, pick: (a: number, b: number) => number): PodRequests {
  into.cpu = pick(into.cpu, from.cpu);
  into.memory = pick(into.memory, from.memory);
  into.ephemeral = pick(into.ephemeral, from.ephemeral);
  into.nonZeroCpu = pick(into.nonZeroCpu, from.nonZeroCpu);
  into.nonZeroMemory = pick(into.nonZeroMemory, from.nonZeroMemory);
  if (from.other)
    for (const [name, n] of from.other) (into.other ??= new Map()).set(name, pick(into.other.get(name) ?? 0, n));
  return into;
}
const add = (a: number, b: number): number => a + b;
const larger = (a: number, b: number): number => (a > b ? a : b);
const containerRequests = (c: Container): PodRequests => parseResourceList(c.resources?.requests, true);

function computePodRequests(spec: PodSpec): PodRequests {
  const running = noRequests();
  for (const c of spec.containers) combine(running, containerRequests(c), add);
  const sidecars = noRequests();
  const peak = noRequests();
  for (const c of spec.initContainers ?? []) {
    const own = containerRequests(c);
    if (c.restartPolicy === 'Always') {
      combine(running, own, add);
      combine(sidecars, own, add);
      combine(peak, sidecars, larger);
    } else {
      combine(peak, combine(own, sidecars, add), larger);
    }
  }
  combine(running, peak, larger);
  overridePodLevel(running, spec.resources?.requests);
  if (spec.overhead) combine(running, parseResourceList(spec.overhead, false), add);
  return running;
}

/** Pod-level requests replace the sum of the containers'. */
function overridePodLevel(sum: PodRequests, requests: Readonly<Record<string, string>> | undefined): void {
  if (!requests) return;
  const own = parseResourceList(requests, false);
  if (requests['cpu'] !== undefined) sum.cpu = sum.nonZeroCpu = own.cpu;
  if (requests['memory'] !== undefined) sum.memory = sum.nonZeroMemory = own.memory;
}

const requestsBySpec = new WeakMap<PodSpec, PodRequests>();

/** A pod's effective requests, by k8s.io/component-helpers/resource PodRequests; cached by its (never mutated) spec. */
export function podRequests(pod: Pod): PodRequests {
  let requests = requestsBySpec.get(pod.spec);
  if (!requests) requestsBySpec.set(pod.spec, (requests = computePodRequests(pod.spec)));
  return requests;
}

/** A node's allocatable amounts, with its number of pods. */
export function allocatable(list: Readonly<Record<string, string>> | undefined): Resources & { pods: number } {
  return { ...parseResourceList(list, false), pods: list?.['pods'] === undefined ? 0 : quantityValue(list['pods']) };
}
