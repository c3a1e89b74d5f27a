import { kind as Configurations } from '../../kinds/admissionregistration/validatingwebhookconfiguration/kind.js';
import { OutsideCallsNeeded, type OutsideCall } from '../../machinery/requests/http.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';
import { isExempt } from '../policy/match.js';
import { callHook } from '../webhook/call-hook.js';
import { hooksFor, matchHook } from '../webhook/match.js';

/**
 * Calls all validating webhooks; the first denial is the answer. Models
 * apiserver/pkg/admission/plugin/webhook/validating. Left out: audit annotations, since there is no audit log.
 */
export const plugin: AdmissionPlugin = {
  name: 'ValidatingAdmissionWebhook',
  handlesBodies: true,
  validate(request) {
    const configurations = request.client.list(Configurations);
    if (configurations.length === 0 || isExempt(request.kind)) return;
    const invocations = hooksFor(configurations, request).map((hook) => ({ hook, kind: matchHook(hook, request) }));
    const errors: ApiError[] = [];
    const outsideCalls: OutsideCall[] = [];
    for (const { hook, kind } of invocations) {
      if (!kind) continue;
      try {
        callHook(hook, request, kind, false);
      } catch (error) {
        if (error instanceof OutsideCallsNeeded) outsideCalls.push(...error.calls);
        else if (error instanceof ApiError) errors.push(error);
        else throw error;
      }
    }
    if (outsideCalls.length > 0) throw new OutsideCallsNeeded(outsideCalls);
    if (errors[0]) throw errors[0];
  },
};
