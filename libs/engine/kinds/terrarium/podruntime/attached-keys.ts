/** What the index knows of a further interface of a pod. */
export interface Attached {
  readonly segment: string;
  readonly pool?: string;
  /** '192.168.1.200/24' */
  readonly addresses: readonly string[];
}

/** Under which the index of PodRuntimes has who is at an address of a segment, and who has an address of a pool. */
export const atAddress = (segment: string, ip: string): string => `at ${segment} ${ip}`;
export const inPool = (pool: string): string => `in ${pool}`;

export const keysOf = (attachments: readonly Attached[]): string[] =>
  attachments.flatMap(({ segment, pool, addresses }) => [
    ...addresses.map((address) => atAddress(segment, address.split('/', 1)[0] ?? '')),
    ...(pool === undefined ? [] : [inPool(pool)]),
  ]);
