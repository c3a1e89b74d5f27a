/** Pod templates and the selectors beside them. Models ValidatePodTemplateSpec of pkg/apis/core/validation. */
import type { PodTemplateSpec } from '../../../../api/core_v1.js';
import {
  forbiddenField,
  invalidField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../../machinery/meta/field.js';
import type { LabelSelector } from '../../../../machinery/meta/object.js';
import { validateAnnotations, validateLabels, validateLabelSelector } from '../../../../machinery/meta/validation.js';
import { matchesLabelSelector } from '../../../../machinery/selectors/selectors.js';
import { toInternalForm } from '../../../internal-form.js';
import { validateSpec } from './spec.js';

/** `path` is that of the template: 'spec.template'. */
export function validatePodTemplate(template: PodTemplateSpec | undefined, path: Path): FieldError[] {
  if (!template) return [required(path)];
  const { metadata, spec } = template;
  const errors = [
    ...validateLabels(metadata?.labels, path.child('labels')),
    ...validateAnnotations(metadata?.annotations, path.child('annotations')),
  ];
  if (spec) validateSpec(spec, path.child('spec'), errors, undefined);
  if (spec?.ephemeralContainers?.length)
    errors.push(
      forbiddenField(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template'),
    );
  return errors;
}

/**
 * The errors of a workload's selector and, when the selector can be parsed, of the template. `noun` is the word in
 * upstream's message: 'empty selector is invalid for deployment'.
 */
export function validateSelectedTemplate(
  selector: LabelSelector | undefined,
  template: PodTemplateSpec,
  path: Path,
  noun: 'deployment' | 'daemonset' | 'statefulset',
  rest: () => FieldError[],
): FieldError[] {
  const at = path.child('selector');
  const faults = selector ? validateLabelSelector(selector, at) : [];
  const isEmpty = !!selector && !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length;
  const empty = isEmpty
    ? [invalidValue(at, toInternalForm('LabelSelector', selector), `empty selector is invalid for ${noun}`)]
    : [];
  const readable = faults.length === 0;
  const unmatched =
    readable && !isEmpty && !(selector && matchesLabelSelector(selector, template.metadata?.labels))
      ? [templateLabelsMismatch(template, path)]
      : [];
  if (noun === 'daemonset') return [...faults, ...unmatched, ...empty, ...rest()];
  const first = selector ? [...faults, ...empty] : [required(at)];
  if (readable) return [...first, ...unmatched, ...rest()];
  const value = toInternalForm('LabelSelector', selector);
  return [
    ...first,
    noun === 'deployment' ? invalidValue(at, value, 'invalid label selector') : invalidField(at, JSON.stringify(value)),
  ];
}

export const templateLabelsMismatch = (template: PodTemplateSpec, path: Path): FieldError =>
  invalidValue(
    path.child('template', 'metadata', 'labels'),
    template.metadata?.labels ?? null,
    '`selector` does not match template `labels`',
  );

/** The pods of all workloads but Jobs restart always and have no deadline. */
export function validateAlwaysRestarted(template: PodTemplateSpec | undefined, path: Path, noun: string): FieldError[] {
  const { restartPolicy = 'Always', activeDeadlineSeconds } = template?.spec ?? {};
  const errors =
    restartPolicy === 'Always' ? [] : [notSupported(path.child('spec', 'restartPolicy'), restartPolicy, ['Always'])];
  if (activeDeadlineSeconds === undefined) return errors;
  return [
    ...errors,
    forbiddenField(path.child('spec', 'activeDeadlineSeconds'), `activeDeadlineSeconds in ${noun} is not Supported`),
  ];
}
