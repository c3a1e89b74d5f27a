/** Where the page is, read from its path. */
export type Route =
  | { readonly place: 'top'; readonly view: string; readonly rest: readonly string[] }
  | { readonly place: 'cluster'; readonly clusterId: string; readonly view: string; readonly rest: readonly string[] }
  | { readonly place: 'embed'; readonly view: string; readonly rest: readonly string[] };

export const HOME = 'clusters';
export const CLUSTER_HOME = 'overview';

/** `/` is the list of clusters, `/c/<cluster>/<view>/…` a view of one, `/embed/<view>/…` the same in a frame. */
export function parseRoute(pathname: string): Route {
  const [first, ...more] = pathname.split('/').filter(Boolean).map(decode);
  if (first === 'c' && more[0]) {
    const [clusterId, view = CLUSTER_HOME, ...rest] = more;
    return { place: 'cluster', clusterId: clusterId!, view, rest };
  }
  if (first === 'embed') return { place: 'embed', view: more[0] ?? CLUSTER_HOME, rest: more.slice(1) };
  return { place: 'top', view: first ?? HOME, rest: more };
}

/** What is no escape stands for itself. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // An address that somebody has typed: it names nothing, and is shown as it is.
    return segment;
  }
}

const join = (...segments: readonly string[]): string => `/${segments.map(encodeURIComponent).join('/')}`;

export const topHref = (view: string): string => (view === HOME ? '/' : join(view));

export const clusterHref = (clusterId: string, view: string = CLUSTER_HOME, ...rest: readonly string[]): string =>
  join('c', clusterId, view, ...rest);

export const embedHref = (view: string = CLUSTER_HOME, ...rest: readonly string[]): string =>
  join('embed', view, ...rest);

/** What goes with the links between views of one cluster; in a frame also what the page around has asked for. */
const KEPT = ['at', 'ns'];
const KEPT_IN_FRAMES = ['cluster', 'theme', 'origin', ...KEPT];

export function keptQuery(search: string, isEmbedded: boolean): string {
  const given = new URLSearchParams(search);
  const kept = (isEmbedded ? KEPT_IN_FRAMES : KEPT).filter((key) => given.get(key));
  return kept.reduce((query, key) => withParam(query, key, given.get(key)!), '');
}

/** The query with one value changed; undefined or '' takes it out. Others keep their order. */
export function withParam(search: string, key: string, value: string | undefined): string {
  const params = new URLSearchParams(search);
  if (value) params.set(key, value);
  else params.delete(key);
  const text = params.toString();
  return text && `?${text}`;
}
