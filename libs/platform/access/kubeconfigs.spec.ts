import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '@terrarium/engine';
import { parse } from 'yaml';
import { Kubeconfigs, type KubeconfigOptions } from './kubeconfigs.js';
import { KubeconfigQuery, KubeconfigsQuery, MAX_CONTEXTS } from './kubeconfig-nouns.js';
import type { Cluster } from '../nouns.js';
import type { KeyPrincipal, TokenPrincipal } from '../identity/principal.js';
import { Refusal } from '../refusal.js';

const NOW = Date.UTC(2026, 0, 2);
const HOUR = 60 * 60_000;
const key: KeyPrincipal = { kind: 'key', tenantId: 't', userId: 'u', userName: 'alice', keyId: 'k', scope: 'use' };
const token: TokenPrincipal = { ...key, kind: 'token', tokenId: 'x', scope: 'use', clusterId: 'c1', expiresAt: NOW };

interface World {
  readonly clusters?: number;
  readonly clock?: object;
  readonly authority?: string;
  readonly header?: string;
}

/** Clusters c1, c2 and so on, listed in pages of 60. */
function open({ clusters = 2, clock, authority = 'PEM', header }: World = {}) {
  const asked: string[] = [];
  const named = (id: string): Cluster => ({ id, name: `name-${id}` }) as Cluster;
  const all = Array.from({ length: clusters }, (_, i) => named(`c${i + 1}`));
  const options: KubeconfigOptions = {
    clusters: {
      get: async (_caller, id) => all.find((cluster) => cluster.id === id) ?? Promise.reject(new Refusal(404, id)),
      list: async (_caller, { limit, cursor }) => {
        const items = all.slice(Number(cursor ?? 0), Number(cursor ?? 0) + Math.min(limit, 60));
        const end = Number(cursor ?? 0) + items.length;
        return end < all.length ? { items, nextCursor: String(end) } : { items };
      },
    },
    tokens: {
      ensure: async (_caller, id, { subject, ttlMs } = {}) => {
        asked.push(JSON.stringify([id, subject, ttlMs]));
        return `tc_${id}`;
      },
    },
    identity: { tokenKey: async (id) => `secret of ${id}` },
    host: {
      now: () => NOW,
      request: async (): Promise<ApiResponse> => ({
        type: 'body',
        status: clock ? 200 : 404,
        headers: {},
        body: JSON.stringify(clock ?? {}),
      }),
    },
    settings: { publicUrl: 'http://localhost:8080', clientCertificateHeader: header },
    authority: authority || undefined,
  };
  return { kubeconfigs: new Kubeconfigs(options), asked };
}

interface Config {
  readonly contexts: { readonly name: string }[];
  readonly users: { readonly user: Readonly<Record<string, string>> }[];
}

const certificateOf = (text: string): X509Certificate => {
  const data = (parse(text) as Config).users[0]!.user['client-certificate-data']!;
  return new X509Certificate(Buffer.from(data, 'base64'));
};

describe('tokens', () => {
  test('are of the administrator, or of the user and the groups', async () => {
    const { kubeconfigs, asked } = open();
    await kubeconfigs.forCluster(key, 'c1', KubeconfigQuery.parse({}));
    await kubeconfigs.forCluster(key, 'c1', KubeconfigQuery.parse({ user: 'jane', group: ['dev', 'ops'], ttl: '2h' }));
    await kubeconfigs.forCluster(key, 'c1', KubeconfigQuery.parse({ user: 'jane', group: 'dev' }));
    expect(asked).toEqual([
      '["c1",null,null]',
      `["c1",{"user":"jane","groups":["dev","ops"]},${2 * HOUR}]`,
      '["c1",{"user":"jane","groups":["dev"]},null]',
    ]);
  });

  test("are not given to another token's holder", async () => {
    await expect(open().kubeconfigs.forCluster(token, 'c1', KubeconfigQuery.parse({}))).rejects.toThrow('send a key');
  });
});

describe('certificates', () => {
  const query = KubeconfigQuery.parse({ user: 'jane', format: 'certificate', ttl: '2h' });

  test.each([
    ['without a clock', undefined, NOW],
    ['of an hour ago, at twice the speed', { spec: { rate: 2 }, status: clockStatus(NOW, NOW - HOUR) }, NOW + 2 * HOUR],
    ['that stands still', { spec: { paused: true }, status: clockStatus(NOW - HOUR, NOW) }, NOW - HOUR],
  ])("are valid in the cluster's own time, %s", async (_, clock, virtual) => {
    const certificate = certificateOf(await open({ clock }).kubeconfigs.forCluster(key, 'c1', query));
    expect([Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]).toEqual([
      virtual - 5 * 60_000,
      virtual + 2 * HOUR,
    ]);
  });

  test.each([
    ['through a proxy that passes none on', {}, key, query, 400],
    ['with a key that only reads', { authority: 'PEM' }, { ...key, scope: 'read' as const }, query, 403],
    ['for a month and a day', { authority: 'PEM' }, key, { ...query, ttl: 31 * 24 * HOUR }, 400],
  ])('are refused %s', async (_, world, caller, asked, status) => {
    const { kubeconfigs } = open({ authority: '', ...world });
    await expect(kubeconfigs.forCluster(caller, 'c1', asked)).rejects.toMatchObject({ status });
  });

  test('are given where a proxy passes them on', async () => {
    const { kubeconfigs } = open({ authority: '', header: 'x-client-certificate' });
    expect(certificateOf(await kubeconfigs.forCluster(key, 'c1', query)).subject).toBe('CN=jane');
  });
});

describe('several clusters', () => {
  const bySelector = KubeconfigsQuery.parse({ labelSelector: 'a=b' });

  test(`as many as ${MAX_CONTEXTS}, on several pages`, async () => {
    const text = await open({ clusters: MAX_CONTEXTS }).kubeconfigs.forClusters(key, bySelector);
    expect((parse(text) as Config).contexts).toHaveLength(MAX_CONTEXTS);
  });

  test.each([
    [MAX_CONTEXTS + 1, 400, 'must not match more than 100 clusters'],
    [0, 404, 'no cluster matches the selector "a=b"'],
  ])('%i are refused', async (clusters, status, words) => {
    const made = open({ clusters }).kubeconfigs.forClusters(key, bySelector);
    await expect(made).rejects.toMatchObject({ status, message: expect.stringContaining(words) as unknown });
  });

  test('one that is unknown is refused', async () => {
    const query = KubeconfigsQuery.parse({ clusters: 'c1,c9' });
    await expect(open().kubeconfigs.forClusters(key, query)).rejects.toMatchObject({ status: 404 });
  });
});

function clockStatus(virtual: number, real: number): object {
  return { virtual: new Date(virtual).toISOString(), real: new Date(real).toISOString() };
}
