import { Failure, toFailure } from '../../../api/failure.js';
import { read, write } from '../../../kube/client.js';
import { at, listAt, textAt, type KubeObject } from '../../../kube/object.js';
import type { Row } from '../../../kube/row.js';
import { pathOf, type Resource } from '../../../kube/resource.js';
import { t } from '../../../texts/texts.js';
import {
  cordonWrite,
  deleteWrite,
  evictWrite,
  pauseWrite,
  planDrain,
  restartWrite,
  scaleWrite,
  suspendWrite,
  type ActionName,
  type DrainPod,
  type Write,
} from './actions.js';
import { keepersPath, revisionBefore, revisionsOf, rollbackWrite } from '../rollout/revisions.js';
import { triggerWrite } from './from-object.js';

type Target = Pick<Row, 'namespace' | 'name'>;

export interface ActionInput {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly targets: readonly Target[];
  readonly replicas: number;
  /** For a drain: with --force and --delete-emptydir-data. */
  readonly isForced: boolean;
}

type Report = (text: string) => void;

/** Writes that are under way at once. */
const AT_ONCE = 6;
const TOO_MANY_REQUESTS = 429;
const NOT_FOUND = 404;
const CONFLICT = 409;
/** As kubectl drain waits for a disruption budget; and how often. */
const RETRY_MS = 5_000;
const MAX_RETRIES = 12;

/** Does it to all targets. Rejects with Failure: the first one's, after the others were tried. */
export async function runAction(input: ActionInput, action: ActionName, report: Report): Promise<void> {
  const { clusterId, resource, targets } = input;
  let done = 0;
  await forEach(targets, async (target) => {
    if (action === 'drain') await drain(input, target, report);
    else {
      const one = writeOf(input, action, target) ?? (await readWrite(input, action, target));
      if (one) await send(clusterId, one).catch(tellCauses);
    }
    report(t.objects.progress(++done, targets.length, resource.resource));
  });
}

function writeOf({ resource, replicas }: ActionInput, action: ActionName, target: Target): Write | undefined {
  if (action === 'delete') return deleteWrite(resource, target);
  if (action === 'scale') return scaleWrite(resource, target, replicas);
  if (action === 'pauseRollout' || action === 'resumeRollout')
    return pauseWrite(resource, target, action === 'pauseRollout');
  if (action === 'evict') return evictWrite({ metadata: target });
  if (action === 'suspend' || action === 'resume') return suspendWrite(resource, target, action === 'suspend');
  if (action === 'cordon' || action === 'uncordon') return cordonWrite(resource, target, action === 'cordon');
  return undefined;
}

/** Writes that need to know the object first. */
async function readWrite(input: ActionInput, action: ActionName, target: Target): Promise<Write | undefined> {
  const { clusterId, resource } = input;
  if (!READING.has(action)) return undefined;
  const object = await read({ clusterId }, pathOf(resource, target.namespace, target.name));
  if (action === 'trigger') return triggerWrite(object, `${target.name.slice(0, 40)}-${Date.now().toString(36)}`);
  if (action === 'restart') {
    if (at(object, 'spec', 'paused') === true) throw new Failure(PAUSED, CONFLICT);
    return restartWrite(resource, target, new Date().toISOString().replace(/\.\d+/, ''));
  }
  const { items } = await read<{ items: KubeObject[] }>({ clusterId }, keepersPath(object));
  return rollbackWrite(resource, object, revisionBefore(revisionsOf(object, items), t.objects.noRevision(target.name)));
}

const READING: ReadonlySet<ActionName> = new Set(['trigger', 'restart', 'undo']);
/** As kubectl refuses it. */
const PAUSED = "can't restart paused deployment (run rollout resume first)";

const send = (clusterId: string, { method, path, body, type }: Write): Promise<unknown> =>
  write({ clusterId }, method, path, { body, type });

/** What a Status names as causes says more than its message: which budget, and what it needs. */
function tellCauses(error: unknown): never {
  const { message, status, details } = toFailure(error);
  const causes = listAt(details, 'causes').map((cause) => textAt(cause, 'message'));
  const more = causes.filter((cause) => cause !== '' && !message.includes(cause));
  throw new Failure([message, ...more].join('\n'), status, details);
}

/** As `kubectl drain --ignore-daemonsets`: cordons, then evicts, and waits while a budget does not allow it. */
async function drain({ clusterId, resource, isForced }: ActionInput, node: Target, report: Report): Promise<void> {
  await send(clusterId, cordonWrite(resource, node, true));
  const query = `fieldSelector=${encodeURIComponent(`spec.nodeName=${node.name}`)}`;
  const { items } = await read<{ items: readonly DrainPod[] }>({ clusterId }, `/api/v1/pods?${query}`);
  const { evict, refused } = planDrain(items);
  if (refused.length > 0 && !isForced) {
    const [{ pod, flag }] = refused as [(typeof refused)[number]];
    throw new Failure(
      t.objects.drainRefused(`${pod.metadata.namespace}/${pod.metadata.name}`, flag, refused.length),
      CONFLICT,
    );
  }
  await forEach([...evict, ...refused.map(({ pod }) => pod)], (pod) => evictPod(clusterId, pod, report));
}

async function evictPod(clusterId: string, pod: DrainPod, report: Report): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await send(clusterId, evictWrite(pod));
      return report(t.objects.evicted(pod.metadata.name));
    } catch (error) {
      const { status, message } = toFailure(error);
      if (status === NOT_FOUND) return;
      if (status !== TOO_MANY_REQUESTS || tries >= MAX_RETRIES) throw error;
      report(message);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Some at once; all are tried. Rejects with the first failure. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const failures: unknown[] = [];
  const runNext = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      // The first failure is told at the end.
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runNext));
  if (failures.length > 0) throw failures[0];
}
