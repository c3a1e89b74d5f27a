import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { testDatabase } from '../testkit/postgres.js';
import { openDatabase, type PrismaClient } from './database.js';
import { Identity } from './identity/identity.js';
import type { KeyPrincipal } from './identity/principal.js';

const MIGRATIONS = path.resolve('prisma/migrations');

/** An empty database with the platform's tables. */
export async function platformDatabase(): Promise<{ url: string; database: PrismaClient; close(): Promise<void> }> {
  const { url, drop } = await testDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const name of readdirSync(MIGRATIONS).sort())
    if (!name.includes('.')) await client.query(readFileSync(path.join(MIGRATIONS, name, 'migration.sql'), 'utf8'));
  await client.end();
  const database = openDatabase(url);
  const close = async (): Promise<void> => {
    await database.$disconnect();
    await drop();
  };
  return { url, database, close };
}

/** The holder of a key. Throws when the key is not valid. */
export async function identifyKey(database: PrismaClient, key: string): Promise<KeyPrincipal> {
  const principal = await new Identity(database).identify(`Bearer ${key}`);
  if (principal?.kind !== 'key') throw new Error('the key is not valid');
  return principal;
}
