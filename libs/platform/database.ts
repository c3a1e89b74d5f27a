import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

const CONNECTIONS = 5;

export { PrismaClient };

/** Prisma over node-postgres, for the platform's own nouns: nothing on the hot path goes through it. */
export const openDatabase = (connectionString: string): PrismaClient =>
  new PrismaClient({ adapter: new PrismaPg({ connectionString, max: CONNECTIONS, connectionTimeoutMillis: 5_000 }) });
