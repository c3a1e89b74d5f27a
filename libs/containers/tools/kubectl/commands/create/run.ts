import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { PRINT, WRITE } from '../../flags/groups.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import { type Command, dryRunOf, type RunTask } from '../command.js';
import { untilAfter } from '../pods.js';
import { recordCause, recording } from '../write/record.js';
import { attachTo, sayEnded } from '../streams/attach.js';
import { createObject, requireFlags } from './object.js';

const LOOK_EVERY = 500;
const TIMEOUT = 60_000;

/** Models k8s.io/kubectl/pkg/cmd/run: one pod. */
const command: Command = {
  flags: [
    ...[...PRINT, ...WRITE, 'image:', 'port:', 'e,env:', 'l,labels:', 'command', 'restart:', 'i,stdin', 't,tty'],
    ...['rm', 'attach', 'q,quiet', 'expose', 'overrides:', 'override-type:', 'image-pull-policy:', 'annotations:'],
    ...['privileged', 'leave-stdin-open', 'pod-running-timeout:', 'grace-period:', 'force', 'wait', 'timeout:'],
    'cascade::background',
  ],
  run(session) {
    const { flags, args } = session;
    requireFlags(session, 'image');
    const [name, ...rest] = args;
    if (name === undefined || session.dashAt === 0) throw new KubectlFailure('NAME is required for run');
    const image = flags.value('image');
    const attaches = flags.isOn('attach') || flags.isOn('stdin');
    if (flags.isOn('rm') && !attaches) throw new KubectlFailure('--rm should only be used for attached containers');
    if (flags.isOn('tty') && !flags.isOn('stdin'))
      throw new KubectlFailure('-i/--stdin is required for containers with -t/--tty=true');
    if (flags.isOn('expose') && !flags.has('port'))
      throw new KubectlFailure('--port must be set when exposing a service');
    if (/[\s]/.test(image) || image === '')
      throw new KubectlFailure(`Invalid image name "${image}": invalid reference format`);
    const pod = recordCause(session, merge(podOf(session, name, rest), overridesOf(session)));
    if (flags.isOn('expose')) {
      createObject(session, serviceOf(session, name), '', 'kubectl-run');
      if (flags.value('output') === 'yaml') session.out('---\n---\n');
    }
    const made = createPod(session, pod, attaches);
    if (!attaches || dryRunOf(session) !== 'none') return [];
    return [task('run attach', { name: made.metadata?.name ?? name, until: session.now + TIMEOUT })];
  },
};

function createPod(session: Session, pod: ApiObject, attaches: boolean): ApiObject {
  if (!attaches) return createObject(session, pod, '', 'kubectl-run');
  return session.post(`/api/v1/namespaces/${session.namespace}/pods?fieldManager=kubectl-run`, pod);
}

function podOf({ flags, dashAt }: Session, name: string, rest: readonly string[]): ApiObject {
  const labels = flags.has('labels') ? pairs(flags.value('labels').split(',')) : { run: name };
  const annotations = pairs(flags.all('annotations'));
  const env = flags.all('env').map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new KubectlFailure(`invalid env: ${text}`);
    return { name: text.slice(0, at), value: text.slice(at + 1) };
  });
  const words = dashAt < 0 && rest.length === 0 ? [] : rest;
  const container = {
    ...{ name, image: flags.value('image'), resources: {} },
    ...(words.length === 0 ? {} : flags.isOn('command') ? { command: words } : { args: words }),
    ...(env.length > 0 ? { env } : {}),
    ...(flags.has('port') ? { ports: [{ containerPort: Number(flags.value('port')) }] } : {}),
    ...(flags.has('image-pull-policy') ? { imagePullPolicy: flags.value('image-pull-policy') } : {}),
    ...(flags.isOn('privileged') ? { securityContext: { privileged: true } } : {}),
    ...(flags.isOn('stdin') ? { stdin: true, stdinOnce: true } : {}),
    ...(flags.isOn('tty') ? { tty: true } : {}),
  };
  const restart = flags.value('restart') || 'Always';
  if (!['Always', 'OnFailure', 'Never'].includes(restart))
    throw new KubectlFailure(`invalid restart policy: ${restart}`);
  const metadata = { name, labels, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) };
  const spec = { containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: restart };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: {} };
}

const pairs = (texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(texts.map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]));

function overridesOf({ flags }: Session): unknown {
  if (!flags.has('overrides')) return {};
  const type = flags.value('override-type') || 'merge';
  if (type !== 'merge') throw new KubectlFailure(`--override-type=${type} is not simulated`);
  try {
    return JSON.parse(flags.value('overrides'));
  } catch {
    throw new KubectlFailure('invalid character in --overrides: it is not JSON');
  }
}

const MAX_DEPTH = 40;

