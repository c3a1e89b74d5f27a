import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { utc } from '../../../programs/server.js';
import { json, routes, text } from './answers.js';
import { elasticsearchConfig } from './config/index.js';
import type { Row } from './row.js';

const elasticsearch = (request: PodHttpRequest, { pod }: Start): PodHttpAnswer =>
  routes({
    '/': json({
      name: pod.name,
      cluster_name: 'docker-cluster',
      cluster_uuid: '4yJ7gCpUQ0mRJ0kQ0pXkXA',
      version: { number: '8.15.0', build_flavor: 'default', build_type: 'docker', lucene_version: '9.11.1' },
      tagline: 'You Know, for Search',
    }),
    '/_cluster/health': json({
      cluster_name: 'docker-cluster',
      status: 'green',
      timed_out: false,
      number_of_nodes: 1,
      number_of_data_nodes: 1,
      active_primary_shards: 0,
      active_shards: 0,
    }),
    '/_cat/health': text('1763000000 00:00:00 docker-cluster green 1 1 0 0 0 0 0 0 - 100.0%\n'),
    '': json({ error: { type: 'index_not_found_exception', reason: 'no such index' }, status: 404 }, 404),
  })(request);

/** Logs. */
export const logs: readonly Row[] = [
  [
    'fluent/fluentd fluentd quay.io/fluentd_elasticsearch/fluentd fluent/fluentd-kubernetes-daemonset registry.k8s.io/fluentd-elasticsearch k8s.gcr.io/fluentd-elasticsearch registry.k8s.io/fluentd-gcp',
    'debian',
    'tini -- /bin/entrypoint.sh fluentd',
    [24224, 5140],
    {
      readyAfterMs: 2_500,
      log: ({ at }) => [
        `${utc(at).rfc} +0000 [info]: init supervisor logger path=nil rotate_age=nil rotate_size=nil`,
        `${utc(at).rfc} +0000 [info]: parsing config file is succeeded path="/fluentd/etc/fluent.conf"`,
        `${utc(at).rfc} +0000 [info]: #0 fluentd worker is now running worker=0`,
      ],
    },
  ],
  [
    'fluent/fluent-bit cr.fluentbit.io/fluent/fluent-bit',
    'distroless',
    '/fluent-bit/bin/fluent-bit -c /fluent-bit/etc/fluent-bit.conf',
    [2020],
    {
      serve: routes({
        '/': json({ 'fluent-bit': { version: '4.0.5', edition: 'Community' } }),
        '/api/v1/health': text('ok\n'),
        '/api/v1/uptime': json({
          uptime_sec: 1,
          uptime_hr: 'Fluent Bit has been running:  0 day, 0 hour, 0 minute and 1 second',
        }),
      }),
      log: ({ at }) => [
        'Fluent Bit v4.0.5',
        '* Copyright (C) 2015-2025 The Fluent Bit Authors',
        '',
        `[${utc(at).slashed}] [ info] [fluent bit] version=4.0.5, commit=, pid=1`,
        `[${utc(at).slashed}] [ info] [sp] stream processor started`,
      ],
    },
  ],
  [
    'docker.elastic.co/beats/filebeat elastic/filebeat docker.elastic.co/beats/metricbeat',
    'debian',
    '/usr/bin/tini -- /usr/local/bin/docker-entrypoint -environment container',
    [],
    {
      readyAfterMs: 1_500,
      log: ({ at }) => [
        `{"log.level":"info","@timestamp":"${utc(at).iso}","message":"filebeat start running.","service.name":"filebeat","ecs.version":"1.6.0"}`,
      ],
    },
  ],
  [
    'elasticsearch docker.elastic.co/elasticsearch/elasticsearch opensearchproject/opensearch registry.k8s.io/elasticsearch',
    'debian-curl',
    '/bin/tini -- /usr/local/bin/docker-entrypoint.sh eswrapper',
    [9200, 9300],
    {
      ...elasticsearchConfig,
      serve: elasticsearch,
      ports: [9200, 9300],
      readyAfterMs: 9_000,
      log: ({ at }) => [
        `{"@timestamp":"${utc(at).iso}", "log.level": "INFO", "message":"started {}", "ecs.version": "1.2.0"}`,
      ],
    },
  ],
  [
    'kibana docker.elastic.co/kibana/kibana',
    'debian-curl',
    '/bin/tini -- /usr/local/bin/kibana-docker',
    [5601],
    {
      serve: routes({
        '/api/status': json({ status: { overall: { level: 'available' } } }),
        '': { status: 302, headers: { location: '/app/home' }, body: '' },
      }),
      readyAfterMs: 12_000,
    },
  ],
  [
    'logstash docker.elastic.co/logstash/logstash',
    'debian-curl',
    '/usr/local/bin/docker-entrypoint',
    [5044, 9600],
    { readyAfterMs: 15_000 },
  ],
  ['timberio/vector', 'debian', '/usr/bin/vector', [8686], {}],
];
