import { z } from 'zod';

const Environment = z.object({
  DATABASE_URL: z.string().min(1),
  REDIS_URL: z.string().min(1).optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: z.string().url().optional(),
  /**
   * Header in which a proxy that ends TLS passes on the client's certificate (PEM, URL-encoded); the proxy must never
   * let a client's own through.
   */
  CLIENT_CERTIFICATE_HEADER: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]+$/)
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Webhooks may name URLs: of public addresses, or of any, the service's own network included. */
  WEBHOOK_URLS: z.enum(['off', 'public', 'any']).default('off'),
  /** How many clusters one worker advances at a time. */
  CONCURRENCY: z.coerce.number().int().min(1).max(256).default(16),
});

/** The settings of a process, from its environment. */
export interface Settings {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  readonly port: number;
  readonly host: string;
  /** How clients reach the API, without a slash at the end. */
  readonly publicUrl: string;
  /** Lower case. */
  readonly clientCertificateHeader?: string;
  readonly webhookUrls?: 'public' | 'any';
  readonly logLevel: string;
  readonly concurrency: number;
}

/** Throws an Error that names every variable that is missing or wrong. */
export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const result = Environment.safeParse(env);
  if (!result.success) throw new Error(result.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '));
  const e = result.data;
  return {
    databaseUrl: e.DATABASE_URL,
    redisUrl: e.REDIS_URL,
    port: e.PORT,
    host: e.HOST,
    publicUrl: (e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, ''),
    clientCertificateHeader: e.CLIENT_CERTIFICATE_HEADER,
    webhookUrls: e.WEBHOOK_URLS === 'off' ? undefined : e.WEBHOOK_URLS,
    logLevel: e.LOG_LEVEL,
    concurrency: e.CONCURRENCY,
  };
}
