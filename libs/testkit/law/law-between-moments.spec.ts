import { expectLaw, killed, SEEDS } from './runs.js';

expectLaw(
  SEEDS.filter((seed) => seed % 2 === 0),
  'between moments',
  killed,
);
