import { readdirSync, readFileSync } from 'node:fs';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { testDatabase } from '../../testkit/postgres.js';
import { selfSignedCertificate } from '../../testkit/beds/self-signed-certificate.js';
import { loadAuthority } from './certificate-authority.js';
import { openDatabase } from '../database.js';
import { issueServerCertificate } from './server-certificate.js';
import { platformDatabase } from '../testing.js';

const MIGRATIONS = 'prisma/migrations';
const NOW = Date.UTC(2026, 0, 2);

describe('in a new database', () => {
  let platform: Awaited<ReturnType<typeof platformDatabase>>;
  beforeAll(async () => void (platform = await platformDatabase()), 60_000);
  afterAll(() => platform.close());

  test('processes that begin at once share one authority', async () => {
    const authorities = await Promise.all([1, 2, 3].map(() => loadAuthority(platform.database)));
    expect(new Set(authorities.map(({ pem }) => pem)).size).toBe(1);
    expect((await loadAuthority(platform.database)).pem).toBe(authorities[0]!.pem);
  });

  test('it may sign certificates', async () => {
    const certificate = new X509Certificate((await loadAuthority(platform.database)).pem);
    expect([certificate.subject, certificate.ca, certificate.verify(certificate.publicKey)]).toEqual([
      'CN=terrarium',
      true,
      true,
    ]);
  });
});

describe('in the database of an earlier release', () => {
  const old = selfSignedCertificate('terrarium.example', NOW);
  let database: Awaited<ReturnType<typeof testDatabase>>;
  const migrate = async (from: string, until: string): Promise<void> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (const name of readdirSync(MIGRATIONS).sort())
      if (!name.includes('.') && name >= from && name < until)
        await client.query(readFileSync(`${MIGRATIONS}/${name}/migration.sql`, 'utf8'));
    if (from === '')
      await client.query('insert into platform.certificate (host, certificate, private_key) values ($1, $2, $3)', [
        'terrarium.example',
        old.certificate,
        old.privateKey,
      ]);
    await client.end();
  };
  beforeAll(async () => {
    database = await testDatabase();
    await migrate('', '20261122094000');
    await migrate('20261122094000', '9');
  }, 60_000);
  afterAll(() => database.drop());

  test('the key of the self-signed certificate becomes the authority’s, so that old kubeconfigs stay good', async () => {
    const prisma = openDatabase(database.url);
    const authority = await loadAuthority(prisma);
    await prisma.$disconnect();
    const oldAuthority = new X509Certificate(old.certificate);
    expect(new X509Certificate(authority.pem).checkPrivateKey(createPrivateKey(old.privateKey))).toBe(true);
    const { certificate } = issueServerCertificate(authority, ['terrarium.example'], NOW);
    expect(new X509Certificate(certificate).checkIssued(oldAuthority)).toBe(true);
    expect(new X509Certificate(certificate).verify(oldAuthority.publicKey)).toBe(true);
  });
});
