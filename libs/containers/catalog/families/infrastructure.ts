import type { Image, PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { utc, type Server } from '../../programs/server.js';
import { summaryImage, type FamilyBase } from './family.js';

const text = (body: string, status = 200): PodHttpAnswer => ({
  ...{ status, body },
  headers: { 'content-type': 'text/plain; charset=utf-8' },
});
const html = (body: string, status = 200): PodHttpAnswer => ({
  ...text(body, status),
  headers: { 'content-type': 'text/html; charset=utf-8' },
});
const json = (value: unknown, status = 200): PodHttpAnswer => ({
  ...text(JSON.stringify(value), status),
  headers: { 'content-type': 'application/json' },
});
const routeOf = ({ path }: PodHttpRequest): string => path.split('?', 1)[0]!;

/** Answers by their paths; '' stands for every other one. */
const routes =
  (answers: Readonly<Record<string, PodHttpAnswer>>) =>
  (request: PodHttpRequest): PodHttpAnswer =>
    answers[routeOf(request)] ?? answers[''] ?? text('404 page not found\n', 404);

const goMetrics = (version: string): PodHttpAnswer =>
  text(
    `# HELP go_info Information about the Go environment.\n# TYPE go_info gauge\ngo_info{version="${version}"} 1\n# HELP process_open_fds Number of open file descriptors.\n# TYPE process_open_fds gauge\nprocess_open_fds 9\n# HELP up Whether it is up.\n# TYPE up gauge\nup 1\n`,
  );
const GO = 'go1.24.5';
const EXPORTER = routes({
  '/metrics': goMetrics(GO),
  '/': html(
    '<html>\n<head><title>Exporter</title></head>\n<body>\n<h1>Exporter</h1>\n<p><a href="/metrics">Metrics</a></p>\n</body>\n</html>\n',
  ),
  '/healthz': text('ok'),
  '/-/healthy': text('OK'),
});
const HEALTH = routes({
  '/healthz': text('ok'),
  '/readyz': text('ok'),
  '/livez': text('ok'),
  '/metrics': goMetrics(GO),
});

const prometheus = routes({
  '/-/healthy': text('Prometheus Server is Healthy.\n'),
  '/-/ready': text('Prometheus Server is Ready.\n'),
  '/metrics': goMetrics(GO),
  '/': {
    status: 302,
    headers: { location: '/query', 'content-type': 'text/html; charset=utf-8' },
    body: '<a href="/query">Found</a>.\n\n',
  },
  '/query': html(
    '<!doctype html>\n<html lang="en">\n<head><title>Prometheus Time Series Collection and Processing Server</title></head>\n<body><div id="root"></div></body>\n</html>\n',
  ),
  '/api/v1/query': json({ status: 'success', data: { resultType: 'vector', result: [] } }),
  '/api/v1/targets': json({
    status: 'success',
    data: { activeTargets: [], droppedTargets: [], droppedTargetCounts: {} },
  }),
});
const grafana = routes({
  '/api/health': json({ database: 'ok', version: '12.1.0', commit: '1f1e2c6a31' }),
  '/': {
    status: 302,
    headers: { location: '/login', 'content-type': 'text/html; charset=utf-8' },
    body: '<a href="/login">Found</a>.\n\n',
  },
  '/login': html(
    '<!DOCTYPE html>\n<html lang="en-US">\n<head><title>Grafana</title></head>\n<body><div id="reactRoot"></div></body>\n</html>\n',
  ),
  '/metrics': goMetrics(GO),
});
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

const level =
  (caller: string, ...messages: readonly string[]) =>
  ({ at }: Start): readonly string[] =>
    messages.map((message) => `ts=${utc(at).iso} level=info caller=${caller} msg="${message}"`);
const slog =
  (source: string, ...messages: readonly string[]) =>
  ({ at }: Start): readonly string[] =>
    messages.map((message) => `time=${utc(at).iso} level=INFO source=${source} msg="${message}"`);
const klog =
  (...messages: readonly string[]) =>
  ({ at }: Start): readonly string[] =>
    messages.map((message) => {
      const { iso } = utc(at);
      return `I${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000       1 ${message}`;
    });
const lines =
  (...messages: readonly string[]) =>
  (): readonly string[] =>
    messages;

const argument = ({ argv }: Start, name: string): string | undefined =>
  argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const portOf = (address: string | undefined, otherwise: number): number =>
  Number(address?.split(':').at(-1) ?? otherwise) || otherwise;

/** Names, the base of the files, the command, the exposed ports, and how it behaves. */
type Row = readonly [names: string, base: FamilyBase, command: string, ports: readonly number[], server?: Server];

const ROWS: readonly Row[] = [
  // Watching
  [
    'prom/prometheus quay.io/prometheus/prometheus',
    'alpine',
    '/bin/prometheus --config.file=/etc/prometheus/prometheus.yml --storage.tsdb.path=/prometheus',
    [9090],
    { serve: prometheus, readyAfterMs: 1_500, log: slog('main.go:1396', 'Server is ready to receive web requests.') },
  ],
  [
    'grafana/grafana grafana/grafana-oss',
    'alpine',
    '/run.sh',
    [3000],
    {
      serve: grafana,
      readyAfterMs: 4_000,
      log: ({ at }) => [
        `logger=http.server t=${utc(at).iso} level=info msg="HTTP Server Listen" address=[::]:3000 protocol=http subUrl= socket=`,
      ],
    },
  ],
  [
    'grafana/loki',
    'alpine',
    '/usr/bin/loki -config.file=/etc/loki/local-config.yaml',
    [3100],
    {
      serve: routes({
        '/ready': text('ready\n'),
        '/metrics': goMetrics(GO),
        '/loki/api/v1/labels': json({ status: 'success' }),
      }),
      readyAfterMs: 2_000,
      log: level('loki.go:505', 'Loki started'),
    },
  ],
  [
    'grafana/promtail grafana/alloy grafana/tempo grafana/agent',
    'debian',
    '/usr/bin/promtail -config.file=/etc/promtail/config.yml',
    [80],
    { serve: HEALTH, log: level('promtail.go:133', 'Starting Promtail') },
  ],
  [
    'prom/node-exporter quay.io/prometheus/node-exporter',
    'alpine',
    '/bin/node_exporter',
    [9100],
    {
      portsOf: (start) => [portOf(argument(start, 'web.listen-address'), 9_100)],
      serve: EXPORTER,
      log: slog('node_exporter.go:216', 'Starting node_exporter', 'Listening on'),
    },
  ],
  [
    'prom/alertmanager quay.io/prometheus/alertmanager',
    'alpine',
    '/bin/alertmanager --config.file=/etc/alertmanager/alertmanager.yml --storage.path=/alertmanager',
    [9093],
    {
      serve: routes({
        '/-/healthy': text('OK'),
        '/-/ready': text('OK'),
        '/metrics': goMetrics(GO),
        '/api/v2/alerts': json([]),
        '/': html('<!DOCTYPE html>\n<html><head><title>Alertmanager</title></head></html>\n'),
      }),
      log: slog('main.go:191', 'Starting Alertmanager'),
    },
  ],
  [
    'prom/pushgateway quay.io/prometheus/pushgateway',
    'alpine',
    '/bin/pushgateway',
    [9091],
    { serve: EXPORTER, log: slog('main.go:76', 'starting pushgateway') },
  ],
  [
    'prom/blackbox-exporter quay.io/prometheus/blackbox-exporter',
    'alpine',
    '/bin/blackbox_exporter --config.file=/etc/blackbox_exporter/config.yml',
    [9115],
    { serve: EXPORTER, log: slog('main.go:91', 'Starting blackbox_exporter') },
  ],
  [
    'prom/statsd-exporter prom/mysqld-exporter quay.io/prometheuscommunity/postgres-exporter oliver006/redis_exporter nginx/nginx-prometheus-exporter',
    'alpine',
    '/bin/exporter',
    [9102],
    { serve: EXPORTER, log: level('main.go:54', 'Listening on address') },
  ],
  [
    'registry.k8s.io/kube-state-metrics/kube-state-metrics',
    'distroless',
    '/kube-state-metrics --port=8080 --telemetry-port=8081',
    [8080, 8081],
    {
      ports: [8080, 8081],
      serve: EXPORTER,
      log: klog(
        'wrapper.go:120] "Starting kube-state-metrics"',
        'server.go:352] "Started metrics server" metricsServerAddress="[::]:8080"',
        'server.go:341] "Started kube-state-metrics self metrics server" telemetryAddress="[::]:8081"',
      ),
    },
  ],
  [
    'registry.k8s.io/metrics-server/metrics-server k8s.gcr.io/metrics-server/metrics-server',
    'distroless',
    '/metrics-server',
    [10250],
    {
      portsOf: (start) => [portOf(argument(start, 'secure-port'), 10_250)],
      serve: HEALTH,
      readyAfterMs: 2_500,
      log: klog(
        'serving.go:374] Generated self-signed cert (/tmp/apiserver.crt, /tmp/apiserver.key)',
        'secure_serving.go:213] Serving securely on [::]:10250',
      ),
    },
  ],
  [
    'quay.io/prometheus-operator/prometheus-config-reloader ghcr.io/jimmidyson/configmap-reload jimmidyson/configmap-reload quay.io/kiwigrid/k8s-sidecar kiwigrid/k8s-sidecar',
    'distroless',
    '/bin/reloader',
    [8080],
    { serve: HEALTH },
  ],
  [
    'quay.io/brancz/kube-rbac-proxy gcr.io/kubebuilder/kube-rbac-proxy',
    'distroless',
    '/usr/local/bin/kube-rbac-proxy',
    [8443],
    {
      portsOf: (start) => [portOf(argument(start, 'secure-listen-address'), 8_443)],
      log: klog(
        'kube-rbac-proxy.go:403] Starting TCP socket on 0.0.0.0:8443',
        'kube-rbac-proxy.go:410] Listening securely on 0.0.0.0:8443',
      ),
    },
  ],
  [
    'gcr.io/cadvisor/cadvisor',
    'alpine',
    '/usr/bin/cadvisor -logtostderr',
    [8080],
    {
      serve: routes({
        '/healthz': text('ok'),
        '/metrics': goMetrics(GO),
        '': html('<html><head><title>cAdvisor</title></head></html>\n'),
      }),
      log: klog('cadvisor.go:172] Starting cAdvisor version: v0.49.1 on port 8080'),
    },
  ],
  [
    'thanosio/thanos quay.io/thanos/thanos victoriametrics/victoria-metrics',
    'alpine',
    '/bin/thanos',
    [10902],
    { serve: HEALTH, log: level('main.go:77', 'listening for requests and metrics') },
  ],
  [
    'jaegertracing/all-in-one jaegertracing/jaeger',
    'distroless',
    '/go/bin/all-in-one-linux',
    [16686, 14268, 4317, 4318],
    {
      serve: routes({
        '/': html('<!doctype html>\n<html lang="en"><head><title>Jaeger UI</title></head></html>\n'),
        '/api/services': json({ data: null, total: 0, limit: 0, offset: 0, errors: null }),
      }),
      log: ({ at }) => [
        `{"level":"info","ts":${at / 1_000},"caller":"server/server.go","msg":"Starting HTTP server","port":"16686"}`,
      ],
    },
  ],
  [
    'otel/opentelemetry-collector otel/opentelemetry-collector-contrib',
    'scratch',
    '/otelcol --config /etc/otelcol/config.yaml',
    [4317, 4318],
    {
      serve: HEALTH,
      log: ({ at }) => [
        `${utc(at).iso}\tinfo\tservice@v0.130.0/service.go:266\tEverything is ready. Begin running and processing data.`,
      ],
    },
  ],
  [
    'openzipkin/zipkin',
    'alpine',
    'start-zipkin',
    [9411],
    {
      serve: routes({ '/health': json({ status: 'UP' }), '': html('<html><head><title>Zipkin</title></head></html>') }),
      readyAfterMs: 5_000,
    },
  ],

  // Logs
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

  // Proxies
  [
    'haproxy haproxytech/haproxy-alpine',
    'debian',
    'docker-entrypoint.sh haproxy -f /usr/local/etc/haproxy/haproxy.cfg',
    [],
    {
      log: lines('[NOTICE]   (1) : New worker (8) forked', '[NOTICE]   (1) : Loading success.'),
      serve: () =>
        html(
          '<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n',
          503,
        ),
    },
  ],
  [
    'traefik',
    'alpine',
    '/entrypoint.sh traefik',
    [80],
    {
      ports: [80],
      serve: routes({ '/ping': text('OK') }),
      log: ({ at }) => [`${utc(at).iso} INF Traefik version 3.5.0 built on 2025-07-23T14:46:41Z version=3.5.0`],
    },
  ],
  [
    'envoyproxy/envoy',
    'debian',
    '/docker-entrypoint.sh envoy -c /etc/envoy/envoy.yaml',
    [10000],
    {
      serve: routes({
        '/ready': text('LIVE\n'),
        '/server_info': json({ state: 'LIVE' }),
        '/stats': text('server.live: 1\n'),
      }),
      readyAfterMs: 1_200,
      log: ({ at }) => [
        `[${utc(at).rfc}.000][1][info][main] [source/server/server.cc:1059] starting main dispatch loop`,
      ],
    },
  ],
  [
    'caddy',
    'alpine',
    'caddy run --config /etc/caddy/Caddyfile --adapter caddyfile',
    [80, 443, 2019],
    {
      ports: [80],
      serve: routes({
        '/': {
          status: 200,
          headers: { server: 'Caddy', 'content-type': 'text/html; charset=utf-8' },
          body: '<!DOCTYPE html>\n<html>\n<head>\n\t<title>Caddy works!</title>\n</head>\n<body>\n</body>\n</html>\n',
        },
        '': { status: 404, headers: { server: 'Caddy' }, body: '' },
      }),
      log: ({ at }) => [`{"level":"info","ts":${at / 1_000},"msg":"serving initial configuration"}`],
    },
  ],
  [
    'kong kong/kong-gateway',
    'debian',
    '/docker-entrypoint.sh kong docker-start',
    [8000, 8443, 8001, 8444],
    {
      ports: [8000, 8001],
      serve: (request) =>
        request.port === 8001
          ? json({ version: '3.9.0', tagline: 'Welcome to kong' })
          : json({ message: 'no Route matched with those values' }, 404),
      readyAfterMs: 4_000,
    },
  ],
  ['varnish', 'debian', '/usr/local/bin/docker-varnish-entrypoint', [80, 8443], { ports: [80] }],
  [
    'quay.io/oauth2-proxy/oauth2-proxy ghcr.io/dexidp/dex quay.io/dexidp/dex dexidp/dex',
    'alpine',
    '/usr/local/bin/docker-entrypoint',
    [5556],
    {
      serve: routes({
        '/healthz': text('Health check passed'),
        '/dex/.well-known/openid-configuration': json({ issuer: 'https://dex/dex' }),
        '/metrics': goMetrics(GO),
      }),
      log: ({ at }) => [`time=${utc(at).iso} level=INFO msg="listening on" server=http address=0.0.0.0:5556`],
    },
  ],

  // Stores and brokers
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
    'apache/kafka confluentinc/cp-kafka bitnami/kafka quay.io/strimzi/kafka wurstmeister/kafka',
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
    'zookeeper bitnami/zookeeper confluentinc/cp-zookeeper registry.k8s.io/kubernetes-zookeeper wurstmeister/zookeeper',
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
    'cassandra gcr.io/google-samples/cassandra bitnami/cassandra',
    'debian',
    'docker-entrypoint.sh cassandra -f',
    [7000, 7001, 7199, 9042, 9160],
    {
      ports: [9042, 7000],
      readyAfterMs: 20_000,
      log: ({ at }) => [
        `INFO  [main] ${utc(at).rfc},000 StorageService.java:2785 - Node localhost/127.0.0.1:7000 state jump to NORMAL`,
        `INFO  [main] ${utc(at).rfc},000 CassandraDaemon.java:759 - Startup complete`,
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
  ['gcr.io/google-samples/xtrabackup', 'debian', 'sh', [], {}],

  // Applications with a page
  [
    'jenkins/jenkins jenkins',
    'debian-curl',
    '/usr/bin/tini -- /usr/local/bin/jenkins.sh',
    [8080, 50000],
    {
      ports: [8080, 50000],
      serve: routes({
        '/login': html('<!DOCTYPE html><html><head><title>Sign in [Jenkins]</title></head></html>'),
        '': html(
          "<html><head><meta http-equiv='refresh' content='1;url=/login?from=%2F'/></head><body>Authentication required</body></html>",
          403,
        ),
      }),
      readyAfterMs: 15_000,
      log: ({ at }) => [
        `${utc(at).rfc}.000+0000 [id=1]\tINFO\thudson.lifecycle.Lifecycle#onReady: Jenkins is fully up and running`,
      ],
    },
  ],
  [
    'tomcat bitnami/tomcat',
    'debian',
    'catalina.sh run',
    [8080],
    {
      ports: [8080],
      serve: () =>
        html(
          '<!doctype html><html lang="en"><head><title>HTTP Status 404 – Not Found</title></head><body><h1>HTTP Status 404 – Not Found</h1></body></html>',
          404,
        ),
      readyAfterMs: 1_500,
      log: ({ at }) => [
        `${utc(at).rfc} INFO [main] org.apache.catalina.startup.Catalina.start Server startup in [412] milliseconds`,
      ],
    },
  ],
  [
    'ghost',
    'debian',
    'docker-entrypoint.sh node current/index.js',
    [2368],
    {
      ports: [2368],
      serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Ghost</title></head><body></body></html>\n'),
      readyAfterMs: 4_000,
    },
  ],
  [
    'adminer phpmyadmin phpmyadmin/phpmyadmin dpage/pgadmin4 mongo-express',
    'debian',
    'entrypoint.sh',
    [8080],
    {
      serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Login</title></head><body></body></html>\n'),
      readyAfterMs: 1_500,
    },
  ],
  [
    'drupal joomla nextcloud mediawiki gitea/gitea gitlab/gitlab-ce sonarqube sonatype/nexus3 quay.io/keycloak/keycloak',
    'debian',
    'docker-entrypoint.sh',
    [80],
    {
      serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Welcome</title></head><body></body></html>\n'),
      readyAfterMs: 5_000,
    },
  ],
  [
    'kubernetesui/dashboard kubernetesui/metrics-scraper kubernetesui/dashboard-web kubernetesui/dashboard-api',
    'scratch',
    '/dashboard',
    [8443, 9090],
    {
      serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Kubernetes Dashboard</title></head></html>\n'),
      log: ({ at }) => [
        `${utc(at).slashed} Starting overwatch`,
        `${utc(at).slashed} Serving securely on HTTPS port: 8443`,
      ],
    },
  ],
  [
    'ghcr.io/headlamp-k8s/headlamp portainer/portainer-ce',
    'alpine',
    '/headlamp/headlamp-server',
    [4466],
    { serve: () => html('<!DOCTYPE html>\n<html lang="en"><head><title>Headlamp</title></head></html>\n') },
  ],
  [
    'ghcr.io/open-webui/open-webui ollama/ollama',
    'debian',
    '/bin/ollama serve',
    [11434],
    { serve: routes({ '/': text('Ollama is running'), '/api/tags': json({ models: [] }) }) },
  ],
  [
    'mcr.microsoft.com/azuredocs/azure-vote-front',
    'debian',
    '/entrypoint.sh',
    [80],
    {
      ports: [80],
      serve: () =>
        html(
          '<!DOCTYPE html>\n<html>\n<head>\n    <title>Azure Voting App</title>\n</head>\n<body>\n  <h1>Azure Voting App</h1>\n  <button name="vote" value="Cats">Cats</button>\n  <button name="vote" value="Dogs">Dogs</button>\n</body>\n</html>\n',
        ),
    },
  ],
  [
    'mcr.microsoft.com/azuredocs/aks-helloworld mcr.microsoft.com/azuredocs/aci-helloworld mcr.microsoft.com/dotnet/samples',
    'debian',
    '/entrypoint.sh',
    [80],
    {
      ports: [80],
      serve: () =>
        html(
          '<html>\n<head>\n  <title>Welcome to Azure Kubernetes Service (AKS)</title>\n</head>\n<body>\n  <h1>Welcome to Azure Kubernetes Service (AKS)</h1>\n</body>\n</html>\n',
        ),
    },
  ],

  // The cluster's own helpers
  [
    'rancher/mirrored-metrics-server rancher/klipper-lb rancher/local-path-provisioner rancher/mirrored-coredns-coredns rancher/klipper-helm rancher/rancher rancher/rancher-agent',
    'alpine',
    '/entry',
    [],
    { serve: HEALTH },
  ],
  [
    'calico/node docker.io/calico/kube-controllers calico/typha calico/csi calico/apiserver',
    'distroless',
    '/usr/bin/start_runit',
    [9099],
    {
      serve: routes({ '/liveness': { status: 204 }, '/readiness': { status: 204 } }),
      readyAfterMs: 2_000,
      log: ({ at }) => [`${utc(at).rfc}.000 [INFO][9] startup/startup.go 427: Early log level set to info`],
    },
  ],
  [
    'flannel/flannel docker.io/rancher/mirrored-flannelcni-flannel',
    'alpine',
    '/opt/bin/flanneld --ip-masq --kube-subnet-mgr',
    [],
    { log: klog('main.go:211] CLI flags config: {ipMasq:true kubeSubnetMgr:true}', 'main.go:463] Running backend.') },
  ],
  [
    'quay.io/cilium/cilium quay.io/cilium/operator-generic quay.io/cilium/cilium-envoy quay.io/cilium/hubble-relay',
    'debian',
    '/usr/bin/cilium-agent',
    [9879],
    { serve: HEALTH, readyAfterMs: 3_000 },
  ],
  [
    'quay.io/metallb/controller quay.io/metallb/speaker',
    'distroless',
    '/controller',
    [7472],
    {
      serve: HEALTH,
      log: ({ at }) => [
        `{"branch":"HEAD","caller":"main.go:178","level":"info","msg":"MetalLB controller starting version 0.15.2","ts":"${utc(at).iso.slice(0, 19)}Z"}`,
      ],
    },
  ],
  [
    'registry.k8s.io/external-dns/external-dns registry.k8s.io/autoscaling/cluster-autoscaler registry.k8s.io/descheduler/descheduler registry.k8s.io/node-problem-detector/node-problem-detector',
    'distroless',
    '/bin/controller',
    [7979],
    { serve: HEALTH },
  ],
  [
    'registry.k8s.io/autoscaling/vpa-recommender registry.k8s.io/autoscaling/vpa-updater registry.k8s.io/autoscaling/vpa-admission-controller',
    'distroless',
    '/recommender',
    [8942],
    { serve: HEALTH },
  ],
  [
    'registry.k8s.io/sig-storage/csi-provisioner registry.k8s.io/sig-storage/csi-attacher registry.k8s.io/sig-storage/csi-resizer registry.k8s.io/sig-storage/csi-snapshotter registry.k8s.io/sig-storage/csi-node-driver-registrar registry.k8s.io/sig-storage/livenessprobe registry.k8s.io/sig-storage/hostpathplugin registry.k8s.io/sig-storage/snapshot-controller k8s.gcr.io/sig-storage/csi-provisioner k8s.gcr.io/sig-storage/csi-attacher k8s.gcr.io/sig-storage/csi-resizer k8s.gcr.io/sig-storage/csi-snapshotter k8s.gcr.io/sig-storage/csi-node-driver-registrar k8s.gcr.io/sig-storage/livenessprobe k8s.gcr.io/provider-aws/aws-ebs-csi-driver registry.k8s.io/sig-storage/nfs-subdir-external-provisioner',
    'distroless',
    '/csi',
    [9898],
    {
      serve: HEALTH,
      log: klog(
        'main.go:170] "Version" version="v5.3.0"',
        'connection.go:234] "Connecting" address="unix:///csi/csi.sock"',
      ),
    },
  ],
  [
    'ghcr.io/stakater/reloader ghcr.io/kyverno/kyverno quay.io/bitnami/sealed-secrets-controller ghcr.io/kedacore/keda ghcr.io/external-secrets/external-secrets velero/velero',
    'distroless',
    '/manager',
    [8080],
    {
      serve: HEALTH,
      log: ({ at }) => [`{"level":"info","ts":"${utc(at).iso}","logger":"setup","msg":"starting manager"}`],
    },
  ],
  [
    'ghcr.io/fluxcd/source-controller ghcr.io/fluxcd/kustomize-controller ghcr.io/fluxcd/helm-controller ghcr.io/fluxcd/notification-controller',
    'alpine',
    '/sbin/tini -- controller',
    [8080, 9440],
    {
      ports: [8080, 9440],
      serve: HEALTH,
      log: ({ at }) => [`{"level":"info","ts":"${utc(at).iso}","logger":"setup","msg":"starting manager"}`],
    },
  ],
  [
    'istio/pilot istio/proxyv2 cr.l5d.io/linkerd/proxy cr.l5d.io/linkerd/controller',
    'distroless',
    '/usr/local/bin/pilot-discovery',
    [15010, 15017, 8080],
    {
      serve: routes({ '/ready': { status: 200 }, '/healthz/ready': { status: 200 }, '/metrics': goMetrics(GO) }),
      readyAfterMs: 3_000,
    },
  ],
  [
    'k8s.gcr.io/cluster-proportional-autoscaler-amd64 registry.k8s.io/cpa/cluster-proportional-autoscaler registry.k8s.io/dns/k8s-dns-node-cache registry.k8s.io/addon-resizer',
    'distroless',
    '/main',
    [],
    { serve: HEALTH },
  ],
  [
    'registry.k8s.io/goproxy k8s.gcr.io/goproxy',
    'scratch',
    '/goproxy',
    [8080],
    { ports: [8080], log: ({ at }) => [`${utc(at).slashed} Serving on port 8080`] },
  ],
  [
    'gcr.io/k8s-minikube/storage-provisioner gcr.io/k8s-minikube/minikube-ingress-dns',
    'scratch',
    '/storage-provisioner',
    [],
    {
      log: klog(
        'storage_provisioner.go:116] Initializing the minikube storage provisioner...',
        'storage_provisioner.go:141] Storage provisioner initialized, now starting service!',
      ),
    },
  ],
  [
    'newrelic/infrastructure datadog/agent public.ecr.aws/datadog/agent gcr.io/datadoghq/agent gcr.io/datadoghq/cluster-agent',
    'debian',
    '/bin/entrypoint.sh',
    [8125, 8126],
    { serve: HEALTH, readyAfterMs: 2_000 },
  ],
  [
    'nginxinc/nginx-s3-gateway openresty/openresty',
    'debian',
    '/usr/local/openresty/bin/openresty -g daemon\u00a0off;',
    [80],
    {
      ports: [80],
      serve: () =>
        html(
          '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to OpenResty!</title>\n</head>\n<body>\n<h1>Welcome to OpenResty!</h1>\n</body>\n</html>\n',
        ),
    },
  ],
];

/** What clusters and companies run beside their own applications. Known by what they listen on, print and answer. */
export const infrastructure: readonly Image[] = ROWS.map(([names, base, command, ports, server = {}]) =>
  summaryImage(
    {
      names: names.split(' ').map((name) => name.replace(/^docker\.io\//, '')),
      base,
      config: { exposedPorts: ports, entrypoint: command.split(' ').map((word) => word.replaceAll('\u00a0', ' ')) },
    },
    { ...(ports.length > 0 && !server.ports && !server.portsOf ? { ports: ports.slice(0, 1) } : {}), ...server },
  ),
);