/** RFC 7386. */
function merge(target: ApiObject, patch: unknown, depth = 0): ApiObject {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch) || depth > MAX_DEPTH)
    return patch as ApiObject;
  const result: Record<string, unknown> = { ...(typeof target === 'object' && target !== null ? target : {}) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key] as ApiObject, value, depth + 1);
  }
  return result;
}

const serviceOf = ({ flags }: Session, name: string): ApiObject => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
  spec: {
    ports: [{ port: Number(flags.value('port')), protocol: 'TCP', targetPort: Number(flags.value('port')) }],
    selector: { run: name },
  },
  status: { loadBalancer: {} },
});

type Attached = { readonly name: string; readonly until: number; readonly isAgain?: boolean };

interface Terminated {
  readonly exitCode: number;
  readonly finishedAt?: string;
}

interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly containerStatuses?: readonly {
    readonly state?: { readonly terminated?: Terminated; readonly running?: { readonly startedAt?: string } };
  }[];
}

const statusOf = (pod: ApiObject): PodStatus => (pod['status'] ?? {}) as PodStatus;
const isOver = ({ phase }: PodStatus): boolean => phase === 'Succeeded' || phase === 'Failed';
const isReady = ({ phase, conditions = [] }: PodStatus): boolean =>
  phase === 'Running' && conditions.some(({ type, status }) => type === 'Ready' && status === 'True');

/** ms until the process itself is where the container's state is. */
function untilNow(session: Session, { containerStatuses = [] }: PodStatus): number {
  const { terminated, running } = containerStatuses[0]?.state ?? {};
  return untilAfter(session, terminated?.finishedAt ?? running?.startedAt);
}

const podPathOf = (session: Session, name: string): string => `/api/v1/namespaces/${session.namespace}/pods/${name}`;

/** Attaches to the pod when it is ready; of one that is over already it shows the log. Models handleAttachPod. */
function attach(session: Session, data: Plain): Task[] {
  const { name, until } = data as unknown as Attached;
  const path = podPathOf(session, name);
  const pod = session.get(path);
  const status = statusOf(pod);
  if (!isOver(status) && !isReady(status)) {
    if (session.now >= until) return remove(session, name, 'timed out waiting for the condition');
    return [task('run attach', data, LOOK_EVERY)];
  }
  const delay = untilNow(session, status);
  if (delay > 0) return [task('run attach', data, delay)];
  if (isOver(status)) {
    session.out(session.call({ path: `${path}/log`, accept: '*/*' }).body);
    return finish(session, name, status);
  }
  // What was printed before there was a client.
  session.out(session.call({ path: `${path}/log`, accept: '*/*' }).body);
  attachTo(session, pod, name, { after: task('run detached', { name, until: session.now + TIMEOUT, isAgain: false }) });
  return [];
}

/** Who wants the exit code waits for it. */
function detach(session: Session, data: Plain): Task[] {
  const { name, until, isAgain } = data as unknown as Attached;
  const { flags } = session;
  const restart = flags.value('restart') || 'Always';
  if (!isAgain) sayEnded(session, name, name);
  if (flags.isOn('leave-stdin-open') || restart === 'Always') return remove(session, name);
  const status = statusOf(session.get(podPathOf(session, name)));
  if (isOver(status) && (restart === 'Never' || status.phase === 'Succeeded')) return finish(session, name, status);
  if (session.now >= until) return remove(session, name, 'timed out waiting for the condition');
  return [task('run detached', { name, until, isAgain: true }, LOOK_EVERY)];
}

function finish(session: Session, name: string, { containerStatuses = [] }: PodStatus): Task[] {
  const code = containerStatuses[0]?.state?.terminated?.exitCode ?? 0;
  if (code !== 0) session.code = Math.max(session.code, code);
  const failure = code === 0 ? undefined : `pod ${session.namespace}/${name} terminated (Error)`;
  return remove(session, name, failure, code);
}

/** With --rm, and then fails. Models removeCreatedObjects. */
function remove(session: Session, name: string, failure?: string, code = 1): Task[] {
  if (session.flags.isOn('rm')) {
    session.send('DELETE', podPathOf(session, name), { kind: 'DeleteOptions', apiVersion: 'v1' }, 'application/json');
    if (!session.flags.isOn('quiet')) session.out(`pod "${name}" deleted from ${session.namespace} namespace\n`);
  }
  if (failure === undefined) return [];
  if (code === 1 && failure.startsWith('timed out')) throw new KubectlFailure(failure);
  session.err(`${failure}\n`);
  return [];
}

export const run: { readonly command: Command; readonly tasks: Readonly<Record<string, RunTask>> } = {
  command: recording(command),
  tasks: { 'run attach': attach, 'run detached': detach },
};
