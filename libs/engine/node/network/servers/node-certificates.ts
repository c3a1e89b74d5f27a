import type { Node } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/reader.js';
import { decodePem, encodePem } from '../../../machinery/crypto/x509/pem.js';
import { parseTimestamp, SECOND } from '../../../machinery/time/time.js';
import type { ServerHello } from '../../cni/tls.js';
import { Credentials } from '../../host/pki/credentials.js';
import type { NodeIssuer } from '../../host/pki/issuer.js';
import { leavesOf } from '../../host/pki/leaves.js';
import { servingPair } from '../../host/pki/serving-request.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';

/** What a server of a node's shows in a handshake; without an issuer there are names and no certificates. */
export type Hello = (node: Node, read: Reader, issuer: NodeIssuer | undefined) => ServerHello;

/** What a component that listens at the loopback alone has made for itself, in memory. */
export const helloOfComponent: Hello = (node, _read, issuer) => {
  const { subject, issuer: authority, chain } = selfSigned(node, 'localhost', issuer);
  return { subject, issuer: authority, names: ['localhost', '127.0.0.1'], chain };
};

/** The certificate that the control plane has signed for a kubelet, or else the one that it has made for itself. */
export const helloOfKubelet: Hello = (node, read, issuer) => {
  const name = nameOf(node);
  const signed = servingPair(read, name);
  if (signed === undefined) return { ...selfSigned(node, name, issuer), names: [name] };
  return {
    subject: `O = system:nodes, CN = system:node:${name}`,
    issuer: 'CN = kubernetes',
    names: [name, internalIPOf(node) ?? ''].filter(Boolean),
    chain: certificatesIn(signed),
  };
};

/** What kubeadm has made for one of etcd's ports. */
export const helloOfEtcd =
  (port: 'server' | 'peer'): Hello =>
  (node, _read, issuer) => {
    const name = nameOf(node);
    const names = [name, 'localhost', internalIPOf(node) ?? '', '127.0.0.1', '::1'].filter(Boolean);
    const leaf = leavesOf(node).find((one) => one.name === `etcd-${port}`)!;
    const chain = issuer ? [credentialsOf(node, issuer).leaf(leaf).certificate] : [];
    return { subject: `CN = ${name}`, issuer: 'CN = etcd-ca', names, chain };
  };

/** Models client-go util/cert GenerateSelfSignedCertKey: an authority of its own is behind the certificate. */
function selfSigned(node: Node, host: string, issuer: NodeIssuer | undefined): Omit<ServerHello, 'names'> {
  const at = Math.floor(madeAt(node) / SECOND);
  const pair = issuer && credentialsOf(node, issuer).selfSigned(host);
  return {
    subject: `CN = ${host}@${at}`,
    issuer: `CN = ${host}-ca@${at}`,
    chain: pair ? certificatesIn(pair.certificate) : [],
  };
}

const nameOf = ({ metadata }: Node): string => metadata.name ?? '';
const madeAt = ({ metadata }: Node): number => parseTimestamp(metadata.creationTimestamp ?? '') || 0;
const credentialsOf = (node: Node, issuer: NodeIssuer): Credentials => new Credentials(node, madeAt(node), issuer);

const certificatesIn = (text: string): string[] =>
  decodePem(text).flatMap(({ type, bytes }) => (type === 'CERTIFICATE' ? [encodePem(type, bytes)] : []));
