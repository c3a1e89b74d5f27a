export { schedulerController } from './controller.js';
export { explainScheduling } from './explain.js';
