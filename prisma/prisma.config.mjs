import path from 'node:path';

/** Every prisma command runs through this file: `node scripts/prisma.mjs migrate dev`. */
export default {
  schema: path.join(import.meta.dirname, 'schema.prisma'),
  migrations: { path: path.join(import.meta.dirname, 'migrations') },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://localhost:5432/terrarium' },
};
