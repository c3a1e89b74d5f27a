/** What the cluster itself runs: people look for their own things first. */
export const isSystem = (namespace: string): boolean => namespace.startsWith('kube-');

/** Of "namespace/name": by the alphabet, those of the system last. */
export const systemLast = (a: string, b: string): number =>
  Number(isSystem(a)) - Number(isSystem(b)) || (a < b ? -1 : Number(a > b));

/** Resources whose objects only tell of others, or keep books of them: what changes is told by those themselves. */
export const isBookkeeping = (resource: string): boolean =>
  resource === 'events' || resource.startsWith('events.') || INTERNAL.has(resource);

const INTERNAL: ReadonlySet<string> = new Set(['podruntimes.terrarium.dev', 'machinechanges.terrarium.dev']);
