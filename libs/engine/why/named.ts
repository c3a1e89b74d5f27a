import type { WhyFinding } from '../machinery/questions/why.js';
import { findKind } from './find-object.js';
import { explainMissing } from './missing.js';
import type { World } from './world.js';

type Named = readonly [resource: string, name: string];

const KINDS =
  'configmap|secret|persistentvolumeclaim|serviceaccount|clusterrole|role|service|resourceclaim|resourceclaimtemplate|storageclass|runtimeclass';
/** 'configmap "conf" not found', 'storageclass.storage.k8s.io "fast" not found'. */
const NOT_FOUND = new RegExp(`\\b(${KINDS})(?:\\.[a-z0-9.]+)? "([a-z0-9.:-]+)" not found`, 'i');
/** What others say of kinds that they do not name as they are named here. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/no PriorityClass with name ([a-z0-9.-]+) was found/, 'priorityclass'],
  [/device class ([a-z0-9.-]+) does not exist/, 'deviceclass'],
];
const MAX_NAMED = 3;

/** What has become of objects that findings say are not there: who has deleted them, or what may be meant. */
export function namedMissing(world: World, namespace: string, findings: readonly WhyFinding[]): WhyFinding[] {
  const found = findings.slice(0, MAX_NAMED).flatMap(({ message, details = [] }) => {
    const [resource, name] = namedIn(message) ?? details.map(namedIn).find((one) => one !== undefined) ?? [];
    const kind = resource === undefined ? undefined : findKind(world, resource);
    const where = kind?.scope === 'Namespaced' ? namespace : '';
    if (!kind || name === undefined || world.read.get(kind, { namespace: where, name })) return [];
    return [explainMissing(world, kind, where, name).finding];
  });
  return found.filter(({ object }, i) => found.findIndex((one) => one.object === object) === i);
}

function namedIn(text: string): Named | undefined {
  const [, resource, name] = NOT_FOUND.exec(text) ?? [];
  if (resource !== undefined && name !== undefined) return [resource, name];
  for (const [pattern, kind] of OTHERS) {
    const own = pattern.exec(text)?.[1];
    if (own !== undefined) return [kind, own];
  }
  return undefined;
}
