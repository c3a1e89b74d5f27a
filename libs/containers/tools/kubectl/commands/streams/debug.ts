import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { findObjects } from '../../discovery/targets.js';
import { KubectlFailure } from '../../session/failure.js';
import type { ApiObject, KubeJson, Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import type { Command, CommandGroup } from '../command.js';
import { untilAfter } from '../pods.js';
import { attachTo, endOf } from './attach.js';
import { applyProfile, type ContainerSpec, type PodSpec, PROFILES } from './debug-profiles.js';
import { podPath } from './exec.js';

const LOOK_EVERY = 500;
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Models k8s.io/kubectl/pkg/cmd/debug. */
const debug: Command = {
  flags: [
    ...['i,stdin', 't,tty', 'q,quiet', 'image:', 'c,container:', 'target:', 'profile:', 'copy-to:', 'replace'],
    ...['same-node', 'share-processes', 'set-image:', 'env:', 'attach', 'arguments-only', 'image-pull-policy:'],
    ...['keep-labels', 'keep-annotations', 'keep-liveness', 'keep-readiness', 'keep-startup', 'custom:'],
    ...['keep-init-containers', 'f,filename:'],
  ],
  run(session) {
    const { flags, dashAt } = session;
    const targets = dashAt < 0 ? session.args : session.args.slice(0, dashAt);
    checkFlags(session, targets);
    const words = targets.map((word) => (word.includes('/') ? word : `pods/${word}`));
    const [found] = findObjects(session, words);
    if (!found) return [];
    if (targets.length > 1) throw new KubectlFailure('debugging several objects at once is not simulated');
    const { kind } = found.resource;
    if (kind !== 'Pod' && kind !== 'Node')
      throw new KubectlFailure(
        `"${found.resource.group}/${found.resource.version}, Kind=${kind}" not supported by debug`,
      );
    const [pod, container] = kind === 'Node' ? debugNode(session, found.object) : debugPod(session, found.object);
    const attaches = flags.has('attach') ? flags.isOn('attach') : flags.isOn('stdin');
    if (!attaches || container === '') return [];
    return [task('debug attach', { path: podPath(session, pod), container })];
  },
};

/** Models DebugOptions.Validate. */
function checkFlags(session: Session, targets: readonly string[]): void {
  const { flags, args, dashAt } = session;
  const words = dashAt < 0 ? [] : args.slice(dashAt);
  const fail = (message: string): never => {
    throw new KubectlFailure(message);
  };
  if (flags.has('custom')) fail('--custom is not simulated');
  if (flags.isOn('attach') && !flags.has('image') && !flags.has('container'))
    fail('you must specify --container or create a new container using --image in order to attach.');
  if (flags.has('copy-to')) {
    if (!flags.has('image') && !flags.has('set-image') && words.length === 0)
      fail('you must specify --image, --set-image or command arguments.');
    if (words.length > 0 && !flags.has('container') && !flags.has('image'))
      fail('you must specify an existing container or a new image when specifying args.');
  } else {
    for (const name of ['replace', 'same-node', 'set-image'])
      if (flags.has(name)) fail(`--${name} may only be used with --copy-to.`);
    if (!flags.has('image')) fail('you must specify --image when not using --copy-to.');
  }
  const image = flags.value('image');
  if (flags.has('image') && !/^[\w][\w./:@-]*$/.test(image))
    fail(`invalid image name ${JSON.stringify(image)}: invalid reference format`);
  if (targets.length === 0 && !flags.has('filename')) fail('NAME or filename is required for debug');
  const policy = flags.value('image-pull-policy');
  if (!['', 'Always', 'IfNotPresent', 'Never'].includes(policy)) fail(`invalid image pull policy: ${policy}`);
  const profile = flags.value('profile') || 'general';
  if (!PROFILES.includes(profile)) fail(`unknown profile: ${profile}`);
  if (flags.has('target')) {
    if (flags.has('copy-to')) fail('--target is incompatible with --copy-to. Use --share-processes instead.');
    if (!flags.isOn('quiet'))
      session.out(
        `Targeting container "${flags.value('target')}". If you don't see processes from this container it may be because the container runtime doesn't support this feature.\n`,
      );
  }
  if (flags.isOn('tty') && !flags.isOn('stdin')) fail('-i/--stdin is required for containers with -t/--tty=true');
}

/** The same letters whenever a task runs again. */
function suffixOf({ now, sys }: Session): string {
  let number = now * 7_919 + sys.pid * 104_729;
  let text = '';
  for (let i = 0; i < 5; i++) {
    text += LETTERS[number % LETTERS.length]!;
    number = Math.floor(number / LETTERS.length) + 13;
  }
  return text;
}

function newContainer({ flags, args, dashAt }: Session, name: string): ContainerSpec {
  const words = dashAt < 0 ? [] : args.slice(dashAt);
  const env = flags.list('env').map((text) => ({ name: text.split('=', 1)[0]!, value: text.replace(/^[^=]*=/, '') }));
  return {
    name,
    ...(env.length > 0 ? { env } : {}),
    ...(flags.has('image') ? { image: flags.value('image') } : {}),
    ...(flags.has('image-pull-policy') ? { imagePullPolicy: flags.value('image-pull-policy') } : {}),
    ...(words.length === 0 ? {} : flags.isOn('arguments-only') ? { args: [...words] } : { command: [...words] }),
    ...(flags.isOn('stdin') ? { stdin: true } : {}),
    ...(flags.isOn('tty') ? { tty: true } : {}),
    terminationMessagePolicy: 'File',
  };
}

const profileOf = ({ flags }: Session): string => flags.value('profile') || 'general';

function debugNode(session: Session, node: ApiObject): [ApiObject, string] {
  const { flags } = session;
  const nodeName = node.metadata?.name ?? '';
  const container = flags.value('container') || 'debugger';
  const name = `node-debugger-${nodeName}-${suffixOf(session)}`;
  const spec: PodSpec = {
    ...{ containers: [newContainer(session, container)], nodeName, restartPolicy: 'Never' },
    tolerations: [{ operator: 'Exists' }],
  };
  const labels = { 'app.kubernetes.io/managed-by': 'kubectl-debug' };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: applyProfile(profileOf(session), 'node', spec, container),
  };
  const made = session.post(`/api/v1/namespaces/${session.namespace}/pods?fieldManager=kubectl-debug`, pod);
  if (!flags.isOn('quiet'))
    session.out(`Creating debugging pod ${name} with container ${container} on node ${nodeName}.\n`);
  return [made, container];
}

