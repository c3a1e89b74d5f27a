export { answererOf } from './answerer.js';
export { timelineOf } from './timeline.js';
export type { WhyParts } from './world.js';
