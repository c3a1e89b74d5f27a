import type { PodTemplateSpec } from '../../../../../engine/api/core_v1.js';
import { describeContainers } from './containers.js';
import { describeAnnotations, describeLabels, type Details } from './details.js';
import { describeTolerations, describeVolumes } from './volumes.js';

/** Models k8s.io/kubectl/pkg/describe DescribePodTemplate. */
export function describeTemplate(details: Details, template: unknown): void {
  details.line(0, 'Pod Template:');
  if (typeof template !== 'object' || template === null) return details.line(1, '<unset>');
  const { metadata, spec } = template as PodTemplateSpec;
  if (!spec) return details.line(1, '<unset>');
  describeLabels(details, '  Labels', metadata?.labels);
  if (metadata?.annotations && Object.keys(metadata.annotations).length > 0)
    describeAnnotations(details, '  Annotations', metadata.annotations);
  if (spec.serviceAccountName) details.field(1, 'Service Account', spec.serviceAccountName);
  if (spec.initContainers?.length) describeContainers(details, 'Init Containers', spec.initContainers, undefined, '  ');
  describeContainers(details, 'Containers', spec.containers, undefined, '  ');
  describeVolumes(details, spec.volumes, '  ');
  if (spec.priorityClassName) details.field(1, 'Priority Class Name', spec.priorityClassName);
  describeLabels(details, '  Node-Selectors', spec.nodeSelector);
  describeTolerations(details, spec.tolerations, '  ');
}
