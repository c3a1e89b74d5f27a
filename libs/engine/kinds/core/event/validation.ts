import type { Event } from '../../../api/core_v1.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { invalidEach, isDNS1123Subdomain, isQualifiedName } from '../../../machinery/meta/validation.js';

const [MAX_WORD, MAX_NOTE] = [128, 1024];

/**
 * Models pkg/apis/core/validation/events.go: legacy checks for events of core/v1, the stricter ones when eventTime is
 * set. `reporter` is the requested version's name of the field.
 */
export function validateEvent(event: Event, reporter: 'reportingComponent' | 'reportingController'): FieldError[] {
  const errors: FieldError[] = [];
  const namespace = event.involvedObject.namespace ?? '';
  const own = event.metadata.namespace ?? '';
  const compatible = event.eventTime ? ['default', 'kube-system'] : ['', 'default'];
  if (namespace === '' ? !compatible.includes(own) : !event.eventTime && namespace !== own) {
    errors.push(invalidValue(Path.of('involvedObject', 'namespace'), namespace, 'does not match event.namespace'));
  }
  if (event.eventTime) errors.push(...validateNew(event, Path.of(reporter)));
  return [...errors, ...invalidEach(Path.of('namespace'), own, isDNS1123Subdomain(own))];
}

/** The stricter checks, of an event with an eventTime: clients of core/v1 do not set it. */
function validateNew(event: Event, at: Path): FieldError[] {
  const reporter = event.reportingComponent ?? '';
  const errors = [...(reporter ? [] : [required(at)]), ...invalidEach(at, reporter, isQualifiedName(reporter))];
  for (const field of ['reportingInstance', 'action', 'reason'] as const) {
    if (!event[field]) errors.push(required(Path.of(field)));
    if ((event[field]?.length ?? 0) > MAX_WORD)
      errors.push(invalidValue(Path.of(field), '', `can have at most ${MAX_WORD} characters`));
  }
  if ((event.message?.length ?? 0) > MAX_NOTE)
    errors.push(invalidValue(Path.of('message'), '', `can have at most ${MAX_NOTE} characters`));
  return errors;
}
