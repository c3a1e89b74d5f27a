import type { Pod } from '../../../api/core_v1.js';
import type { EffectOf } from '../../../faults/index.js';
import { lastingEffects, type Lasting } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/http.js';
import { formatKlogLine } from '../../../machinery/text/klog.js';
import { MINUTE, type Millis } from '../../../machinery/time/time.js';
import type { LogLine, Process } from '../../cri/image.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';

type Loss = Lasting<EffectOf<'etcd'>>;

/** How long an API server that starts waits for what it has to read first. */
const FIRST_READS: Millis = MINUTE;
/** Of klog.Fatal. */
const FATAL = 255;
const LAST_WORDS =
  'hooks.go:204] PostStartHook "start-service-ip-repair-controllers" failed: ' +
  'unable to perform initial IP and Port allocation check';

/** What of a component's health says that etcd has no leader, and how. */
const FAILING: Readonly<Record<string, { readonly paths: readonly string[]; readonly status: number }>> = {
  'kube-apiserver': { paths: ['/livez', '/readyz', '/healthz'], status: 500 },
  etcd: { paths: ['/readyz', '/health'], status: 503 },
};

/**
 * A component of the control plane while etcd has no leader: what its probes hear, and the end of an API server that
 * was started meanwhile. Models the etcd check of apiserver/pkg/server/options/etcd.go, pkg/registry/core/rest.
 */
export function withLostStore(read: Reader, pod: Pod, name: string, process: Process, startedAt: Millis): Process {
  const failing = FAILING[name];
  if (!failing || !isMirrorPod(pod)) return process;
  const losses = lastingEffects(read, 'etcd').filter(({ effect, to }) => effect.fault === 'quorum' && to > startedAt);
  if (losses.length === 0) return process;
  const isLost = (since: Millis): boolean =>
    losses.some(({ from, to }) => startedAt + since >= from && startedAt + since < to);
  const turns = losses.flatMap(({ from, to }) => [from - startedAt, to - startedAt]);
  const serving: Process = {
    ...process,
    changes: [...(process.changes ?? []), ...turns.filter((turn) => turn > 0 && turn < Infinity)],
    serve: (request: PodHttpRequest, since, reader): PodHttpAnswer =>
      isLost(since) && failing.paths.includes(request.path.split('?', 1)[0]!)
        ? { status: failing.status, body: '' }
        : (process.serve?.(request, since, reader) ?? { status: 200, body: '' }),
  };
  return name === 'kube-apiserver' && isGivenUp(losses, startedAt) ? giveUp(serving, startedAt) : serving;
}

/** It was started without a store, and has waited in vain. */
const isGivenUp = (losses: readonly Loss[], startedAt: Millis): boolean =>
  losses.some(({ from, to }) => startedAt >= from && startedAt + FIRST_READS < to);

function giveUp(process: Process, startedAt: Millis): Process {
  if (process.exit && process.exit.afterMs <= FIRST_READS) return process;
  const end: LogLine = {
    at: FIRST_READS,
    text: formatKlogLine('F', startedAt + FIRST_READS, LAST_WORDS),
    stream: 'stderr',
  };
  return {
    ...process,
    exit: { afterMs: FIRST_READS, code: FATAL },
    lines: (until) => (until < FIRST_READS ? process.lines(until) : [...process.lines(FIRST_READS), end]),
  };
}
