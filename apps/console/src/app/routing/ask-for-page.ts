import { GET_CLUSTER } from '../../api/clusters.generated.js';
import { askAhead } from '../../api/graphql.js';
import { LIST_RESOURCES } from '../../kube/operations.generated.js';
import { parseRoute } from './route.js';

/**
 * What the page of a link asks first is asked while its code is on its way, and while the server says who is signed in:
 * the cluster, and for objects what it serves.
 */
export function askForPage(pathname: string, search: string): void {
  const route = parseRoute(pathname);
  if (route.place !== 'cluster') return;
  const { clusterId, view } = route;
  askAhead(GET_CLUSTER, { id: clusterId });
  const at = new URLSearchParams(search).get('at') ?? '';
  if (view === 'objects') askAhead(LIST_RESOURCES, { clusterId, ...(at ? { at } : {}) });
}
