import { getHeapStatistics } from 'node:v8';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { durationSchema } from './duration.js';

/** Wildcards below a single label are refused by clients. */
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;

/** HMAC-SHA-256 gains nothing from more; with fewer, a secret could be guessed from what it has signed. */
const MIN_SECRET_CHARACTERS = 32;
const secret = z.string().min(MIN_SECRET_CHARACTERS, `must be of ${MIN_SECRET_CHARACTERS} characters at least`);

const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text);

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const PROXY_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);
const PROXY_HINT = 'must be addresses or networks such as 10.0.0.0/8';
const isProxy = (text: string): boolean => PROXY_NETWORKS.has(text) || ipaddr.isValid(text) || ipaddr.isValidCIDR(text);

const Environment = z.object({
  DATABASE_URL: z.string().min(1),
  REDIS_URL: z.string().min(1).optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: z.string().url().optional(),
  /** `<id>.<BASE_DOMAIN>` leads to a cluster: a wildcard in DNS must lead such names to the API. */
  BASE_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(DOMAIN, 'must be a domain of at least two labels, such as clusters.example.com')
    .optional(),
  /**
   * Header in which a proxy that ends TLS passes on the client's certificate (PEM, URL-encoded); the proxy must never
   * let a client's own through.
   */
  CLIENT_CERTIFICATE_HEADER: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]+$/)
    .optional(),
  /** Proxies whose X-Forwarded-For is believed, by commas: addresses, networks, 'loopback', 'uniquelocal'. */
  TRUSTED_PROXIES: z
    .string()
    .transform(splitList)
    .pipe(z.array(z.string().refine(isProxy, PROXY_HINT)))
    .optional(),
  /** Origins of the pages that may call the API from a browser, by commas: 'https://learn.example.com'; '*' for all. */
  CORS_ORIGINS: z
    .string()
    .transform(splitList)
    .pipe(z.array(z.string().refine(isOrigin, 'must be origins such as https://learn.example.com, or *')))
    .optional(),
  /** Origins of the pages that may show views of the console in a frame, by commas; '*' for all. */
  EMBED_ORIGINS: z
    .string()
    .transform(splitList)
    .pipe(z.array(z.string().refine(isOrigin, 'must be origins such as https://learn.example.com, or *')))
    .optional(),
  /** The operator's key, in place of the one that the first start prints. */
  OPERATOR_KEY: secret.refine((key) => !/^t[kc]_/.test(key), 'must not begin as a tenant’s key or token').optional(),
  /** Signs the tokens of clusters, in place of a secret in the database. */
  TOKEN_SECRET: secret.optional(),
  /** The one before, whose tokens are still valid while TOKEN_SECRET is being replaced. */
  TOKEN_SECRET_PREVIOUS: secret.optional(),
  /** How long the token of a kubeconfig file is valid: by default as long as kubeadm's certificate. */
  KUBECONFIG_TTL: durationSchema('1m', '365d').default(365 * 24 * 60 * 60_000),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Requests of which the log has a line: none, those that the service has failed to answer, or all. */
  LOG_REQUESTS: z.enum(['off', 'errors', 'all']).default('all'),
  /** Health, readiness and metrics are served here too; metrics then nowhere else. */
  OBSERVABILITY_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Base URL of an OpenTelemetry collector (OTLP over HTTP): traces are sent there. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().url().optional(),
  /** Share of the traces that begin here and are recorded, from 0 to 1; a client may ask for its own. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** Webhooks may name URLs: of public addresses, or of any, the service's own network included. */
  WEBHOOK_URLS: z.enum(['off', 'public', 'any']).default('off'),
  /** How many clusters one worker advances at a time; a tenant's are a quarter of them at most. */
  CONCURRENCY: z.coerce.number().int().min(1).max(256).default(64),
  /** MiB of the clusters that one process keeps loaded; by default half of what Node.js gives to its heap. */
  CLUSTER_MEMORY: z.coerce.number().int().min(64).max(65_536).optional(),
});

const MIB = 1024 * 1024;
const HEAP_SHARE = 1 / 2;
const halfOfHeap = (): number => Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE);

/** The settings of a process, from its environment. */
export interface Settings {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  readonly port: number;
  readonly host: string;
  /** How clients reach the API, without a slash at the end. */
  readonly publicUrl: string;
  /** Lower case. */
  readonly baseDomain?: string;
  /** Lower case. */
  readonly clientCertificateHeader?: string;
  readonly corsOrigins: readonly string[];
  readonly embedOrigins: readonly string[];
  /** None: a client's address is that of its connection. */
  readonly trustedProxies: readonly string[];
  readonly webhookUrls?: 'public' | 'any';
  readonly operatorKey?: string;
  readonly tokenSecret?: string;
  readonly tokenSecretPrevious?: string;
  readonly kubeconfigTtlMs: number;
  readonly logLevel: string;
  readonly logRequests: 'off' | 'errors' | 'all';
  readonly observabilityPort?: number;
  readonly otlpEndpoint?: string;
  readonly tracesRatio: number;
  readonly concurrency: number;
  readonly clusterBytes: number;
}

/** Throws an Error that names every variable that is missing or wrong. */
export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const result = Environment.safeParse(env);
  if (!result.success) throw new Error(result.error.issues.map((i) => `${String(i.path[0])}: ${i.message}`).join('; '));
  const e = result.data;
  return {
    databaseUrl: e.DATABASE_URL,
    redisUrl: e.REDIS_URL,
    port: e.PORT,
    host: e.HOST,
    // oxlint-disable-next-line regexp/no-super-linear-move -- the operator's own text
    publicUrl: (e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, ''),
    baseDomain: e.BASE_DOMAIN,
    clientCertificateHeader: e.CLIENT_CERTIFICATE_HEADER,
    corsOrigins: e.CORS_ORIGINS ?? [],
    embedOrigins: e.EMBED_ORIGINS ?? [],
    trustedProxies: e.TRUSTED_PROXIES ?? [],
    webhookUrls: e.WEBHOOK_URLS === 'off' ? undefined : e.WEBHOOK_URLS,
    operatorKey: e.OPERATOR_KEY,
    tokenSecret: e.TOKEN_SECRET,
    tokenSecretPrevious: e.TOKEN_SECRET_PREVIOUS,
    kubeconfigTtlMs: e.KUBECONFIG_TTL,
    logLevel: e.LOG_LEVEL,
    logRequests: e.LOG_REQUESTS,
    observabilityPort: e.OBSERVABILITY_PORT,
    otlpEndpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT,
    tracesRatio: e.OTEL_TRACES_SAMPLER_ARG,
    concurrency: e.CONCURRENCY,
    clusterBytes: e.CLUSTER_MEMORY === undefined ? halfOfHeap() : e.CLUSTER_MEMORY * MIB,
  };
}
