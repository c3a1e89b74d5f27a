/** What the cluster itself runs: people look for their own things first. */
export const isSystem = (namespace: string): boolean => namespace.startsWith('kube-');

/** Of "namespace/name": by the alphabet, those of the system last. */
export const systemLast = (a: string, b: string): number =>
  Number(isSystem(a)) - Number(isSystem(b)) || (a < b ? -1 : Number(a > b));

/** Resources whose objects only tell of others, or keep books of them: what changes is told by those themselves. */
export const isBookkeeping = (resource: string): boolean =>
  resource === 'events' || resource.startsWith('events.') || isInternal(resource);

/**
 * Records of the simulation itself, by a resource ("podruntimes.terrarium.dev") or an object ("podruntime/shop/web"):
 * no cluster has them, and what they tell shows in other objects.
 */
export const isInternal = (name: string): boolean => INTERNAL.has(name.split(/[./]/, 1)[0]!.replace(/e?s?$/, ''));

const INTERNAL: ReadonlySet<string> = new Set([
  ...['podruntim', 'podmachin', 'podsandbox', 'machinechang', 'filechang'],
  ...['noderuntim', 'proxyruntim', 'proxysnapshot', 'autoscalerruntim'],
]);
