import type { Node } from '../../../api/core_v1.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import type { AuthorityName, Holder } from './issuer.js';

/** A certificate that kubeadm makes for a node of the control plane. */
export interface Leaf {
  /** As `kubeadm certs` names it. */
  readonly name: string;
  /** The path without .crt and .key, or a kubeconfig file that embeds it. */
  readonly file: string;
  readonly authority: AuthorityName;
  readonly holder: Holder;
}

export const PKI = '/etc/kubernetes/pki';
const ADMINS = 'kubeadm:cluster-admins';
const SERVER = ['server auth'] as const;
const CLIENT = ['client auth'] as const;
const BOTH = ['server auth', 'client auth'] as const;

/** Models cmd/kubeadm/app/phases/certs/certlist.go and phases/kubeconfig; in the order of their names. */
export const leavesOf = (node: Node): readonly Leaf[] => leavesFor(node.metadata.name ?? '', internalIPOf(node));

/** The same of a node that has this name and address. */
export function leavesFor(name: string, ip: string): readonly Leaf[] {
  const own = ip ? [ip] : [];
  const etcd = { commonName: name, usages: BOTH, dns: [name, 'localhost'], addresses: [...own, '127.0.0.1', '::1'] };
  const service = [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
  ];
  const config = (file: string, commonName: string, ...organizations: string[]): Leaf => ({
    ...{ name: `${file}.conf`, file: `/etc/kubernetes/${file}.conf`, authority: 'kubernetes' },
    holder: { commonName, organizations, usages: CLIENT },
  });
  const leaf = (file: string, authority: AuthorityName, holder: Holder): Leaf => ({
    ...{ name: file.replace('/', '-'), file: `${PKI}/${file}`, authority, holder },
  });
  return [
    config('admin', 'kubernetes-admin', ADMINS),
    leaf('apiserver', 'kubernetes', {
      ...{ commonName: 'kube-apiserver', usages: SERVER, dns: [name, ...service] },
      addresses: ['10.96.0.1', ...own],
    }),
    leaf('apiserver-etcd-client', 'etcd-ca', { commonName: 'kube-apiserver-etcd-client', usages: CLIENT }),
    leaf('apiserver-kubelet-client', 'kubernetes', {
      ...{ commonName: 'kube-apiserver-kubelet-client', organizations: [ADMINS], usages: CLIENT },
    }),
    config('controller-manager', 'system:kube-controller-manager'),
    leaf('etcd/healthcheck-client', 'etcd-ca', { commonName: 'kube-etcd-healthcheck-client', usages: CLIENT }),
    leaf('etcd/peer', 'etcd-ca', etcd),
    leaf('etcd/server', 'etcd-ca', etcd),
    leaf('front-proxy-client', 'front-proxy-ca', { commonName: 'front-proxy-client', usages: CLIENT }),
    config('scheduler', 'system:kube-scheduler'),
    config('super-admin', 'kubernetes-super-admin', 'system:masters'),
  ];
}

/** Files of the authorities, without .crt and .key. */
/**
 * What the control planes of a cluster share, as JSON of contents by names below PKI: whoever sets up one of them anew
 * has the authorities that the cluster's keys lead to.
 */
export const AUTHORITIES_FILE = '/run/kubeadm/authorities.json';

export const AUTHORITY_FILES: readonly (readonly [AuthorityName, string])[] = [
  ['kubernetes', `${PKI}/ca`],
  ['etcd-ca', `${PKI}/etcd/ca`],
  ['front-proxy-ca', `${PKI}/front-proxy-ca`],
];
