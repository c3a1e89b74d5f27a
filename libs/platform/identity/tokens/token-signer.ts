import crypto from 'node:crypto';
import type { PrismaClient } from '../../database.js';
import { isEqualSecret } from '../credentials.js';
import { Refusal } from '../../refusal.js';

/** The row of this number is the clusters' secret (ClusterSecrets); all others sign tokens. */
export const CLUSTER_SECRET_ID = 1;
const SECRET_BYTES = 32;
const ID_CHARACTERS = 8;
const MAX_PREVIOUS = 10;
const RELOAD_MS = 60_000;
/** A token of a secret that is not known makes a process read the secrets at most this often. */
const MIN_RELOAD_MS = 1_000;
/** Any number that no other code locks: two processes must not make the first secret at once. */
const LOCK = 7_305_512;

/** One secret that signs or has signed tokens. */
interface Secret {
  /** Stands in every token that the secret has signed. */
  readonly id: string;
  readonly key: Buffer;
  /** Real ms since the epoch after which its tokens are refused. */
  readonly until: number;
}

/** Secrets from the environment, which take the place of those in the database. */
export interface EnvironmentSecrets {
  readonly tokenSecret?: string;
  readonly tokenSecretPrevious?: string;
}

export interface Rotation {
  /** Names the new secret; tokens carry it. */
  readonly id: string;
  /** RFC 3339: when tokens of the secrets before end. */
  readonly previousUntil: string;
}

/**
 * Signs the tokens of clusters with HMAC-SHA-256. The first of the secrets signs; those before it still verify while
 * they are being replaced. `<body>.<id of the secret>.<signature>`, of which the body must be base64url.
 */
export class TokenSigner {
  private secrets: readonly Secret[] = [];
  private loadedAt = Number.NEGATIVE_INFINITY;
  private loading: Promise<void> | undefined;
  /** Counts the calls of forget(): a load that began before one must not count as recent. */
  private forgotten = 0;
  private readonly fromEnvironment: readonly Secret[] | undefined;

  constructor(
    private readonly database: Pick<PrismaClient, 'signingKey' | '$transaction'>,
    { tokenSecret, tokenSecretPrevious }: EnvironmentSecrets = {},
  ) {
    if (tokenSecret === undefined) return;
    const texts = tokenSecretPrevious === undefined ? [tokenSecret] : [tokenSecret, tokenSecretPrevious];
    this.fromEnvironment = texts.map((text) => toSecret(Buffer.from(text)));
  }

  async sign(body: string): Promise<string> {
    const [secret] = await this.current();
    return `${body}.${secret!.id}.${signatureOf(secret!, body)}`;
  }

  /** The body of a text that a present secret has signed. */
  async verify(text: string): Promise<string | undefined> {
    const [body, id, signature, ...more] = text.split('.');
    if (!body || !id || !signature || more.length > 0) return undefined;
    const secret = await this.find(id);
    return secret && isEqualSecret(signatureOf(secret, body), signature) ? body : undefined;
  }

  /**
   * Makes a new secret, which signs from now on; tokens of the secrets before are valid for `previousForMs` yet. Throws
   * Refusal 409 when the secret comes from the environment.
   */
  async rotate(previousForMs: number): Promise<Rotation> {
    if (this.fromEnvironment)
      throw new Refusal(
        409,
        'the secret comes from TOKEN_SECRET: set a new one there, and the one before as TOKEN_SECRET_PREVIOUS',
      );
    const until = new Date(Date.now() + previousForMs);
    const key = crypto.randomBytes(SECRET_BYTES);
    await this.inLock(async (signingKey) => {
      const where = { id: { not: CLUSTER_SECRET_ID }, OR: [{ retiredAt: null }, { retiredAt: { gt: until } }] };
      await signingKey.updateMany({ where, data: { retiredAt: until } });
      const count = await signingKey.count({
        where: { id: { not: CLUSTER_SECRET_ID }, retiredAt: { gt: new Date() } },
      });
      if (count > MAX_PREVIOUS)
        throw new Refusal(
          409,
          `${count} earlier secrets are still valid: wait, or end them at once with previousFor 0s`,
        );
      await signingKey.create({ data: { secret: key } });
    });
    this.forget();
    return { id: toSecret(key).id, previousUntil: until.toISOString() };
  }

  /** The secrets are read again before their next use. */
  forget(): void {
    this.forgotten++;
    this.loadedAt = Number.NEGATIVE_INFINITY;
  }

  private async find(id: string): Promise<Secret | undefined> {
    const isPresent = (secret: Secret): boolean => secret.id === id && secret.until > Date.now();
    const known = (await this.current()).find(isPresent);
    if (known || this.fromEnvironment || Date.now() < this.loadedAt + MIN_RELOAD_MS) return known;
    this.forget();
    return (await this.current()).find(isPresent);
  }

  private async current(): Promise<readonly Secret[]> {
    if (this.fromEnvironment) return this.fromEnvironment;
    if (Date.now() > this.loadedAt + RELOAD_MS) {
      this.loading ??= this.load().finally(() => (this.loading = undefined));
      await this.loading;
    }
    return this.secrets;
  }

  private async load(): Promise<void> {
    const [loadedAt, { forgotten }] = [Date.now(), this];
    let rows = await this.readRows();
    if (!rows.some((row) => row.retiredAt === null)) {
      await this.ensureOne();
      rows = await this.readRows();
    }
    this.secrets = rows.map((row) => toSecret(Buffer.from(row.secret), row.retiredAt?.getTime()));
    if (forgotten === this.forgotten) this.loadedAt = loadedAt;
  }

  private readRows() {
    const where = { id: { not: CLUSTER_SECRET_ID }, OR: [{ retiredAt: null }, { retiredAt: { gt: new Date() } }] };
    return this.database.signingKey.findMany({ where, orderBy: { id: 'desc' }, take: MAX_PREVIOUS + 1 });
  }

  private inLock<T>(work: (signingKey: PrismaClient['signingKey']) => Promise<T>): Promise<T> {
    return this.database.$transaction(async (transaction) => {
      await transaction.$executeRaw`select pg_advisory_xact_lock(${LOCK})`;
      return work(transaction.signingKey as PrismaClient['signingKey']);
    });
  }

  private async ensureOne(): Promise<void> {
    await this.inLock(async (signingKey) => {
      const present = await signingKey.count({ where: { id: { not: CLUSTER_SECRET_ID }, retiredAt: null } });
      if (present === 0) await signingKey.create({ data: { secret: crypto.randomBytes(SECRET_BYTES) } });
    });
  }
}

const toSecret = (key: Buffer, until = Number.POSITIVE_INFINITY): Secret => ({
  id: crypto.createHash('sha256').update('id of ').update(key).digest('base64url').slice(0, ID_CHARACTERS),
  key,
  until,
});

const signatureOf = ({ key }: Secret, body: string): string =>
  crypto.createHmac('sha256', key).update(`token ${body}`).digest('base64url');
