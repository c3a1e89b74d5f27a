import { utc } from '../../../programs/server.js';
import { html, json, routes } from './answers.js';
import { lines } from './lines.js';
import type { Row } from './row.js';

/** Stores and brokers. */
export const stores: readonly Row[] = [
  [
    'consul hashicorp/consul',
    'alpine',
    'docker-entrypoint.sh agent -dev -client 0.0.0.0',
    [8300, 8500, 8600],
    {
      ports: [8500],
      serve: routes({
        '/v1/status/leader': json('127.0.0.1:8300'),
        '/v1/catalog/services': json({ consul: [] }),
        '/ui/': html('<!DOCTYPE html><html><head><title>Consul by HashiCorp</title></head></html>'),
      }),
      log: lines('==> Starting Consul agent...', '==> Consul agent running!'),
    },
  ],
  [
    'minio/minio quay.io/minio/minio bitnami/minio',
    'debian-curl',
    '/usr/bin/docker-entrypoint.sh minio server /data',
    [9000, 9001],
    {
      ports: [9000, 9001],
      serve: routes({
        '/minio/health/live': { status: 200 },
        '/minio/health/ready': { status: 200 },
        '': {
          status: 403,
          headers: { 'content-type': 'application/xml', server: 'MinIO' },
          body: '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>',
        },
      }),
      log: ({ pod }) => [
        'MinIO Object Storage Server',
        'Copyright: 2015-2025 MinIO, Inc.',
        '',
        `API: http://${pod.ip}:9000  http://127.0.0.1:9000`,
        `WebUI: http://${pod.ip}:9001 http://127.0.0.1:9001`,
      ],
    },
  ],
  [
    'quay.io/strimzi/kafka wurstmeister/kafka',
    'debian',
    '/__cacert_entrypoint.sh /etc/kafka/docker/run',
    [9092],
    {
      ports: [9092],
      readyAfterMs: 6_000,
      log: ({ at }) => [
        `[${utc(at).rfc},000] INFO [KafkaRaftServer nodeId=1] Kafka Server started (kafka.server.KafkaRaftServer)`,
      ],
    },
  ],
  [
    'bitnami/zookeeper confluentinc/cp-zookeeper wurstmeister/zookeeper',
    'debian',
    '/docker-entrypoint.sh zkServer.sh start-foreground',
    [2181, 2888, 3888, 8080],
    {
      ports: [2181],
      readyAfterMs: 2_500,
      log: ({ at }) => [
        `${utc(at).rfc},000 [myid:1] - INFO  [main:o.a.z.s.NIOServerCnxnFactory@660] - binding to port 0.0.0.0/0.0.0.0:2181`,
      ],
    },
  ],
  [
    'nats bitnami/nats',
    'scratch',
    '/nats-server --config nats-server.conf',
    [4222, 8222, 6222],
    {
      ports: [4222, 8222],
      serve: routes({ '/healthz': json({ status: 'ok' }), '/varz': json({ server_id: 'N', version: '2.11.6' }) }),
      log: ({ at }) => [
        `[1] ${utc(at).slashed}.000000 [INF] Starting nats-server`,
        `[1] ${utc(at).slashed}.000000 [INF] Server is ready`,
      ],
    },
  ],
  [
    'influxdb',
    'debian',
    '/entrypoint.sh influxd',
    [8086],
    {
      serve: routes({
        '/health': json({ name: 'influxdb', message: 'ready for queries and writes', status: 'pass' }),
        '/ping': { status: 204 },
      }),
      readyAfterMs: 1_500,
    },
  ],
  [
    'couchdb neo4j arangodb clickhouse/clickhouse-server cockroachdb/cockroach rethinkdb',
    'debian',
    'docker-entrypoint.sh',
    [5984],
    { readyAfterMs: 5_000 },
  ],
];
