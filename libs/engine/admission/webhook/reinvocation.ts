import { deepEqual } from '../../machinery/meta/equal.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { AdmissionRequest } from '../../runtime/admission.js';

/**
 * Decides which of a plug-in's webhooks or policies are called again in the second round of a request: those with the
 * reinvocationPolicy IfNeeded, when another plug-in, webhook or policy has changed the object after them. Models
 * apiserver/pkg/admission/plugin/webhook/mutating/reinvocationcontext.go.
 */
export class ReinvocationContext {
  private reinvokable = new Set<string>();
  private readonly toReinvoke = new Set<string>();
  private output: KubeObject | undefined;

  /** The context of a plug-in in this request, made in the first round. */
  static of(request: AdmissionRequest, plugin: string): ReinvocationContext {
    const known = request.pluginState.get(plugin) as ReinvocationContext | undefined;
    const context = known ?? new ReinvocationContext();
    if (!known) request.pluginState.set(plugin, context);
    else if (context.output && !deepEqual(context.output, request.object)) context.requireReinvoking();
    return context;
  }

  shouldInvoke(request: AdmissionRequest, id: string): boolean {
    return request.round === 0 || this.toReinvoke.has(id);
  }

  /** `reinvokable`: the reinvocationPolicy is IfNeeded. */
  recordInvocation(request: AdmissionRequest, id: string, changed: boolean, reinvokable: boolean): void {
    if (changed) {
      this.requireReinvoking();
      request.requireReinvocation();
    }
    if (reinvokable) this.reinvokable.add(id);
  }

  /** Keeps the object as the plug-in leaves it, so that the second round sees what other plug-ins changed after it. */
  saveOutput({ object }: AdmissionRequest): void {
    this.output = object && { ...object, metadata: { ...object.metadata } };
  }

  private requireReinvoking(): void {
    for (const id of this.reinvokable) this.toReinvoke.add(id);
    this.reinvokable = new Set();
  }
}
