import type { Image } from '@terrarium/engine';
import { applications, loads } from './applications.js';
import { backups } from './backups.js';
import { busyboxes } from './busyboxes.js';
import { artifacts } from './artifacts.js';
import { cassandra } from './cassandra.js';
import { courses } from './courses.js';
import { distributions } from './distributions.js';
import { infrastructure } from './infrastructure/index.js';
import { languages } from './languages/index.js';
import { samples } from './samples.js';
import { tutorials } from './tutorials.js';

/** Images of which many are told in a few words each. */
export const families: readonly Image[] = [
  ...samples,
  ...busyboxes,
  ...tutorials,
  ...courses,
  ...applications,
  ...loads,
  ...infrastructure,
  ...distributions,
  ...languages,
  ...artifacts,
  ...backups,
  ...cassandra,
];
