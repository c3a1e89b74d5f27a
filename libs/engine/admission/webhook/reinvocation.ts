import { deepEqual } from '../../machinery/meta/equal.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { AdmissionRequest } from '../../runtime/admission.js';

/**
 * Which of a plug-in's webhooks or policies have their turn, over the two rounds of one request: those that asked for
 * it see
 * what was changed after them. Models apiserver/pkg/admission/plugin/webhook/mutating reinvocationcontext.go.
 */
export class Turns {
  private eligible = new Set<string>();
  private readonly due = new Set<string>();
  private output: KubeObject | undefined;

  static of(request: AdmissionRequest, plugin: string): Turns {
    const known = request.memory.get(plugin) as Turns | undefined;
    const turns = known ?? new Turns();
    if (!known) request.memory.set(plugin, turns);
    else if (turns.output && !deepEqual(turns.output, request.object)) turns.callAgain();
    return turns;
  }

  has(request: AdmissionRequest, id: string): boolean {
    return request.round === 0 || this.due.has(id);
  }

  taken(request: AdmissionRequest, id: string, changed: boolean, again: boolean): void {
    if (changed) {
      this.callAgain();
      request.runAgain();
    }
    if (again) this.eligible.add(id);
  }

  /** What the other plug-ins start from. */
  end({ object }: AdmissionRequest): void {
    this.output = object && { ...object, metadata: { ...object.metadata } };
  }

  private callAgain(): void {
    for (const id of this.eligible) this.due.add(id);
    this.eligible = new Set();
  }
}
