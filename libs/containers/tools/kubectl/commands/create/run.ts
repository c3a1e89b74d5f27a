import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { PRINT, WRITE } from '../../flags/groups.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import { type Command, dryRunOf, type RunTask } from '../command.js';
import { createObject, requireFlags } from './object.js';

const LOOK_EVERY = 1_000;

/** Models kubectl run: one pod. With --attach and --rm it shows what the pod prints, and then deletes it. */
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
    const pod = merge(podOf(session, name, rest), overridesOf(session));
    const made = createPod(session, pod, attaches);
    if (flags.isOn('expose')) createObject(session, serviceOf(session, name), '', 'kubectl-run');
    if (!attaches || dryRunOf(session) !== 'none') return [];
    return [task('run attach', { name: made.metadata?.name ?? name, until: session.now + 60_000 })];
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

type Attached = { readonly name: string; readonly until: number };

interface PodStatus {
  readonly phase?: string;
  readonly containerStatuses?: readonly { readonly state?: { readonly terminated?: { readonly exitCode: number } } }[];
}

/** Waits for the pod's end, shows what it has printed, and removes it. A terminal cannot be typed into from here. */
function attach(session: Session, data: Plain): Task[] {
  const { name, until } = data as unknown as Attached;
  const path = `/api/v1/namespaces/${session.namespace}/pods/${name}`;
  const status = (session.get(path)['status'] ?? {}) as PodStatus;
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (!isOver) {
    if (session.now >= until && status.phase === 'Running')
      throw new KubectlFailure('attaching to a program that goes on is not simulated in a pod');
    if (session.now >= until) throw new KubectlFailure('timed out waiting for the condition');
    return [task('run attach', data, LOOK_EVERY)];
  }
  session.out(session.call({ path: `${path}/log`, accept: '*/*' }).body);
  const code = status.containerStatuses?.[0]?.state?.terminated?.exitCode ?? 0;
  if (session.flags.isOn('rm')) {
    session.send('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1' }, 'application/json');
    if (!session.flags.isOn('quiet')) session.out(`pod "${name}" deleted from ${session.namespace} namespace\n`);
  }
  session.code = Math.max(session.code, code);
  return [];
}

export const run: { readonly command: Command; readonly tasks: Readonly<Record<string, RunTask>> } = {
  command,
  tasks: { 'run attach': attach },
};
