import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { SECOND } from '../../../../../engine/machinery/time/time.js';
import type { ContainerView, RuntimeView } from '../../../../../engine/node/host/views/runtime-view.js';
import type { FilterContext } from '../../../framework/filter.js';
import { parseOptions } from '../../../framework/options.js';
import { defineSteps } from '../../../framework/steps.js';
import { ToolFailure } from '../../../framework/tool.js';
import { askRuntime } from '../../runtime.js';
import { containerStatus, sandboxStatus } from './describe.js';
import { fail, GLOBAL } from '../failure.js';

/** How often it looks. */
const PERIOD_MS = SECOND;

type EventsState = {
  /** What was seen of each container and sandbox, by its id. */
  seen: Record<string, string> | null;
};

type EventType = 'CREATED' | 'STARTED' | 'STOPPED' | 'DELETED';

/** `crictl events`: what becomes of containers and sandboxes from now on. Models cmd/crictl/events.go. */
export const crictlEvents = defineSteps<EventsState>({
  start(tool) {
    try {
      const { operands } = parseOptions(tool, GLOBAL, true);
      const options = parseOptions({ ...tool, args: operands.slice(1) }, ['o,output:', 'template:']);
      const format = options.value('o') ?? 'json';
      if (!['json', 'yaml', 'go-template'].includes(format))
        throw new ToolFailure(`don't support ${JSON.stringify(format)} format`);
      if (format !== 'json') throw new ToolFailure(`the format ${JSON.stringify(format)} is not simulated here`);
      return { seen: null };
    } catch (error) {
      return fail(tool, error);
    }
  },
  step(tool, state) {
    try {
      return look(tool, state);
    } catch (error) {
      return fail(tool, error, 'getting container events');
    }
  },
});

function look(tool: FilterContext, state: EventsState): { readonly type: 'wait'; readonly until: number } {
  const view = askRuntime(tool.sys);
  const now = stateOf(view);
  if (state.seen) for (const [id, type] of changesOf(state.seen, now)) print(tool, view, id, type);
  state.seen = now;
  return { type: 'wait', until: tool.sys.now + PERIOD_MS };
}

const stateOf = ({ containers, pods }: RuntimeView): Record<string, string> =>
  Object.fromEntries([
    ...pods.map(({ id, isReady }) => [id, isReady ? 'Running' : 'Exited']),
    ...containers.map(({ id, state }) => [id, state]),
  ]);

/** The events that lead from one state to the next. */
function changesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): (readonly [id: string, type: EventType])[] {
  const changes: (readonly [string, EventType])[] = [];
  for (const [id, state] of Object.entries(after)) {
    const was = before[id];
    if (was === undefined) changes.push([id, 'CREATED']);
    if (was !== state && state !== 'Created' && (was === undefined || was === 'Created')) changes.push([id, 'STARTED']);
    if (was !== state && state === 'Exited') changes.push([id, 'STOPPED']);
  }
  for (const id of Object.keys(before)) if (after[id] === undefined) changes.push([id, 'DELETED']);
  return changes;
}

function print(tool: FilterContext, view: RuntimeView, id: string, type: EventType): void {
  const container: ContainerView | undefined = view.containers.find((one) => one.id === id);
  const pod = view.pods.find((one) => one.id === (container?.podId ?? id));
  const event = {
    containerId: id,
    containerEventType: `CONTAINER_${type}_EVENT`,
    createdAt: `${tool.sys.now}000000`,
    podSandboxStatus: pod ? sandboxStatus(pod) : null,
    containersStatuses: view.containers.filter(({ podId }) => podId === pod?.id).map(containerStatus),
  };
  tool.out(bytesOf(`${JSON.stringify(event, undefined, 2)}\n`));
}
