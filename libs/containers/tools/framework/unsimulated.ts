import type { Program } from '../../../engine/kernel/process/program.js';
import { defineTool } from './tool.js';

/** A program that an image has, and that is not simulated: it is there, says so, and fails. */
const unsimulated = defineTool((tool) => {
  tool.warn('is not simulated here');
  return 1;
});

export const UNSIMULATED = 'unsimulated';
export const programs: Readonly<Record<string, Program>> = { [UNSIMULATED]: unsimulated };
