/** One node of the tree of flows: a tenant, or a cluster of a tenant. */
class Flow<W> {
  /** Time (ms) that was charged to this flow, on its parent's clock. */
  used = 0;
  /** What the flow that was served last had used: a flow that comes back begins here, and has saved up nothing. */
  clock = 0;
  /** Work that waits in this flow and in those below it. */
  size = 0;
  readonly waiting: W[] = [];
  readonly flows = new Map<string, Flow<W>>();
}

/** Beyond this number of flows below one, those that are idle are forgotten. */
const MAX_FLOWS = 1_000;
/** Charged (ms) for each piece of work at its start, so that flows whose work costs nothing take turns too. */
const MIN_COST_MS = 0.001;

/**
 * Work that waits in flows, and flows of flows: by tenant, then by cluster. Next is the oldest work of the flow that
 * has used the least time (start-time fair queueing, Goyal et al. 1996), so that flows that always have work get the
 * same time, whatever one piece of their work costs and however many flows are below them.
 */
export class FlowQueue<W> {
  private readonly root = new Flow<W>();

  get size(): number {
    return this.root.size;
  }

  /** Pieces of work that wait in one flow. */
  sizeOf(path: readonly string[]): number {
    let flow: Flow<W> | undefined = this.root;
    for (const name of path) flow = flow?.flows.get(name);
    return flow?.size ?? 0;
  }

  push(path: readonly string[], work: W): void {
    let flow = this.root;
    flow.size++;
    for (const name of path) {
      const child = childOf(flow, name);
      if (child.size === 0) child.used = Math.max(child.used, flow.clock);
      child.size++;
      flow = child;
    }
    flow.waiting.push(work);
  }

  /** Removes the next work. `canRun` passes over flows of the first level. */
  shift(canRun?: (name: string) => boolean): W | undefined {
    const first = leastUsed(this.root, canRun);
    if (!first && this.root.waiting.length === 0) return undefined;
    this.root.size--;
    let flow = this.root;
    for (let next = first; next; next = leastUsed(next)) {
      flow.clock = Math.max(flow.clock, next.used);
      next.used += MIN_COST_MS;
      next.size--;
      flow = next;
    }
    return flow.waiting.shift();
  }

  /** Removes work that waits in this flow: its caller has left. */
  remove(path: readonly string[], work: W): void {
    const flows = [this.root];
    for (const name of path) flows.push(childOf(flows.at(-1)!, name));
    const { waiting } = flows.at(-1)!;
    const at = waiting.indexOf(work);
    if (at < 0) return;
    waiting.splice(at, 1);
    for (const flow of flows) flow.size--;
  }

  /** Charges time that work of a flow has taken. */
  charge(path: readonly string[], ms: number): void {
    let flow = this.root;
    for (const name of path) {
      const child = childOf(flow, name);
      child.used += ms;
      flow = child;
    }
  }
}

function childOf<W>(flow: Flow<W>, name: string): Flow<W> {
  const known = flow.flows.get(name);
  if (known) return known;
  if (flow.flows.size >= MAX_FLOWS) forgetIdleFlows(flow);
  const child = new Flow<W>();
  child.used = flow.clock;
  flow.flows.set(name, child);
  return child;
}

function forgetIdleFlows<W>(flow: Flow<W>): void {
  for (const [name, { size }] of flow.flows) if (size === 0) flow.flows.delete(name);
}

function leastUsed<W>(flow: Flow<W>, canRun?: (name: string) => boolean): Flow<W> | undefined {
  let least: Flow<W> | undefined;
  for (const [name, child] of flow.flows) {
    if (child.size === 0 || (least && child.used >= least.used)) continue;
    if (!canRun || canRun(name)) least = child;
  }
  return least;
}
