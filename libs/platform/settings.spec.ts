import { expect, test } from '@jest/globals';
import { readSettings } from './settings.js';

const DATABASE_URL = 'postgres://localhost/terrarium';

test('by default the embedded Postgres is enough', () => {
  expect(readSettings({ DATABASE_URL })).toEqual({
    databaseUrl: DATABASE_URL,
    redisUrl: undefined,
    port: 8080,
    host: '0.0.0.0',
    publicUrl: 'http://localhost:8080',
    clientCertificateHeader: undefined,
    webhookUrls: undefined,
    logLevel: 'info',
    concurrency: 16,
  });
});

test.each<[string, string, object]>([
  ['REDIS_URL', 'redis://localhost', { redisUrl: 'redis://localhost' }],
  ['PORT', '9000', { port: 9000, publicUrl: 'http://localhost:9000' }],
  ['PUBLIC_URL', 'https://terrarium.example//', { publicUrl: 'https://terrarium.example' }],
  ['CLIENT_CERTIFICATE_HEADER', 'X-Client-Cert', { clientCertificateHeader: 'x-client-cert' }],
  ['WEBHOOK_URLS', 'off', { webhookUrls: undefined }],
  ['WEBHOOK_URLS', 'public', { webhookUrls: 'public' }],
  ['CONCURRENCY', '4', { concurrency: 4 }],
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
  ['LOG_LEVEL', 'loud'],
  ['WEBHOOK_URLS', 'some'],
  ['CONCURRENCY', '0'],
])('%s=%j is refused by name', (name, value) => {
  expect(() => readSettings({ DATABASE_URL, [name]: value })).toThrow(`${name}: `);
});

test('every variable that is wrong is named', () => {
  expect(() => readSettings({ PORT: '-1' })).toThrow(/DATABASE_URL: .*; PORT: /);
});
