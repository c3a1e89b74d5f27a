export { Checks, type ChecksParts } from './checks.js';
export { checkController } from './controller.js';
