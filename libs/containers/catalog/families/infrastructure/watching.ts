import type { Start } from '@terrarium/engine';
import { utc } from '../../../programs/server.js';
import { GO, HEALTH, goMetrics, html, json, routes, text } from './answers.js';
import { klog, level, slog } from './lines.js';
import { alertmanagerConfig, grafanaConfig, lokiConfig, prometheusConfig } from './config/index.js';
import type { Row } from './row.js';

const pushgateway = routes({
  '/metrics': goMetrics(GO),
  '/-/healthy': text('OK'),
  '/-/ready': text('OK'),
  '/': html(
    '<!DOCTYPE html>\n<html lang="en">\n<head><title>Prometheus Pushgateway</title></head>\n<body></body>\n</html>\n',
  ),
});

/** /livez and /readyz ask the API server, which answers. */
const kubeStateMetrics = routes({
  '/metrics': goMetrics(GO),
  '/healthz': text('OK'),
  '/livez': text('OK'),
  '/readyz': text('OK'),
  '/': html(
    '<html>\n<head><title>Kube-State-Metrics</title></head>\n<body>\n<h1>Kube-State-Metrics</h1>\n<p><a href="/metrics">Metrics</a></p>\n</body>\n</html>\n',
  ),
});

const EXPORTER = routes({
  '/metrics': goMetrics(GO),
  '/': html(
    '<html>\n<head><title>Exporter</title></head>\n<body>\n<h1>Exporter</h1>\n<p><a href="/metrics">Metrics</a></p>\n</body>\n</html>\n',
  ),
  '/healthz': text('ok'),
  '/health': text('ok'),
  '/-/healthy': text('OK'),
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

const argument = ({ argv }: Start, name: string): string | undefined =>
  argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

const portOf = (address: string | undefined, otherwise: number): number =>
  Number(address?.split(':').at(-1) ?? otherwise) || otherwise;

const inUse = (place: string): string => `listen tcp ${place}: bind: address already in use`;

const slogError =
  (source: string, message: (place: string) => string, host = '') =>
  (port: number, { at }: Start) => ({
    code: 1,
    lines: [`time=${utc(at).iso} level=ERROR source=${source} ${message(`${host}:${port}`)}`],
  });

/** Watching. */
export const watching: readonly Row[] = [
  [
    'prom/prometheus quay.io/prometheus/prometheus',
    'alpine',
    '/bin/prometheus --config.file=/etc/prometheus/prometheus.yml --storage.tsdb.path=/prometheus',
    [9090],
    {
      ...prometheusConfig,
      serve: prometheus,
      readyAfterMs: 1_500,
      log: slog('main.go:1396', 'Server is ready to receive web requests.'),
      takenPort: slogError(
        'main.go:655',
        (place) => `msg="Unable to start web listener" err="${inUse(place)}"`,
        '0.0.0.0',
      ),
    },
    'nobody',
  ],
  [
    'grafana/grafana grafana/grafana-oss',
    'alpine',
    '/run.sh',
    [3000],
    {
      ...grafanaConfig,
      serve: grafana,
      readyAfterMs: 4_000,
      takenPort: (port, { at }) => {
        const why = `*api.HTTPServer run error: failed to open listener on address 0.0.0.0:${port}: ${inUse(`0.0.0.0:${port}`)}`;
        const head = `logger=server t=${utc(at).iso} level=error`;
        return { code: 1, lines: [`${head} msg="Server shutdown" error="${why}"`, `Error: ✗ ${why}`] };
      },
      log: ({ at }) => [
        `logger=http.server t=${utc(at).iso} level=info msg="HTTP Server Listen" address=[::]:3000 protocol=http subUrl= socket=`,
      ],
    },
    '472',
  ],
  [
    'grafana/loki',
    'alpine',
    '/usr/bin/loki -config.file=/etc/loki/local-config.yaml',
    [3100],
    {
      ...lokiConfig,
      serve: routes({
        '/ready': text('ready\n'),
        '/metrics': goMetrics(GO),
        '/loki/api/v1/labels': json({ status: 'success' }),
      }),
      readyAfterMs: 2_000,
      log: level('loki.go:505', 'Loki started'),
    },
    '10001',
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
      takenPort: slogError('node_exporter.go:229', (place) => `msg="${inUse(place)}"`),
    },
    'nobody',
  ],
  [
    'prom/alertmanager quay.io/prometheus/alertmanager',
    'alpine',
    '/bin/alertmanager --config.file=/etc/alertmanager/alertmanager.yml --storage.path=/alertmanager',
    [9093],
    {
      ...alertmanagerConfig,
      serve: routes({
        '/-/healthy': text('OK'),
        '/-/ready': text('OK'),
        '/metrics': goMetrics(GO),
        '/api/v2/alerts': json([]),
        '/': html('<!DOCTYPE html>\n<html><head><title>Alertmanager</title></head></html>\n'),
      }),
      log: slog('main.go:191', 'Starting Alertmanager'),
    },
    'nobody',
  ],
  [
    'prom/pushgateway quay.io/prometheus/pushgateway',
    'alpine',
    '/bin/pushgateway',
    [9091],
    { serve: pushgateway, log: slog('main.go:76', 'starting pushgateway') },
    'nobody',
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
      serve: kubeStateMetrics,
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
      takenPort: (port) => ({
        code: 2,
        lines: [
          `panic: failed to create listener: failed to listen on 0.0.0.0:${port}: ${inUse(`0.0.0.0:${port}`)}`,
          '',
          'goroutine 1 [running]:',
          'main.main()',
        ],
      }),
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
];
