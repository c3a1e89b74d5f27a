import type { ClientHello, ServerHello } from '../../../../engine/node/cni/tls.js';
import { podAt } from '../../../../engine/node/cni/pod-at.js';
import type { Reader } from '@terrarium/engine';
import { identityOf, type Mesh } from '../mesh.js';

/** What a proxy says to another: the protocol istio, and who it is (the certificate's URI). */
export interface MeshHello extends ClientHello {
  readonly alpn?: 'istio';
  readonly identity?: string;
}

export const meshHello = (serverName: string, identity: string): MeshHello => ({
  ...{ serverName, alpn: 'istio', identity },
});

export const meshAnswer = (identity: string): ServerHello => ({
  ...{ subject: '', issuer: 'O = cluster.local', names: [identity], chain: [] },
});

/**
 * Who has sent a hello of the mesh; undefined: nobody whom istiod would have given that certificate. A signature stands
 * for the pod at the address, whose service account it is.
 */
export function identityIn(hello: MeshHello, client: string, read: Reader, mesh: Mesh): string | undefined {
  if (hello.alpn !== 'istio' || hello.identity === undefined) return undefined;
  const pod = podAt(read, client);
  return pod && identityOf(mesh, pod) === hello.identity ? hello.identity : undefined;
}
