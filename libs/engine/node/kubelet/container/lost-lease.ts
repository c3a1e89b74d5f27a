import type { Pod } from '../../../api/core_v1.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';
import { lastingEffects } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';
import { formatKlogLine } from '../../../machinery/text/klog.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import type { LogLine, Process } from '../../cri/image.js';

/** How long a leader tries to renew its lease. Models --leader-elect-renew-deadline. */
const RENEW_DEADLINE: Millis = 10 * SECOND;
/** A refused connection is told at once; a store without a leader times out. */
const REFUSED_AFTER: Millis = 0.5 * SECOND;
const TIMED_OUT_AFTER: Millis = 8 * SECOND;

interface Outage {
  readonly from: Millis;
  readonly to: Millis;
  /** What comes of the first request of a process that is started meanwhile, and after how long. */
  readonly answer: string;
  readonly after: Millis;
}

/** Their last words when they are no leader any more. Models OnStoppedLeading of their commands. */
const LOST: Readonly<Record<string, string>> = {
  'kube-controller-manager': 'controllermanager.go:340] "leaderelection lost"',
  'kube-scheduler': 'server.go:336] "Leaderelection lost"',
};

/**
 * The controller manager and the scheduler while nobody can write by the API server: a leader ends when it has not
 * renewed its lease for long, and one that is started meanwhile when it has not read what it needs. Models client-go
 * tools/leaderelection, apiserver/pkg/server/options/authentication.go.
 */
export function withLostLease(read: Reader, pod: Pod, name: string, process: Process, startedAt: Millis): Process {
  const lost = LOST[name];
  if (lost === undefined || !isMirrorPod(pod) || !electsLeader(pod)) return process;
  const outage = outagesOf(read, pod.status.hostIP ?? '127.0.0.1')
    .filter(({ from, to }) => to > startedAt && to > from + RENEW_DEADLINE)
    .sort((a, b) => a.from - b.from)[0];
  if (!outage) return process;
  const lease = `kube-system/${name}`;
  if (startedAt < outage.from)
    return endingAt(process, startedAt, outage.from + RENEW_DEADLINE - startedAt, [
      `I${leaderelection(297)} failed to renew lease ${lease}: context deadline exceeded`,
      `E${lost}`,
    ]);
  if (startedAt + outage.after >= outage.to) return process;
  return endingAt(withFirstLine(process), startedAt, outage.after, [
    `Erun.go:72] "command failed" err="unable to load configmap based request-header-client-ca-file: ${outage.answer}"`,
  ]);
}

const leaderelection = (line: number): string => `leaderelection.go:${line}]`;

/** kubeadm lets them elect one. */
const electsLeader = ({ spec }: Pod): boolean =>
  !spec.containers.some(({ command = [], args = [] }) => [...command, ...args].includes('--leader-elect=false'));

function outagesOf(read: Reader, host: string): Outage[] {
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
  const refused = `Get \\"https://${host}:6443${path}\\": dial tcp ${host}:6443: connect: connection refused`;
  const ended = lastingEffects(read, 'component').filter(({ effect }) => effect.component === 'kube-apiserver');
  const leaderless = lastingEffects(read, 'etcd').filter(({ effect }) => effect.fault === 'quorum');
  return [
    ...ended.map(({ from, to }) => ({ from, to, answer: refused, after: REFUSED_AFTER })),
    ...leaderless.map(({ from, to }) => ({
      ...{ from, to, answer: 'etcdserver: request timed out', after: TIMED_OUT_AFTER },
    })),
  ];
}

/** It comes no further than its own certificate. */
const withFirstLine = (process: Process): Process => ({
  ...process,
  lines: (until) => process.lines(until).slice(0, 1),
});

function endingAt(process: Process, startedAt: Millis, at: Millis, words: readonly string[]): Process {
  if (process.exit && process.exit.afterMs <= at) return process;
  const lines = words.map((text): LogLine => ({
    at,
    text: formatKlogLine(text[0]!, startedAt + at, text.slice(1)),
    stream: 'stderr',
  }));
  return {
    ...process,
    exit: { afterMs: at, code: 1 },
    lines: (until) => (until < at ? process.lines(until) : [...process.lines(at), ...lines]),
  };
}
