import type { Millis } from '../../../machinery/time/time.js';

/** The authorities of a cluster that kubeadm has set up, by the common names of their certificates. */
export const AUTHORITIES = ['kubernetes', 'etcd-ca', 'front-proxy-ca'] as const;
export type AuthorityName = (typeof AUTHORITIES)[number];
/** One that a kubelet makes for its own port: 'worker-1-ca@1795000000'. */
export type KubeletAuthority = `${string}-ca@${number}`;

/** A certificate and its key, in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** What a certificate says of its holder. */
export interface Holder {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly usages: readonly ('server auth' | 'client auth')[];
  readonly dns?: readonly string[];
  /** As text. */
  readonly addresses?: readonly string[];
}

/** Issues what lies in /etc/kubernetes of nodes. Everything follows from the cluster's secret: nothing is stored. */
export interface NodeIssuer {
  authority(name: AuthorityName | KubeletAuthority): KeyPair;
  /** `label` names the key: the same one each time. */
  issue(
    authority: AuthorityName | KubeletAuthority,
    holder: Holder,
    label: string,
    from: Millis,
    until: Millis,
  ): KeyPair;
}
