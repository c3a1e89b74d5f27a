import type { Container } from '../../../api/core_v1.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Start } from '../../cri/image.js';

/** What a program is told of its start, and how to find the rest. */
export interface StartParts extends Pick<
  Start,
  'argv' | 'container' | 'at' | 'pod' | 'seed' | 'ends' | 'files' | 'resolves' | 'connects'
> {
  env(): Start['env'];
  beside(): Start['beside'];
  kept(): Start['kept'];
  taken(): Start['taken'];
  fault(): Start['fault'];
}

/** The start of a run. Most programs look at little of it: the rest is found when it is looked at. */
export class RunStart implements Start {
  readonly argv: readonly string[];
  readonly container: Container;
  readonly at: Millis;
  readonly pod: Start['pod'];
  readonly seed: string;
  readonly ends: boolean;
  readonly files: Start['files'];
  readonly resolves: Start['resolves'];
  readonly connects: Start['connects'];

  constructor(private readonly parts: StartParts) {
    this.argv = parts.argv;
    this.container = parts.container;
    this.at = parts.at;
    this.pod = parts.pod;
    this.seed = parts.seed;
    this.ends = parts.ends;
    this.files = parts.files;
    this.resolves = parts.resolves;
    this.connects = parts.connects;
  }

  get env(): Start['env'] {
    return this.parts.env();
  }

  get beside(): Start['beside'] {
    return this.parts.beside();
  }

  get kept(): Start['kept'] {
    return this.parts.kept();
  }

  get taken(): Start['taken'] {
    return this.parts.taken();
  }

  get fault(): Start['fault'] {
    return this.parts.fault();
  }
}
