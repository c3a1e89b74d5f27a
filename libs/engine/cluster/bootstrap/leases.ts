import type { Lease } from '../../api/coordination_v1.js';
import type { ObjectMeta } from '../../machinery/meta/object.js';
import { hash32 } from '../../machinery/random.js';

const lease = (metadata: ObjectMeta, spec: Lease['spec']): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata,
  spec,
});

const hex = (name: string, digits: number): string => {
  let text = '';
  for (let i = 1; text.length < digits; i++) text += hash32(name, i).toString(16).padStart(8, '0');
  return text.slice(0, digits);
};
const uuid = (name: string): string => hex(name, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** A component's leader election, which it has won on a host. */
export const leaderLease = (component: string, host: string, now: string): Lease =>
  lease(
    { name: component, namespace: 'kube-system' },
    {
      acquireTime: now,
      holderIdentity: `${host}_${uuid(component)}`,
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      renewTime: now,
    },
  );

/** The API server's identity. Models pkg/controlplane/controller/leaderelection and apiserver identity leases. */
export function serverLease(host: string, now: string): Lease {
  const labels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': host };
  const id = hex('kube-apiserver', 24).padEnd(26, 'ry');
  return lease(
    { name: `apiserver-${id}`, namespace: 'kube-system', labels },
    { holderIdentity: `apiserver-${id}_${uuid('kube-apiserver')}`, leaseDurationSeconds: 3600, renewTime: now },
  );
}
