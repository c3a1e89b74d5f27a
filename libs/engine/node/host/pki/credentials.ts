import type { Node } from '../../../api/core_v1.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import { DAY, SECOND, type Millis } from '../../../machinery/time/time.js';
import { digestOf } from '../../digest.js';
import type { AuthorityName, Holder, KeyPair, NodeIssuer } from './issuer.js';
import type { Leaf } from './leaves.js';

/** kubeadm's certificateValidityPeriod. */
export const VALIDITY: Millis = 365 * DAY;

/** The certificates and keys of one node, made when kubeadm has set it up. */
export class Credentials {
  private readonly from: Millis;

  constructor(
    private readonly node: Node,
    madeAt: Millis,
    private readonly issuer: NodeIssuer | undefined,
  ) {
    this.from = Math.floor(madeAt / SECOND) * SECOND;
  }

  authority(name: AuthorityName): KeyPair {
    return this.issuer?.authority(name) ?? standIn(name);
  }

  leaf({ name, authority, holder }: Leaf): KeyPair {
    return this.issue(name, (issuer, label, until) => issuer.issue(authority, holder, label, this.from, until));
  }

  /** Of the kubelet, for the API server. */
  kubeletClient(): KeyPair {
    const holder: Holder = {
      commonName: `system:node:${this.name}`,
      organizations: ['system:nodes'],
      usages: ['client auth'],
    };
    return this.issue('kubelet-client', (issuer, label, until) =>
      issuer.issue('kubernetes', holder, label, this.from, until),
    );
  }

  /** Of the kubelet's own port. */
  kubeletServer(): KeyPair {
    return this.selfSigned(this.name);
  }

  /**
   * For a server that nobody has signed a certificate for, by an authority that it makes itself, whose certificate
   * follows. Models client-go util/cert GenerateSelfSignedCertKey.
   */
  selfSigned(host: string): KeyPair {
    const at = this.from / SECOND;
    const authority = `${host}-ca@${at}` as const;
    const holder: Holder = { commonName: `${host}@${at}`, usages: ['server auth'], dns: [host] };
    return this.issue(host === this.name ? 'kubelet' : host, (issuer, label, until) => {
      const { certificate, key } = issuer.issue(authority, holder, label, this.from, until);
      return { certificate: `${certificate}${issuer.authority(authority).certificate}`, key };
    });
  }

  private issue(name: string, make: (issuer: NodeIssuer, label: string, until: Millis) => KeyPair): KeyPair {
    const label = `${this.node.metadata.uid ?? ''}/${name}`;
    return this.issuer ? make(this.issuer, label, this.from + VALIDITY) : standIn(label);
  }

  private get name(): string {
    return this.node.metadata.name ?? '';
  }
}

const standIn = (name: string): KeyPair => ({
  certificate: pem('CERTIFICATE', name),
  key: pem('RSA PRIVATE KEY', name),
});

/** Stands for a certificate or a key where nothing can sign. */
export function pem(type: string, name: string): string {
  const bytes = encodeBase64(`${name} ${digestOf(`${type}/${name}`)}`.padEnd(96, '.'));
  const lines = Array.from({ length: Math.ceil(bytes.length / 64) }, (_, i) => bytes.slice(i * 64, i * 64 + 64));
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`;
}
