/** Label and field selectors. Models apimachinery/pkg/{labels,fields}. */
export * from './field-selector.js';
export * from './label-selector.js';
export { parseLabelSelector } from './parser.js';
export * from './requirement.js';
