export { BEHAVIOUR_VERSION, BEHAVIOURS } from './behaviour.js';
export { shiftCheckpoint, type CheckpointState } from './checkpoint.js';
export { Cluster, type ClusterOptions } from './cluster.js';
export { restoreManagedFields } from './managed-fields.js';
export { defaultWorkers, makeTemplate, templateKey, TEMPLATE_EPOCH } from './template.js';
export type { NodeSpec, TemplateOptions } from './template-options.js';
export { VERSION } from './bootstrap/versions.js';
