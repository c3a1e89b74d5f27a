import type { TemplateOptions } from '@terrarium/engine';
import { clusterNames, workerNodes } from '../../clusters/templates.js';
import type { LabSpec } from '../lab-file.js';

/** The template of a lab's cluster. Throws Refusal 400 when two of its nodes would have one name. */
export const labTemplate = (cluster: LabSpec['cluster']): TemplateOptions => ({
  workers: workerNodes(cluster),
  speed: cluster.speed,
  names: clusterNames(cluster),
});
