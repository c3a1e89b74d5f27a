const isWild = (name: string): boolean => name.startsWith('*.');

/** Whether a host is meant by a name: the same, '*.test' for one or more labels before it, '' for all. */
export function isHost(name: string, host: string): boolean {
  if (name === '') return true;
  const [own, asked] = [name.toLowerCase(), host.toLowerCase()];
  return isWild(own) ? asked.endsWith(own.slice(1)) && asked.length > own.length - 1 : own === asked;
}

/** How closely a name that matches a host names it: a name without a star the most, '' the least. */
export const closeness = (name: string): number => (name === '' ? 0 : isWild(name) ? name.length : 1_000 + name.length);

/** What two names have in common, which is the narrower one; undefined: nothing. */
export function intersect(one: string, other: string): string | undefined {
  if (one === '' || one === other) return other;
  if (other === '') return one;
  if (isWild(one) && other.endsWith(one.slice(1))) return other;
  if (isWild(other) && one.endsWith(other.slice(1))) return one;
  return undefined;
}

/** The hosts of a route that a listener takes; undefined: none. '' stands for all. */
export function commonHosts(listener: string, route: readonly string[]): string[] | undefined {
  if (route.length === 0) return [listener];
  const found = route.flatMap((name) => {
    const common = intersect(listener, name);
    return common === undefined ? [] : [common];
  });
  return found.length > 0 ? found : undefined;
}
