import type { Image } from '@terrarium/engine';
import { applications, loads } from './applications.js';
import { courses } from './courses.js';
import { infrastructure } from './infrastructure/index.js';
import { samples } from './samples.js';

/** Images of which many are told in a few words each. */
export const families: readonly Image[] = [...samples, ...courses, ...applications, ...loads, ...infrastructure];
