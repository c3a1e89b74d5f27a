import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import type { BodyResponse } from '@terrarium/engine';
import { selfSignedCertificate, type Clusters, type Identity } from '@terrarium/platform';
import { authenticate } from './authenticate.js';

const { certificate } = selfSignedCertificate('localhost', Date.now());
const HEADER = 'x-client-cert';

/** alice owns c1; its own tokens are 'Bearer signed', and it has issued the certificate. */
const api = {
  clientCertificateHeader: HEADER,
  identity: {
    clusterCaller: async (authorization?: string) =>
      authorization?.startsWith('Bearer key-') ? { tenantId: authorization.slice(11) } : undefined,
    isSignedByCluster: async (authorization: string | undefined, id: string) =>
      authorization === 'Bearer signed' && id === 'c1',
    isIssuedByCluster: async (_: unknown, id: string) => id === 'c1',
  } as unknown as Identity,
  clusters: {
    owns: async (caller: { tenantId: string }, id: string) => caller.tenantId === 'alice' && id === 'c1',
  } as unknown as Clusters,
};

async function run(id: string, authorization?: string, hasCertificate = false): Promise<string> {
  const headers = {
    ...(authorization ? { authorization } : {}),
    ...(hasCertificate ? { [HEADER]: encodeURIComponent(certificate) } : {}),
  };
  const raw = { headers, socket: new Socket() } as unknown as IncomingMessage;
  const client = await authenticate(api, { url: { id, path: '/', query: '' }, raw });
  if ('refusal' in client) {
    const { status, body } = client.refusal as BodyResponse;
    return `${status} ${(JSON.parse(body as string) as { message: string }).message}`;
  }
  return `${client.user?.name ?? 'the cluster decides'}${client.certificate ? ' with a certificate' : ''}`;
}

test.each<[string, string, string | undefined, boolean, string]>([
  ['the owner', 'c1', 'Bearer key-alice', false, 'kubernetes-admin'],
  ['the owner with a certificate', 'c1', 'Bearer key-alice', true, 'kubernetes-admin with a certificate'],
  ['a token that the cluster has signed', 'c1', 'Bearer signed', false, 'the cluster decides'],
  ['a certificate that the cluster has issued', 'c1', undefined, true, 'the cluster decides with a certificate'],
  ['another tenant', 'c1', 'Bearer key-bob', false, '404 cluster "c1" not found'],
  ['a cluster that is not there', 'c2', 'Bearer key-alice', false, '404 cluster "c2" not found'],
  ['a certificate of another cluster', 'c2', undefined, true, '401 Unauthorized'],
  ['nothing', 'c1', undefined, false, '401 Unauthorized'],
  ['nonsense', 'c1', 'Bearer nonsense', false, '401 Unauthorized'],
])('%s', async (_, id, authorization, hasCertificate, expected) => {
  expect(await run(id, authorization, hasCertificate)).toBe(expected);
});
