import { createHmac, randomBytes } from 'node:crypto';
import { requireKey, type Clusters } from '../clusters/clusters.js';
import { forTenant, type PrismaClient } from '../database.js';
import type { Identity } from '../identity/identity.js';
import type { Caller } from '../identity/principal.js';
import type { CheckWebhook } from '../nouns.js';
import { Refusal } from '../refusal.js';
import type { Settings } from '../settings.js';

const SALT_BYTES = 16;
const SECOND_MS = 1_000;
/** Between two deliveries, and after failures: doubled each time. */
const FIRST_RETRY_MS = 5 * SECOND_MS;
const MAX_RETRY_MS = 60 * 60 * SECOND_MS;
const MAX_ERROR = 300;

type Row = NonNullable<Awaited<ReturnType<PrismaClient['checkWebhook']['findUnique']>>>;

/** A cluster's webhook whose turn it is. */
export interface DueWebhook {
  readonly clusterId: string;
  readonly url: string;
  readonly secret: string;
  readonly sentRevision: number;
  readonly failures: number;
}

/** Where clusters' results of checks are sent. The cluster's own log says what there is to send. */
export class CheckWebhooks {
  constructor(
    private readonly clusters: Pick<Clusters, 'findRow'>,
    private readonly database: PrismaClient,
    private readonly identity: Pick<Identity, 'tokenKey'>,
    private readonly addresses: Settings['webhookUrls'],
  ) {}

  /** Private addresses may be called, and http. */
  get allowsPrivate(): boolean {
    return this.addresses === 'any';
  }

  /** Throws Refusal 404, and 422 for a URL that may not be called. With a new secret: what was before is forgotten. */
  async set(caller: Caller, clusterId: string, url: string): Promise<CheckWebhook> {
    const { tenantId, head } = await this.mustFind(caller, clusterId);
    this.mustAllow(url);
    const fresh = { url, salt: randomBytes(SALT_BYTES).toString('hex'), failures: 0, error: null, dueAt: new Date() };
    const row = await forTenant(this.database, tenantId).checkWebhook.upsert({
      where: { clusterId },
      create: { clusterId, tenantId, ...fresh, seenRevision: BigInt(head), sentRevision: BigInt(head) },
      update: fresh,
    });
    return { ...shown(row), secret: await this.secretOf(row) };
  }

  /** Throws Refusal 404. */
  async get(caller: Caller, clusterId: string): Promise<CheckWebhook> {
    const { tenantId } = await this.mustFind(caller, clusterId);
    const row = await forTenant(this.database, tenantId).checkWebhook.findUnique({ where: { clusterId } });
    if (!row) throw new Refusal(404, 'the cluster has no webhook of checks');
    return shown(row);
  }

  /** Throws Refusal 404. */
  async remove(caller: Caller, clusterId: string): Promise<void> {
    const { tenantId } = await this.mustFind(caller, clusterId);
    await forTenant(this.database, tenantId).checkWebhook.deleteMany({ where: { clusterId } });
  }

  // ---- of the worker ----

  /** Clusters whose log has grown since they were looked at. Forgets those of deleted ones. */
  async listDue(limit: number): Promise<string[]> {
    await this.database.$executeRaw`
      delete from platform.check_webhook w
       where not exists (select from log.cluster c where c.id = w.cluster_id and c.deleted_at is null)`;
    const rows = await this.database.$queryRaw<{ cluster_id: string }[]>`
      select w.cluster_id from platform.check_webhook w join log.cluster c on c.id = w.cluster_id
       where c.head > w.seen_revision and w.due_at <= now() at time zone 'utc'
       order by w.due_at limit ${limit}`;
    return rows.map((row) => row.cluster_id);
  }

  /** Undefined: it is not its turn any more. */
  async takeDue(clusterId: string): Promise<DueWebhook | undefined> {
    const row = await this.database.checkWebhook.findUnique({ where: { clusterId } });
    if (!row || row.dueAt.getTime() > Date.now()) return undefined;
    const { url, failures } = row;
    return { clusterId, url, failures, secret: await this.secretOf(row), sentRevision: Number(row.sentRevision) };
  }

  async recordSent(clusterId: string, revision: number): Promise<void> {
    const data = { sentRevision: BigInt(revision), failures: 0, error: null };
    await this.database.checkWebhook.updateMany({ where: { clusterId }, data });
  }

  /** All results up to this revision of the cluster were sent. */
  async recordSeen(clusterId: string, revision: number): Promise<void> {
    const data = { seenRevision: BigInt(revision), dueAt: new Date(Date.now() + SECOND_MS) };
    await this.database.checkWebhook.updateMany({ where: { clusterId }, data });
  }

  async recordFailure({ clusterId, failures }: DueWebhook, error: string): Promise<void> {
    const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
    const data = { failures: failures + 1, error: error.slice(0, MAX_ERROR), dueAt: new Date(Date.now() + wait) };
    await this.database.checkWebhook.updateMany({ where: { clusterId }, data });
  }

  private mustFind(caller: Caller, clusterId: string) {
    return this.clusters.findRow(requireKey(caller), clusterId);
  }

  private mustAllow(text: string): void {
    if (this.addresses === undefined) throw new Refusal(422, 'webhooks are switched off here (WEBHOOK_URLS)');
    const url = URL.parse(text);
    const isHttp = url?.protocol === 'http:' && this.allowsPrivate;
    if (!url || (url.protocol !== 'https:' && !isHttp) || url.username || url.password)
      throw new Refusal(422, `url must be ${this.allowsPrivate ? 'an http or' : 'an'} https URL without credentials`);
  }

  /** Nothing that is stored tells it. */
  private async secretOf({ clusterId, salt }: Pick<Row, 'clusterId' | 'salt'>): Promise<string> {
    const key = await this.identity.tokenKey(clusterId);
    return `whsec_${createHmac('sha256', key).update(`webhook of checks ${salt}`).digest('base64url')}`;
  }
}

function shown({ url, sentRevision, failures, error, dueAt }: Row): CheckWebhook {
  const trouble = failures > 0 ? { error: error ?? '', nextAttempt: dueAt.toISOString() } : {};
  return { url, sentRevision: Number(sentRevision), failures, ...trouble };
}
