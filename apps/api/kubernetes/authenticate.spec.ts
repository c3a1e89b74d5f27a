import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import type { ApiError } from '@terrarium/engine';
import type { Clusters, Identity } from '@terrarium/platform';
import { selfSignedCertificate } from '../../../libs/testkit/beds/self-signed-certificate.js';
import { authenticate } from './authenticate.js';

const { certificate } = selfSignedCertificate('localhost', Date.now());
const HEADER = 'x-client-cert';

const key = (tenantId: string) => ({ kind: 'key', scope: 'use', tenantId });
const PRINCIPALS: Readonly<Record<string, object>> = {
  'Bearer key-alice': key('alice'),
  'Bearer key-bob': key('bob'),
  'Bearer reading': { ...key('alice'), scope: 'read' },
  'Bearer token-c1': { kind: 'token', scope: 'use', tenantId: 'alice', clusterId: 'c1' },
  'Bearer token-c3': { kind: 'token', scope: 'use', tenantId: 'alice', clusterId: 'c3' },
  'Bearer jane': {
    kind: 'token',
    scope: 'use',
    tenantId: 'alice',
    clusterId: 'c1',
    subject: { user: 'jane', groups: ['dev'] },
  },
  'Bearer operator': { kind: 'operator', scope: 'operate' },
};

/** alice owns c1; its own tokens are 'Bearer signed', and it has issued the certificate. */
const api = {
  clientCertificateHeader: HEADER,
  identity: {
    identify: async (authorization = '') => PRINCIPALS[authorization],
    isSignedByCluster: async (authorization: string | undefined, id: string) =>
      authorization === 'Bearer signed' && id === 'c1',
    isIssuedByCluster: async (_: unknown, id: string) => id === 'c1',
  } as unknown as Identity,
  clusters: { tenantOf: async (id: string) => (id === 'c1' ? 'alice' : '') } as unknown as Clusters,
};

async function run(id: string, authorization?: string, hasCertificate = false, isOutside = false): Promise<string> {
  const headers = {
    ...(authorization ? { authorization } : {}),
    ...(hasCertificate ? { [HEADER]: encodeURIComponent(certificate) } : {}),
  };
  const raw = { headers, socket: new Socket() } as unknown as IncomingMessage;
  try {
    const { user, tenantId, clusterId, clientCertificate } = await authenticate(api, id, raw, { isOutside });
    expect([tenantId, clusterId]).toEqual(['alice', id]);
    const scopes = user?.extra ? ` ${JSON.stringify(user.extra)}` : '';
    return `${user?.name ?? 'the cluster decides'}${scopes}${clientCertificate ? ' with a certificate' : ''}`;
  } catch (error) {
    const { code, message } = error as ApiError;
    return `${code} ${message}`;
  }
}

test.each<[string, string, string | undefined, boolean, string]>([
  ['the owner', 'c1', 'Bearer key-alice', false, 'kubernetes-admin'],
  ['the owner with a certificate', 'c1', 'Bearer key-alice', true, 'kubernetes-admin with a certificate'],
  ['a reader', 'c1', 'Bearer reading', false, 'kubernetes-admin {"scopes.authorization.terrarium.dev":["read"]}'],
  ['the holder of its token', 'c1', 'Bearer token-c1', false, 'kubernetes-admin'],
  ['a token that names a user', 'c1', 'Bearer jane', false, 'jane'],
  ['a token of another cluster', 'c1', 'Bearer token-c3', false, '401 Unauthorized'],
  ['the operator', 'c1', 'Bearer operator', false, '401 Unauthorized'],
  ['a token that the cluster has signed', 'c1', 'Bearer signed', false, 'the cluster decides'],
  ['a bootstrap token', 'c1', 'Bearer abcdef.0123456789abcdef', false, 'the cluster decides'],
  ['one of a cluster that is not there', 'c2', 'Bearer abcdef.0123456789abcdef', false, '401 Unauthorized'],
  ['half of one', 'c1', 'Bearer abcdef', false, '401 Unauthorized'],
  ['a certificate that the cluster has issued', 'c1', undefined, true, 'the cluster decides with a certificate'],
  ['another tenant', 'c1', 'Bearer key-bob', false, '404 cluster "c1" not found'],
  ['a cluster that is not there', 'c2', 'Bearer key-alice', false, '404 cluster "c2" not found'],
  ['a certificate of another cluster', 'c2', undefined, true, '401 Unauthorized'],
  ['nothing', 'c1', undefined, false, '401 Unauthorized'],
  ['nonsense', 'c1', 'Bearer nonsense', false, '401 Unauthorized'],
])('%s', async (_, id, authorization, hasCertificate, expected) => {
  expect(await run(id, authorization, hasCertificate)).toBe(expected);
});

test.each<[string, string, string | undefined, string]>([
  ['nobody', 'c1', undefined, 'the cluster decides'],
  ['nobody, of a cluster that is not there', 'c2', undefined, '401 Unauthorized'],
  ['nonsense', 'c1', 'Bearer nonsense', '401 Unauthorized'],
  ['another tenant', 'c1', 'Bearer key-bob', '404 cluster "c1" not found'],
])('from outside: %s', async (_, id, authorization, expected) => {
  expect(await run(id, authorization, false, true)).toBe(expected);
});
