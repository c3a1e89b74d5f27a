import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { pathOf } from '../../discovery/resources.js';
import { listOf, readTargets, resourceNamed } from '../../discovery/targets.js';
import { ApiFailure, explain, KubectlFailure, UsageFailure } from '../../session/failure.js';
import { readAnswer, type ApiObject, type Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import type { Command, CommandGroup } from '../command.js';
import { durationMs } from '../duration.js';
import { containersOf, MAX_PODS, podsOfTarget } from '../pods.js';

const USAGE =
  "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command";
/** How often a followed log is looked at. */
const LOOK_EVERY = 1_000;

const logs: Command = {
  flags: [
    ...['f,follow', 'p,previous', 'c,container:', 'tail:', 'since:', 'since-time:', 'timestamps', 'limit-bytes:'],
    ...['all-containers', 'prefix', 'l,selector:', 'max-log-requests:', 'ignore-errors', 'all-pods'],
    ...['pod-running-timeout:', 'insecure-skip-tls-verify-backend'],
  ],
  run(session) {
    const { flags, args } = session;
    if (args.length === 0 && flags.value('selector') === '') throw new UsageFailure(USAGE, session.path);
    if (args.length > 0 && flags.value('selector') !== '')
      throw new KubectlFailure('only a selector (-l) or a POD name is allowed');
    if (args.length === 2 && flags.value('container') !== '')
      throw new KubectlFailure('only one of -c or an inline [CONTAINER] arg is allowed');
    if (args.length > 2) throw new UsageFailure(USAGE, session.path);
    const pods = podsOf(session);
    const sources = pods.flatMap((pod) => containersOf(session, pod).map((container) => ({ pod, container })));
    const withPrefix = flags.isOn('prefix');
    const tasks: Task[] = [];
    for (const { pod, container } of sources) {
      const source = { namespace: pod.metadata?.namespace ?? '', pod: pod.metadata?.name ?? '', container };
      const prefix = withPrefix ? `[pod/${source.pod}/${container}] ` : '';
      if (flags.isOn('follow')) tasks.push(task('logs follow', { ...source, prefix, last: '', count: 0, first: true }));
      else show(session, source, prefix);
    }
    return tasks;
  },
};

interface Source {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** A pod by its name, the first pod of what has pods, or all that a selector finds. */
function podsOf(session: Session): ApiObject[] {
  const resource = resourceNamed(session, 'pods');
  const { flags, args, namespace } = session;
  if (flags.value('selector') !== '') {
    const found = listOf(session, resource, namespace);
    if (found.length === 0) session.err(`No resources found in ${namespace} namespace.\n`);
    const most = Number(flags.value('max-log-requests') || 5);
    if (flags.isOn('follow') && found.length > most)
      throw new KubectlFailure(
        `you are attempting to follow ${found.length} log streams, but maximum allowed concurrency is ${most}, use --max-log-requests to increase the limit`,
      );
    return found.slice(0, MAX_PODS);
  }
  const [target] = readTargets(session, [args[0]!.includes('/') ? args[0]! : `pods/${args[0]}`]);
  return podsOfTarget(session, target!.resource, target!.names[0]!);
}

function logPath(session: Session, { namespace, pod, container }: Source, more: Record<string, string>): string {
  const { flags } = session;
  const query = {
    container,
    ...(flags.isOn('previous') ? { previous: 'true' } : {}),
    ...(flags.has('since')
      ? { sinceSeconds: String(Math.ceil(durationMs(flags.value('since'), 'since') / 1_000)) }
      : {}),
    ...(flags.has('since-time') ? { sinceTime: flags.value('since-time') } : {}),
    ...(flags.has('limit-bytes') ? { limitBytes: flags.value('limit-bytes') } : {}),
    ...(flags.has('tail') && flags.value('tail') !== '-1' ? { tailLines: flags.value('tail') } : {}),
    ...(!flags.has('tail') && flags.value('selector') !== '' ? { tailLines: '10' } : {}),
    ...(flags.isOn('timestamps') ? { timestamps: 'true' } : {}),
    ...more,
  };
  const text = Object.entries(query)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&');
  return `${pathOf(resourceNamed(session, 'pods'), namespace, pod)}/log?${text}`;
}

function show(session: Session, source: Source, prefix: string): void {
  const answer = session.call({ path: logPath(session, source, {}), accept: '*/*' });
  if (answer.status >= 400) {
    try {
      readAnswer(answer);
    } catch (error) {
      if (!(error instanceof ApiFailure) || !session.flags.isOn('ignore-errors')) throw error;
      session.err(`${explain(error)}\n`);
    }
    return;
  }
  session.out(prefix === '' ? answer.body : answer.body.replace(/^(?=[\s\S])/gm, prefix));
}

type Following = Source & {
  readonly prefix: string;
  /** The time of the last line that was shown, and how many lines of that time were. */
  readonly last: string;
  readonly count: number;
  readonly first: boolean;
};

/** Shows what a container has printed since the last look, and looks again while it runs. */
function follow(session: Session, data: Plain): Task[] {
  const state = data as unknown as Following;
  const pod = session.find(pathOf(resourceNamed(session, 'pods'), state.namespace, state.pod));
  const more: Record<string, string> = { timestamps: 'true' };
  if (!state.first && state.last !== '') more['sinceTime'] = `${state.last.slice(0, 19)}Z`;
  const answer = session.call({ path: logPath(session, state, more), accept: '*/*' });
  if (answer.status >= 400) {
    if (state.first) readAnswer(answer);
    return [];
  }
  const lines = answer.body.split('\n').slice(0, -1);
  const fresh = state.first ? lines : newLines(lines, state);
  const isStamped = session.flags.isOn('timestamps');
  for (const line of fresh) session.out(`${state.prefix}${isStamped ? line : line.slice(line.indexOf(' ') + 1)}\n`);
  const last = fresh.length > 0 ? stampOf(fresh.at(-1)!) : state.last;
  const count = fresh.length > 0 ? lines.filter((line) => stampOf(line) === last).length : state.count;
  if (!pod || !runs(pod, state.container)) return [];
  return [task('logs follow', { ...state, last, count, first: false } as unknown as Plain, LOOK_EVERY)];
}

const stampOf = (line: string): string => line.split(' ', 1)[0]!;

/** A stamp with all nine digits, so that two can be compared. */
const comparable = (stamp: string): string => {
  const [whole = '', fraction = ''] = stamp.replace(/Z$/, '').split('.');
  return `${whole}.${fraction.padEnd(9, '0')}`;
};

function newLines(lines: readonly string[], { last, count }: Following): string[] {
  let same = 0;
  return lines.filter((line) => {
    const stamp = stampOf(line);
    if (stamp === last) return ++same > count;
    return comparable(stamp) > comparable(last);
  });
}

function runs(pod: ApiObject, container: string): boolean {
  const status = (pod['status'] ?? {}) as Readonly<
    Record<string, readonly { readonly name: string; readonly state?: { readonly terminated?: unknown } }[]>
  >;
  const all = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'].flatMap(
    (name) => status[name] ?? [],
  );
  const found = all.find(({ name }) => name === container);
  return found?.state?.terminated === undefined;
}

export const group: CommandGroup = { commands: { logs }, tasks: { 'logs follow': follow } };
