import type { BodyResponse } from '../../machinery/requests/http.js';
import { storageKey, type Kind } from '../../machinery/kind.js';
import type { GitVersion } from '../../machinery/releases.js';
import type { Registry } from '../../runtime/registry.js';
import type { State } from '../../runtime/state/state.js';
import { HEALTH_CHECKS } from './health.js';
import { formatLabels, metricsResponse, type MetricFamily } from './prometheus.js';
import type { RequestCounts } from '../response/request-counts.js';
import { versionInfo } from './version.js';

/** The parts of a Server that have metrics. */
interface Instrumented {
  readonly registry: Registry;
  readonly state: State;
  readonly requests?: RequestCounts;
  version?(): GitVersion | undefined;
}

/** /metrics. Left out: durations and sizes, which a simulated server does not have. */
export const metrics = ({ registry, state, requests, version }: Instrumented): BodyResponse =>
  metricsResponse([
    {
      name: 'apiserver_request_total',
      type: 'counter',
      help: '[STABLE] Requests answered, by verb, resource and response code.',
      lines: requests?.lines(registry) ?? [],
    },
    {
      name: 'apiserver_resource_objects',
      type: 'gauge',
      help: '[ALPHA] Objects stored of each kind.',
      lines: objectCounts(registry, state, 'apiserver_resource_objects', ({ group, plural }) => ({
        group,
        resource: plural,
      })),
    },
    {
      name: 'apiserver_storage_objects',
      type: 'gauge',
      help: '[STABLE] (Deprecated since 1.34.0) Objects stored of each kind.',
      lines: objectCounts(registry, state, 'apiserver_storage_objects', (kind) => ({ resource: storageKey(kind) })),
    },
    {
      name: 'kubernetes_build_info',
      type: 'gauge',
      help: '[BETA] The release; its value is always 1.',
      lines: [`kubernetes_build_info{${formatLabels(buildLabels(version?.()))}} 1`],
    },
    healthChecks(),
  ]);

/** /metrics/slis: the health checks alone. */
export const sliMetrics = (): BodyResponse => metricsResponse([healthChecks()]);

function objectCounts(
  registry: Registry,
  state: State,
  metric: string,
  labelsOf: (kind: Kind) => Record<string, string>,
): string[] {
  const stored = registry.all().filter((kind) => !kind.storedAs && !kind.evaluate && !kind.internal);
  return stored.map((kind) => `${metric}{${formatLabels(labelsOf(kind))}} ${state.count(storageKey(kind))}`).sort();
}

function healthChecks(): MetricFamily {
  const lines = Object.entries(HEALTH_CHECKS).flatMap(([type, names]) =>
    names.map((name) => `kubernetes_healthcheck{${formatLabels({ name, type })}} 1`),
  );
  const help = '[STABLE] 1 for a health check that passes.';
  return { name: 'kubernetes_healthcheck', type: 'gauge', help, lines: lines.sort() };
}

function buildLabels(version: GitVersion | undefined): Record<string, string> {
  const info = versionInfo(version);
  return {
    build_date: info.buildDate,
    compiler: info.compiler,
    git_commit: info.gitCommit,
    git_tree_state: info.gitTreeState,
    git_version: info.gitVersion,
    go_version: info.goVersion,
    major: info.major,
    minor: info.minor,
    platform: info.platform,
  };
}
