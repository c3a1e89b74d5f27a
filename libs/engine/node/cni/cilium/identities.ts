import { hash32 } from '../../../machinery/random.js';
import type { Reader } from '../../../machinery/client.js';
import type { Labels } from '../../../machinery/selectors/requirement.js';
import { CiliumIdentities, type CiliumIdentity } from './objects.js';

/** Identities that mean no pod, by their numbers. Models pkg/identity/numericidentity.go. */
export const RESERVED: Readonly<Record<number, string>> = {
  1: 'host',
  2: 'world',
  3: 'unmanaged',
  4: 'health',
  5: 'init',
  6: 'remote-node',
  7: 'kube-apiserver',
  8: 'ingress',
};
/** Those of a cluster's own pods. */
const FIRST = 256;
const LAST = 65_535;

/** The labels of an identity as its object has them. */
export const securityLabels = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).map(([key, value]) => [`k8s:${key}`, value]));

const textOf = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value};`)
    .sort()
    .join('');

/** The identity that has these labels, if somebody has stored it. */
export function findIdentity(read: Reader, labels: Labels): CiliumIdentity | undefined {
  const wanted = textOf(securityLabels(labels));
  return read.list(CiliumIdentities).find((one) => textOf(one['security-labels'] ?? {}) === wanted);
}

/** A number for labels that have none: from a place that they lead to, the first that is free. */
export function freeIdentity(read: Reader, labels: Labels): number | undefined {
  const taken = new Set(read.list(CiliumIdentities).map(({ metadata }) => metadata.name));
  const count = LAST - FIRST + 1;
  const start = hash32(textOf(labels)) % count;
  for (let i = 0; i <= Math.min(taken.size, count - 1); i++) {
    const number = FIRST + ((start + i) % count);
    if (!taken.has(String(number))) return number;
  }
  return undefined;
}

/** The number of a pod's endpoint on its node: 1 to 4095, which differs from the others' as a rule. */
export const endpointId = (uid: string): number => 1 + (hash32(uid, 7) % 4_094);
