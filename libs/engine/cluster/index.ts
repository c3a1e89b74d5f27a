export { BEHAVIOUR_VERSION, BEHAVIOURS } from './behaviour.js';
export { Cluster, userOf, type CheckpointState, type ClusterOptions } from './cluster.js';
export { restoreManagedFields } from './managed-fields.js';
export {
  defaultWorkers,
  makeTemplate,
  shiftCheckpoint,
  templateKey,
  TEMPLATE_EPOCH,
  type NodeSpec,
  type TemplateOptions,
} from './template.js';
export { VERSION } from './bootstrap/versions.js';
