export { schedulerController } from './controller.js';
export { explainScheduling } from './explain.js';
export { otherSchedulers } from './others/controller.js';
export { findScheduler } from './others/find-scheduler.js';
