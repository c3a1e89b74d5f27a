import { Faults, Scenarios } from '../../kinds/index.js';
import { planSteps, type Plan, type Scenario, type ScenarioStatus } from '../../kinds/terrarium/scenario/kind.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { microTimestamp, parseTimestamp } from '../../machinery/time/time.js';
import { defineController, type Context, type Result } from '../../runtime/controller.js';

const LABEL = 'terrarium.dev/scenario';

/** Makes the faults of a scenario when their time comes, and ends what is left at its end. Terrarium's own. */
export const controller = defineController<Scenario>({
  name: 'scenario',
  component: 'terrarium',
  actor: 'system:terrarium',
  for: Scenarios,
  owns: [Faults],
  reconcile(context, key): Result | void {
    const { client, now } = context;
    const scenario = client.get(Scenarios, key);
    if (!scenario || scenario.metadata.deletionTimestamp || scenario.status.phase === 'Finished') return;
    const plan = planSteps(scenario.spec.steps);
    const begun = scenario.status.startTime === undefined ? begin(context, scenario, plan) : scenario;
    const startedAt = parseTimestamp(begun.status.startTime!);
    if (scenario.spec.ended || startedAt + plan.end <= now) {
      for (const { at, name } of named(begun, plan)) if (startedAt + at <= now) ensureFault(context, begun, name);
      return finish(context, begun);
    }
    for (const { at, name } of named(begun, plan)) if (startedAt + at <= now) ensureFault(context, begun, name);
    const next = Math.min(plan.end, ...plan.faults.map(({ at }) => at).filter((at) => startedAt + at > now));
    return { requeueAfter: startedAt + next - now };
  },
});

function begin({ client, now }: Context, scenario: Scenario, plan: Plan): Scenario {
  const status: ScenarioStatus = {
    phase: 'Running',
    startTime: microTimestamp(now),
    endsAt: microTimestamp(now + plan.end),
    steps: named(scenario, plan).map(({ name, step, at, type }) => ({
      ...{ name: step, fault: name, type },
      startsAt: microTimestamp(now + at),
    })),
  };
  return client.updateStatus(Scenarios, { ...scenario, status });
}

/** The names that a scenario's faults have. */
const named = ({ metadata }: Scenario, { faults }: Plan) =>
  faults.map(({ name, at, fault }, i) => ({ name: `${metadata.name}-${i + 1}`, step: name, at, type: fault.type }));

function ensureFault({ client }: Context, scenario: Scenario, name: string): void {
  if (client.get(Faults, { namespace: '', name })) return;
  const { name: own = '', uid = '' } = scenario.metadata;
  const number = Number(name.slice(own.length + 1));
  const { fault } = planSteps(scenario.spec.steps).faults[number - 1]!;
  client.create(Faults, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Fault',
    metadata: {
      name,
      labels: { [LABEL]: own },
      ownerReferences: [{ apiVersion: 'terrarium.dev/v1alpha1', kind: 'Scenario', name: own, uid, controller: true }],
    },
    spec: fault,
    status: {},
  });
}

function finish({ client, now }: Context, scenario: Scenario): void {
  for (const { fault: name } of scenario.status.steps ?? []) {
    const fault = client.get(Faults, { namespace: '', name });
    if (fault && isOpen(fault) && (scenario.spec.ended || fault.spec.duration === undefined))
      client.update(Faults, { ...fault, spec: { ...fault.spec, ended: true } });
  }
  client.updateStatus(Scenarios, {
    ...scenario,
    status: { ...scenario.status, phase: 'Finished', endTime: microTimestamp(now) },
  });
}

const isOpen = ({ status }: Fault): boolean => status.phase !== 'Finished' && status.phase !== 'Failed';