function containerName(session: Session): string {
  const { flags } = session;
  if (flags.has('container')) return flags.value('container');
  const name = `debugger-${suffixOf(session)}`;
  if (!flags.isOn('quiet')) session.out(`Defaulting debug container name to ${name}.\n`);
  return name;
}

function debugPod(session: Session, pod: ApiObject): [ApiObject, string] {
  if (session.flags.has('copy-to')) return debugCopy(session, pod);
  const { flags } = session;
  const name = containerName(session);
  const target = flags.has('target') ? { targetContainerName: flags.value('target') } : {};
  const own = { ...newContainer(session, name), ...target };
  const { ephemeralContainers = [] } = applyProfile(
    profileOf(session),
    'ephemeral',
    { ephemeralContainers: [own] },
    name,
  );
  const path = `${podPath(session, pod)}/ephemeralcontainers?fieldManager=kubectl-debug`;
  return [session.patch(path, { spec: { ephemeralContainers } }, 'strategic'), name];
}

/** Models generatePodCopyWithDebugContainer. */
function debugCopy(session: Session, pod: ApiObject): [ApiObject, string] {
  const { flags } = session;
  const { ephemeralContainers: _old, nodeName, ...before } = pod['spec'] as PodSpec & { nodeName?: string };
  const images = Object.fromEntries(flags.list('set-image').map((text) => text.split('=', 2) as [string, string]));
  const containers = (before.containers ?? []).map((one) => {
    const image = images[one.name] ?? images['*'];
    return image === undefined ? one : { ...one, image };
  });
  const isKnown = containers.some(({ name }) => name === flags.value('container'));
  const onlyImages = !flags.has('image') && !isKnown && flags.has('set-image');
  if (!isKnown && !flags.has('image') && !onlyImages)
    throw new KubectlFailure('you must specify image when creating new container');
  const name = onlyImages ? '' : isKnown ? flags.value('container') : containerName(session);
  const change = (one: ContainerSpec): ContainerSpec => {
    const { command: _command, args: _args, ...rest } = one;
    const { stdin: _stdin, tty: _tty, ...kept } = session.dashAt < 0 ? one : rest;
    return { ...kept, ...newContainer(session, name) };
  };
  const all = isKnown
    ? containers.map((one) => (one.name === name ? change(one) : one))
    : [...containers, ...(onlyImages ? [] : [newContainer(session, name)])];
  const spec: PodSpec = {
    ...before,
    containers: all,
    ...(flags.isOn('same-node') && nodeName !== undefined ? { nodeName } : {}),
    ...(flags.has('share-processes') ? { shareProcessNamespace: flags.isOn('share-processes') } : {}),
  };
  const metadata: KubeJson = {
    name: flags.value('copy-to'),
    ...(flags.isOn('keep-labels') || onlyImages ? { labels: pod.metadata?.labels } : {}),
    ...(flags.isOn('keep-annotations') || onlyImages ? { annotations: pod.metadata?.annotations } : {}),
  };
  const full = onlyImages ? spec : applyProfile(profileOf(session), 'copy', withoutProbes(session, spec), name);
  const namespace = pod.metadata?.namespace ?? session.namespace;
  const made = session.post(`/api/v1/namespaces/${namespace}/pods?fieldManager=kubectl-debug`, {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata, spec: full },
  });
  if (flags.isOn('replace')) {
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
    session.send('DELETE', podPath(session, pod), options, 'application/json');
  }
  return [made, name];
}

