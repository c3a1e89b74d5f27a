import { textOf } from '../../../../../engine/kernel/bytes.js';
import { decodeBase64Text } from '../../../../../engine/machinery/text/base64.js';
import { DerError } from '../../../../../engine/machinery/crypto/x509/der.js';
import { decodePem } from '../../../../../engine/machinery/crypto/x509/pem.js';
import type { Disk } from '../../../../../engine/node/host/files/disk.js';
import { type CertificateParts, readCertificate } from '../../../openssl/show.js';

export const PKI = '/etc/kubernetes/pki';

/** A certificate that kubeadm manages. Models cmd/kubeadm/app/phases/certs/renewal/manager.go. */
export interface ManagedLeaf {
  readonly name: string;
  readonly longName: string;
  /** Without .crt and .key; a kubeconfig file holds both itself. */
  readonly file: string;
  /** The base name of its authority's files. */
  readonly authority: 'ca' | 'etcd/ca' | 'front-proxy-ca';
}

const leaf = (file: string, authority: ManagedLeaf['authority'], longName: string): ManagedLeaf => ({
  ...{ name: file.replace('/', '-'), longName, file: `${PKI}/${file}`, authority },
});
const config = (file: string, whose: string): ManagedLeaf => ({
  ...{ name: `${file}.conf`, longName: `certificate embedded in the kubeconfig file for the ${whose}` },
  ...{ file: `/etc/kubernetes/${file}.conf`, authority: 'ca' },
});

export const MANAGED: readonly ManagedLeaf[] = [
  config('admin', 'admin to use and for kubeadm itself'),
  leaf('apiserver', 'ca', 'certificate for serving the Kubernetes API'),
  leaf('apiserver-etcd-client', 'etcd/ca', 'certificate the apiserver uses to access etcd'),
  leaf('apiserver-kubelet-client', 'ca', 'certificate for the API server to connect to kubelet'),
  config('controller-manager', 'controller manager to use'),
  leaf('etcd/healthcheck-client', 'etcd/ca', 'certificate for liveness probes to healthcheck etcd'),
  leaf('etcd/peer', 'etcd/ca', 'certificate for etcd nodes to communicate with each other'),
  leaf('etcd/server', 'etcd/ca', 'certificate for serving etcd'),
  leaf('front-proxy-client', 'front-proxy-ca', 'certificate for the front proxy client'),
  config('scheduler', 'scheduler manager to use'),
  config('super-admin', 'super-admin'),
];

/** The names and files of authorities. */
export const MANAGED_AUTHORITIES = [
  ['ca', 'ca'],
  ['etcd-ca', 'etcd/ca'],
  ['front-proxy-ca', 'front-proxy-ca'],
] as const;

/** The file that has a leaf's certificate. */
export const fileOf = ({ file }: ManagedLeaf): string => (file.endsWith('.conf') ? file : `${file}.crt`);

/** The certificate of a file: PEM, or what a kubeconfig embeds; undefined: there is none that can be read. */
export function readCertificateFile(disk: Disk, path: string): CertificateParts | undefined {
  const content = disk.read(path);
  if (content === undefined) return undefined;
  const text = textOf(content);
  const embedded = /^ *client-certificate-data: *(\S+)/m.exec(text)?.[1];
  const block = decodePem(embedded === undefined ? text : decodeBase64Text(embedded))[0];
  try {
    return block && readCertificate(block.bytes);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}
