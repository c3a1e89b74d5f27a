import { Leases } from '../../kinds/index.js';
import { microTimestamp } from '../../machinery/time/time.js';
import type { ClusterBootstrap } from '../../node/index.js';
import { DEFAULT_NAMES } from '../template-options.js';
import { essentialAddons } from './addons.js';
import { baseObjects } from './apiserver-objects.js';
import { injectAuthority } from './authority.js';
import { createApiObjects } from './create-api-objects.js';
import { authenticationMap, rootAuthorityMap } from './kubeadm-config.js';
import { serverLease } from './leases.js';
import { isDefaultRight, rbacObjects } from './rbac.js';

/** Of the add-ons, which bring their own. */
const OF_ADDONS: ReadonlySet<string> = new Set(['kindnet', 'system:coredns', 'kubeadm:node-proxier', 'kube-proxy']);

/** What an API server makes in an empty etcd, and kubeadm beyond that: for nodes on which somebody begins anew. */
export const clusterBootstrap: ClusterBootstrap = {
  addonObjects: essentialAddons,
  createApiObjects(client, names, { now, keys }) {
    const maps = [rootAuthorityMap(), authenticationMap()];
    createApiObjects(
      client,
      [
        ...baseObjects({ ...DEFAULT_NAMES, ...names }).filter(({ kind }) => kind !== 'StorageClass'),
        ...rbacObjects().filter(isDefaultRight),
        ...maps.map((map) => (keys ? injectAuthority(map, keys) : map)),
      ],
      now,
    );
    const lease = serverLease(names.controlPlane, microTimestamp(now));
    if (!client.get(Leases, { namespace: 'kube-system', name: lease.metadata.name ?? '' }))
      client.create(Leases, lease);
  },
  kubeadmRights: () => rbacObjects().filter((one) => !isDefaultRight(one) && !OF_ADDONS.has(one.metadata.name ?? '')),
};
