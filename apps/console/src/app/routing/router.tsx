import { useCallback, useMemo, type AnchorHTMLAttributes, type MouseEvent } from 'react';
import { createStore, useStore } from '../../api/store.js';
import { clusterHref, embedHref, keptQuery, parseRoute, withParam, type Route } from './route.js';

interface Place {
  readonly pathname: string;
  readonly search: string;
}

const here = (): Place => ({ pathname: location.pathname, search: location.search });
const place = createStore<Place>(typeof location === 'undefined' ? { pathname: '/', search: '' } : here());
if (typeof window !== 'undefined') window.addEventListener('popstate', () => place.set(here()));

/** Goes to a place of the console; `replace` leaves no step back behind. */
export function navigate(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (href === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', href);
  place.set(here());
}

export function useRoute(): Route {
  const { pathname } = useStore(place);
  return useMemo(() => parseRoute(pathname), [pathname]);
}

/**
 * A value that stands in the page's URL, so that a link restores it: a filter, a selection. `push` makes a step back
 * of each change; by default the present step is changed.
 */
export function useUrlState(
  key: string,
  initial = '',
  { push = false }: { readonly push?: boolean } = {},
): [value: string, set: (value: string | undefined) => void] {
  const { search } = useStore(place);
  const value = useMemo(() => new URLSearchParams(search).get(key) ?? initial, [search, key, initial]);
  const set = useCallback(
    (next: string | undefined) =>
      navigate(location.pathname + withParam(location.search, key, next === initial ? undefined : next), {
        replace: !push,
      }),
    [key, initial, push],
  );
  return [value, set];
}

/**
 * The moment that the whole page shows: a revision or a time (as in /clusters/<id>@<moment>); '' is the present, live.
 * It goes with the links between views of one cluster.
 */
export const useMoment = (): [at: string, setAt: (at: string | undefined) => void] => useUrlState('at');

/** The namespaces that are looked at; none are all. They go with the links, too. */
export function useNamespaces(): [namespaces: readonly string[], setNamespaces: (of: readonly string[]) => void] {
  const [text, setText] = useUrlState('ns');
  const namespaces = useMemo(() => text.split(',').filter(Boolean), [text]);
  const set = useCallback((of: readonly string[]) => setText(of.join(',') || undefined), [setText]);
  return [namespaces, set];
}

/** A link to a view of a cluster, at the moment and with the namespace that are shown; in a frame it stays in it. */
export function useClusterHref(clusterId: string): (view?: string, ...rest: readonly string[]) => string {
  const { pathname, search } = useStore(place);
  const isEmbedded = parseRoute(pathname).place === 'embed';
  const query = keptQuery(search, isEmbedded);
  return useCallback(
    (view, ...rest) => (isEmbedded ? embedHref(view, ...rest) : clusterHref(clusterId, view, ...rest)) + query,
    [clusterId, isEmbedded, query],
  );
}

/** A link within the console. */
export function Link({ href, onClick, ...props }: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a {...props} href={href} onClick={follow} />;
}
