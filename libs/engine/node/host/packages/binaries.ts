import { hash32 } from '../../../machinery/random.js';
import type { RELEASE_PACKAGES } from './packages.js';

/** Bytes of a binary, about, in any patch of 1.36. */
const SIZES = { kubeadm: 74_100_000, kubectl: 60_600_000, kubelet: 58_300_000 } as const;
/** A page: what a linker rounds sections to. */
const PAGE = 4_096;
const MOST_PAGES = 400;

/** Where a package of a release has its binary. */
export const binaryPath = (name: string): string => `/usr/bin/${name}`;

/**
 * Bytes of the binary of a package and release ('v1.36.3'). The content of a binary is not kept, zeros stand for it, so
 * that its size alone tells it from others: a release has the same sums on every node, another one has others.
 */
export function binarySize(name: (typeof RELEASE_PACKAGES)[number], release: string): number {
  const hash = hash32(`${name}/${release}`, 0);
  return SIZES[name] + (hash % MOST_PAGES) * PAGE + (Math.floor(hash / MOST_PAGES) % PAGE) * 8;
}