function withoutProbes({ flags }: Session, spec: PodSpec): PodSpec {
  const { initContainers, ...rest } = spec;
  const keepsInit = !flags.has('keep-init-containers') || flags.isOn('keep-init-containers');
  const containers = (spec.containers ?? []).map((one) =>
    Object.fromEntries(
      Object.entries(one).filter(([field]) => {
        const probe = /^(liveness|readiness|startup)Probe$/.exec(field)?.[1];
        return probe === undefined || flags.isOn(`keep-${probe}`);
      }),
    ),
  ) as ContainerSpec[];
  return { ...rest, containers, ...(keepsInit && initContainers ? { initContainers } : {}) };
}

interface Status {
  readonly name: string;
  readonly state?: {
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: { readonly finishedAt?: string };
    readonly waiting?: { readonly message?: string };
  };
}

/** Waits for the container, then goes on as its client. Models handleAttachPod. */
function attachWhenRunning(session: Session, data: Plain): Task[] {
  const { path, container, warned = '' } = data as { path: string; container: string; warned?: string };
  const pod = session.get(path);
  const status = (pod['status'] ?? {}) as Readonly<Record<string, readonly Status[]>>;
  const all = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];
  const { state } = all.flatMap((name) => status[name] ?? []).find(({ name }) => name === container) ?? {};
  const delay = untilAfter(session, state?.terminated?.finishedAt ?? state?.running?.startedAt);
  if (delay > 0) return [task('debug attach', { path, container, warned }, delay)];
  if (state?.terminated) {
    session.out(session.call({ path: `${path}/log?container=${container}`, accept: '*/*' }).body);
    return [];
  }
  if (state?.running) {
    attachTo(session, pod, container, { after: endOf(pod, container) });
    return [];
  }
  const message = state?.waiting?.message ?? '';
  if (message !== '' && message !== warned && !session.flags.isOn('quiet'))
    session.err(`Warning: container ${container}: ${message}\n`);
  return [task('debug attach', { path, container, warned: message }, LOOK_EVERY)];
}

export const group: CommandGroup = { commands: { debug }, tasks: { 'debug attach': attachWhenRunning } };
