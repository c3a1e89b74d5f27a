import { admitMutatingBody, admitValidating } from '../steps/admission.js';
import { seedContext } from '../steps/context.js';
import type { BodyWrite, Step } from '../write.js';

/** Admission of the body of a subresource or a connection; the kind's action or the connection does the rest. */
export const ADMIT_BODY_STEPS: readonly Step<BodyWrite>[] = [seedContext, admitMutatingBody, admitValidating];
