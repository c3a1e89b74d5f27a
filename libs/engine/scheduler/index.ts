export { schedulerController } from './controller.js';
