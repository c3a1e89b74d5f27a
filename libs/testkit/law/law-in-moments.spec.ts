import { expectLaw, killedInMoments, SEEDS } from './runs.js';

expectLaw(
  SEEDS.filter((seed) => seed % 2 === 1),
  'in the middle of one',
  killedInMoments,
);
