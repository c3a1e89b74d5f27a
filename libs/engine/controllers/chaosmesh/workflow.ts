import { readSpan } from '../../faults/index.js';
import { Scenarios } from '../../kinds/index.js';
import type { ScenarioStep } from '../../kinds/terrarium/scenario/kind.js';
import type { Context, Result } from '../../runtime/controller.js';
import { parseTimestamp, SECOND, timestamp } from '../../machinery/time/time.js';
import { writeCustomStatus } from '../custom-status.js';
import { FIELD_OF, Workflows, type ChaosObject, type ChaosSpec } from './objects.js';
import { translate } from './translate.js';

interface Template {
  readonly name?: string;
  readonly templateType?: string;
  readonly deadline?: string;
  readonly children?: readonly string[];
  readonly [field: string]: unknown;
}

const MAX_DEPTH = 5;

/** A Workflow is a Scenario. Models chaos-mesh/pkg/workflow. Left out: Task, StatusCheck, schedules of cron. */
export function syncWorkflow(context: Context, object: ChaosObject): Result | void {
  const { client, now } = context;
  const { namespace = '', name = '' } = object.metadata;
  const key = { namespace: '', name: `workflow.${namespace}.${name}` };
  const scenario = client.get(Scenarios, key);
  if (object.metadata.deletionTimestamp) return void (scenario && client.delete(Scenarios, key));
  if (!scenario) {
    const steps = stepsOf(object.spec ?? {}, String(object.spec?.['entry'] ?? ''), namespace, 0);
    if (!steps) return writeCustomStatus(context, Workflows, object, { conditions: FAILED });
    client.create(Scenarios, {
      apiVersion: 'terrarium.dev/v1alpha1',
      kind: 'Scenario',
      metadata: { name: key.name },
      spec: { steps },
      status: {},
    });
    return { requeueAfter: 1 };
  }
  const { phase, startTime, endTime, endsAt } = scenario.status;
  const isOver = phase === 'Finished';
  writeCustomStatus(context, Workflows, object, {
    conditions: [
      { type: 'Accomplished', status: isOver ? 'True' : 'False', startTime: null, reason: '' },
      { type: 'Scheduled', status: 'True', startTime: null, reason: '' },
    ],
    entryNode: `${String(object.spec?.['entry'] ?? '')}-0`,
    ...(startTime ? { startTime: timestamp(parseTimestamp(startTime)) } : {}),
    ...(endTime ? { endTime: timestamp(parseTimestamp(endTime)) } : {}),
  });
  if (!isOver) return { requeueAfter: Math.max(SECOND, (endsAt ? parseTimestamp(endsAt) : now) - now + 1) };
}

const FAILED = [{ type: 'Accomplished', status: 'False', startTime: null, reason: 'a template is not simulated' }];

/** The steps of one template; undefined: it is not simulated. */
function stepsOf(spec: ChaosSpec, name: string, namespace: string, depth: number): ScenarioStep[] | undefined {
  const templates = spec['templates'];
  const found = Array.isArray(templates)
    ? (templates as Template[]).find((template) => template.name === name)
    : undefined;
  if (!found || depth >= MAX_DEPTH) return undefined;
  const { templateType = '', deadline, children = [] } = found;
  if (templateType === 'Suspend') return [{ name, delay: readSpan(deadline) === undefined ? '0s' : deadline! }];
  if (templateType === 'Serial' || templateType === 'Parallel') {
    const own = children.map((child) => stepsOf(spec, child, namespace, depth + 1));
    if (own.some((steps) => steps === undefined)) return undefined;
    const steps = own.map((list) => list!);
    return templateType === 'Serial'
      ? steps.flat()
      : [{ name, parallel: steps.map((list): ScenarioStep => (list.length === 1 ? list[0]! : { steps: list })) }];
  }
  if (templateType === 'Schedule') return scheduledSteps(found, namespace);
  const field = FIELD_OF[templateType];
  const translated =
    field === undefined ? undefined : translate(templateType, found[field] as ChaosSpec, namespace, name);
  if (!translated || 'error' in translated) return undefined;
  const { start: _start, ended: _ended, ...fault } = translated.fault;
  return [{ name, fault: { ...fault, ...(readSpan(deadline) === undefined ? {} : { duration: deadline! }) } }];
}

const EVERY = /^@every (.+)$/;
const MAX_REPEATED = 50;

/** An experiment again and again until the deadline, each time for as long as it lasts; undefined: no such schedule. */
function scheduledSteps({ name = '', deadline, schedule }: Template, namespace: string): ScenarioStep[] | undefined {
  const { schedule: text = '', type = '', ...rest } = (schedule ?? {}) as ChaosSpec;
  const every = readSpan(EVERY.exec(text)?.[1]) ?? 0;
  const field = FIELD_OF[type];
  const translated = field === undefined ? undefined : translate(type, rest[field] as ChaosSpec, namespace, name);
  if (every < SECOND || !translated || 'error' in translated) return undefined;
  const { start: _start, ended: _ended, ...fault } = translated.fault;
  const lasts = fault.duration === undefined ? { duration: `${every / SECOND}s` } : {};
  const count = Math.min(MAX_REPEATED, Math.floor((readSpan(deadline) ?? 0) / every));
  return Array.from({ length: count }, () => ({
    name,
    delay: `${every / SECOND}s`,
    fault: { ...fault, ...lasts },
    detached: true,
  }));
}
