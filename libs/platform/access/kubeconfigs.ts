import { virtualNow, type ClockLike } from '@terrarium/engine';
import type { ClusterHost } from '@terrarium/host';
import { clusterEndpoint } from './cluster-endpoint.js';
import { requireKey, type Clusters } from '../clusters/clusters.js';
import { formatDuration } from '../duration.js';
import type { Identity } from '../identity/identity.js';
import { contextNames, kubeconfig, type Access, type Credential } from './kubeconfig.js';
import { MAX_CONTEXTS, type KubeconfigQuery, type KubeconfigsQuery } from './kubeconfig-nouns.js';
import { userOf, type Caller, type KeyPrincipal, type Subject } from '../identity/principal.js';
import { Refusal } from '../refusal.js';
import { includes } from '../identity/scope.js';
import type { Settings } from '../settings.js';
import { checkSubject } from '../identity/subject.js';
import type { Tokens } from '../identity/tokens/tokens.js';
import { issueUserCertificate } from './user-certificate.js';

const DAY_MS = 24 * 60 * 60_000;
const CERTIFICATE_TTL_MS = DAY_MS;
const MAX_CERTIFICATE_TTL_MS = 30 * DAY_MS;
/** As upstream's signers do, so that a clock that is behind takes a new certificate. */
const BACKDATE_MS = 5 * 60_000;
const CLOCK_PATH = '/apis/terrarium.dev/v1alpha1/clocks/clock';
const ADMIN: Subject = { user: 'kubernetes-admin', groups: ['system:masters'] };

export interface KubeconfigOptions {
  readonly clusters: Pick<Clusters, 'get' | 'list'>;
  readonly tokens: Pick<Tokens, 'ensure'>;
  readonly identity: Pick<Identity, 'tokenKey'>;
  readonly host: Pick<ClusterHost, 'request' | 'now'>;
  readonly settings: Pick<Settings, 'publicUrl' | 'baseDomain' | 'clientCertificateHeader'>;
  /** PEM of the authority of the API's own certificate; undefined when a proxy ends TLS. */
  readonly authority: string | undefined;
}

type Named = Awaited<ReturnType<Clusters['get']>>;

/**
 * Kubeconfig files for the clusters of a tenant. Each method throws Refusal 404 for a cluster that is not the caller's.
 */
export class Kubeconfigs {
  constructor(private readonly options: KubeconfigOptions) {}

  async forCluster(caller: Caller, id: string, query: KubeconfigQuery): Promise<string> {
    return this.write(caller, [await this.options.clusters.get(caller, id)], query);
  }

  /** A context for each of the clusters, called after it. Throws Refusal 400 when there are too many. */
  async forClusters(caller: Caller, query: KubeconfigsQuery): Promise<string> {
    return this.write(caller, await this.find(caller, query), query);
  }

  private async find(caller: Caller, { clusters: ids, labelSelector }: KubeconfigsQuery): Promise<Named[]> {
    const { clusters } = this.options;
    const found: Named[] = [];
    for (const id of ids ?? []) found.push(await clusters.get(caller, id));
    if (ids) return found;
    let cursor: string | undefined;
    do {
      const page = await clusters.list(caller, { limit: MAX_CONTEXTS, cursor, labelSelector });
      found.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined && found.length <= MAX_CONTEXTS);
    if (found.length === 0) throw new Refusal(404, `no cluster matches the selector "${labelSelector}"`);
    if (found.length > MAX_CONTEXTS)
      throw new Refusal(400, `labelSelector: must not match more than ${MAX_CONTEXTS} clusters`);
    return found;
  }

  private async write(caller: Caller, clusters: readonly Named[], query: KubeconfigQuery): Promise<string> {
    const key = requireKey(caller);
    const { user, group, root } = query;
    const subject = user === undefined ? undefined : { user, groups: group };
    if (subject) checkSubject(key.scope, subject);
    const issue =
      query.format === 'token' ? this.tokenIssuer(key, query, subject) : this.certificateIssuer(key, query, subject);
    const names = contextNames(clusters);
    const accesses: Access[] = [];
    for (const [i, { id }] of clusters.entries())
      accesses.push({
        name: names[i]!,
        ...clusterEndpoint(root, id, { ...this.options.settings, servesTls: this.options.authority !== undefined }),
        authority: this.options.authority,
        user: user ?? ADMIN.user,
        credential: await issue(id),
      });
    return kubeconfig(accesses);
  }

  private tokenIssuer(key: KeyPrincipal, { ttl: ttlMs }: KubeconfigQuery, subject: Subject | undefined) {
    const { tokens } = this.options;
    return async (id: string): Promise<Credential> => ({ token: await tokens.ensure(key, id, { ttlMs, subject }) });
  }

  /** A certificate has no scope and cannot be revoked: a key that may only read makes none, and it ends soon. */
  private certificateIssuer(
    { scope }: KeyPrincipal,
    { ttl = CERTIFICATE_TTL_MS }: KubeconfigQuery,
    subject: Subject = ADMIN,
  ) {
    const { authority, settings, identity } = this.options;
    if (!includes(scope, 'use')) throw new Refusal(403, 'format: a key of scope read makes no certificates: use token');
    if (ttl > MAX_CERTIFICATE_TTL_MS)
      throw new Refusal(
        400,
        `ttl: a certificate cannot be revoked: it ends after ${formatDuration(MAX_CERTIFICATE_TTL_MS)} at most`,
      );
    if (authority === undefined && settings.clientCertificateHeader === undefined)
      throw new Refusal(400, 'format: a proxy ends TLS here and passes no certificates on: use token');
    return async (id: string): Promise<Credential> => {
      const now = await this.virtualNow(id);
      return issueUserCertificate(await identity.tokenKey(id), subject, {
        notBefore: now - BACKDATE_MS,
        notAfter: now + ttl,
      });
    };
  }

  /** The time in the cluster: its API server checks certificates by that. */
  private async virtualNow(id: string): Promise<number> {
    const { host } = this.options;
    const response = await host.request(id, {
      method: 'GET',
      path: CLOCK_PATH,
      query: '',
      headers: { accept: 'application/json' },
      user: userOf({ scope: 'use' }),
    });
    if (response.type !== 'body') throw new Error(`the clock was answered with a ${response.type}`);
    const { status, body } = response;
    if (status !== 200 && status !== 404) throw new Refusal(status, `the clock of the cluster "${id}" cannot be read`);
    const text = typeof body === 'string' ? body : Buffer.from(body).toString();
    return virtualNow(status === 200 ? (JSON.parse(text) as ClockLike) : undefined, host.now(), 0);
  }
}
