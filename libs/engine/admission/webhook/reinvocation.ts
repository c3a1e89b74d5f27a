import { deepEqual } from '../../machinery/meta/equal.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { AdmissionRequest } from '../../runtime/admission.js';

/**
 * Which of a plug-in's webhooks or policies have their turn, over the two rounds of one request: those that asked for
 * it see
 * what was changed after them. Models apiserver/pkg/admission/plugin/webhook/mutating reinvocationcontext.go.
 */
export class ReinvocationContext {
  private eligible = new Set<string>();
  private readonly due = new Set<string>();
  private output: KubeObject | undefined;

  static of(request: AdmissionRequest, plugin: string): ReinvocationContext {
    const known = request.pluginState.get(plugin) as ReinvocationContext | undefined;
    const turns = known ?? new ReinvocationContext();
    if (!known) request.pluginState.set(plugin, turns);
    else if (turns.output && !deepEqual(turns.output, request.object)) turns.requireReinvoking();
    return turns;
  }

  shouldInvoke(request: AdmissionRequest, id: string): boolean {
    return request.round === 0 || this.due.has(id);
  }

  recordInvocation(request: AdmissionRequest, id: string, changed: boolean, again: boolean): void {
    if (changed) {
      this.requireReinvoking();
      request.requireReinvocation();
    }
    if (again) this.eligible.add(id);
  }

  /** What the other plug-ins start from. */
  saveOutput({ object }: AdmissionRequest): void {
    this.output = object && { ...object, metadata: { ...object.metadata } };
  }

  private requireReinvoking(): void {
    for (const id of this.eligible) this.due.add(id);
    this.eligible = new Set();
  }
}
