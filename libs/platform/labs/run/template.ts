import { DEFAULT_NAMES, parseVersion, type TemplateOptions } from '@terrarium/engine';
import { workerNodes } from '../../clusters/templates.js';
import type { LabSpec } from '../lab-file.js';

/** The template of a lab's cluster. Throws Refusal 400 when two of its nodes would have one name. */
export function labTemplate(cluster: LabSpec['cluster']): TemplateOptions {
  const { controlPlane, storageClass, version, speed, ipFamilies } = cluster;
  return {
    workers: workerNodes(cluster),
    speed,
    names: {
      controlPlane,
      storageClass,
      version: parseVersion(version) ?? DEFAULT_NAMES.version,
      ...(ipFamilies?.includes('IPv6') ? { dualStack: true } : {}),
    },
  };
}
