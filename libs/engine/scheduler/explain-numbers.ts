import type { Pod } from '../api/core_v1.js';
import { canonicalQuantity } from '../machinery/quantity/quantity.js';
import type { NodeInfo } from './cache/node-info.js';
import { podRequests, type Resources } from './cache/resources.js';
import { tolerates } from './plugins/taint-toleration.js';

const MEBIBYTE = 2 ** 20;

const cpuText = (milli: number): string => canonicalQuantity(`${milli}m`);
const bytesText = (bytes: number): string => (bytes >= MEBIBYTE ? `${Math.floor(bytes / MEBIBYTE)}Mi` : String(bytes));

const AMOUNTS: readonly (readonly [name: string, of: (r: Resources) => number, text: (n: number) => string])[] = [
  ['cpu', ({ cpu }) => cpu, cpuText],
  ['memory', ({ memory }) => memory, bytesText],
  ['ephemeral-storage', ({ ephemeral }) => ephemeral, bytesText],
];

/**
 * What a plug-in's verdict leaves out, and who looks for the cause wants to know: how much is asked for and how much is
 * left, and which taints they are. '' where the verdict says it all.
 */
export function numbersOf(plugin: string, pod: Pod, info: NodeInfo): string {
  if (plugin === 'NodeResourcesFit') return missingResources(pod, info);
  if (plugin === 'TaintToleration') return untolerated(pod, info);
  return '';
}

function missingResources(pod: Pod, { allocatable, requested }: NodeInfo): string {
  const asked = podRequests(pod);
  return AMOUNTS.flatMap(([name, of, text]) => {
    const left = of(allocatable) - of(requested);
    if (of(asked) === 0 || of(asked) <= left) return [];
    return [`asks for ${text(of(asked))} ${name}, ${text(Math.max(0, left))} of ${text(of(allocatable))} are left`];
  }).join('; ');
}

const untolerated = (pod: Pod, { node }: NodeInfo): string =>
  (node?.spec.taints ?? [])
    .filter((taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(pod.spec.tolerations, taint))
    .map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`)
    .join(', ');
