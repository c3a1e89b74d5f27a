import { getHeapStatistics } from 'node:v8';
import { expect, test } from '@jest/globals';
import { readSettings } from './settings.js';

const DATABASE_URL = 'postgres://localhost/terrarium';
const SECRET = 'a secret of exactly 32 letters..';

test('by default the embedded Postgres is enough', () => {
  expect(readSettings({ DATABASE_URL })).toEqual({
    databaseUrl: DATABASE_URL,
    redisUrl: undefined,
    port: 8080,
    host: '0.0.0.0',
    publicUrl: 'http://localhost:8080',
    clientCertificateHeader: undefined,
    corsOrigins: [],
    embedOrigins: [],
    trustedProxies: [],
    webhookUrls: undefined,
    operatorKey: undefined,
    tokenSecret: undefined,
    tokenSecretPrevious: undefined,
    kubeconfigTtlMs: 365 * 24 * 60 * 60_000,
    logLevel: 'info',
    logRequests: 'all',
    observabilityPort: undefined,
    otlpEndpoint: undefined,
    tracesRatio: 1,
    concurrency: 64,
    clusterBytes: Math.floor(getHeapStatistics().heap_size_limit / 2),
  });
});

test.each<[string, string, object]>([
  ['REDIS_URL', 'redis://localhost', { redisUrl: 'redis://localhost' }],
  ['LOG_REQUESTS', 'errors', { logRequests: 'errors' }],
  ['OBSERVABILITY_PORT', '9090', { observabilityPort: 9090 }],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318', { otlpEndpoint: 'http://collector:4318' }],
  ['OTEL_TRACES_SAMPLER_ARG', '0.1', { tracesRatio: 0.1 }],
  ['PORT', '9000', { port: 9000, publicUrl: 'http://localhost:9000' }],
  ['PUBLIC_URL', 'https://terrarium.example//', { publicUrl: 'https://terrarium.example' }],
  ['CLIENT_CERTIFICATE_HEADER', 'X-Client-Cert', { clientCertificateHeader: 'x-client-cert' }],
  [
    'CORS_ORIGINS',
    'https://a.example, http://localhost:3000',
    { corsOrigins: ['https://a.example', 'http://localhost:3000'] },
  ],
  ['CORS_ORIGINS', '*', { corsOrigins: ['*'] }],
  ['TRUSTED_PROXIES', 'loopback, 10.0.0.0/8', { trustedProxies: ['loopback', '10.0.0.0/8'] }],
  ['CORS_ORIGINS', '', { corsOrigins: [] }],
  ['WEBHOOK_URLS', 'off', { webhookUrls: undefined }],
  ['WEBHOOK_URLS', 'public', { webhookUrls: 'public' }],
  ['CONCURRENCY', '4', { concurrency: 4 }],
  ['CLUSTER_MEMORY', '512', { clusterBytes: 512 * 1024 * 1024 }],
  ['OPERATOR_KEY', SECRET, { operatorKey: SECRET }],
  ['TOKEN_SECRET', SECRET, { tokenSecret: SECRET }],
  ['TOKEN_SECRET_PREVIOUS', SECRET, { tokenSecretPrevious: SECRET }],
  ['KUBECONFIG_TTL', '30d', { kubeconfigTtlMs: 30 * 24 * 60 * 60_000 }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
])('%s=%s', (name, value, expected) => {
  expect(readSettings({ DATABASE_URL, [name]: value })).toMatchObject(expected);
});

test.each([
  ['DATABASE_URL', ''],
  ['PORT', '65536'],
  ['PORT', 'http'],
  ['PUBLIC_URL', 'terrarium'],
  ['CLIENT_CERTIFICATE_HEADER', 'x client'],
  ['CORS_ORIGINS', 'https://a.example/path'],
  ['CORS_ORIGINS', 'a.example'],
  ['LOG_LEVEL', 'loud'],
  ['WEBHOOK_URLS', 'some'],
  ['CONCURRENCY', '0'],
  ['CLUSTER_MEMORY', '1'],
  ['OPERATOR_KEY', SECRET.slice(1)],
  ['OPERATOR_KEY', `tk_${SECRET}`],
  ['OPERATOR_KEY', `tc_${SECRET}`],
  ['TOKEN_SECRET', SECRET.slice(1)],
  ['TOKEN_SECRET_PREVIOUS', ''],
  ['KUBECONFIG_TTL', '366d'],
  ['KUBECONFIG_TTL', 'a year'],
])('%s=%j is refused by name', (name, value) => {
  expect(() => readSettings({ DATABASE_URL, [name]: value })).toThrow(`${name}: `);
});

test('every variable that is wrong is named', () => {
  expect(() => readSettings({ PORT: '-1' })).toThrow(/DATABASE_URL: .*; PORT: /);
});
