import { orderedPlugins } from '../../admission/ordered-plugins.js';
import { Store } from '../../apiserver/registry/store.js';
import type { Dial } from '../../machinery/requests/http.js';
import { flowsOf } from '../../node/index.js';
import { answererOf, timelineOf } from '../../why/index.js';
import type { OutsideCalls } from '../outside-calls.js';
import { whyParts, type WhyOptions } from './why-parts.js';

interface StoreParts extends Omit<WhyOptions, 'askHistory'> {
  readonly seed: string;
  /** The API server's way to the ports of pods. */
  readonly dial: Dial;
  readonly outsideCalls: OutsideCalls;
}

/** The write path, with what answers the questions that are asked by writing an object. */
export function newStore(parts: StoreParts): Store {
  const { state, registry, seed, keys, dial, outsideCalls, machines, trace } = parts;
  const why = whyParts({ ...parts, askHistory: outsideCalls.askHistory });
  return new Store(state, registry, orderedPlugins, {
    seed,
    keys,
    dial,
    outside: outsideCalls.ask,
    waitForComponent: outsideCalls.waitForComponent,
    trace,
    flows: flowsOf(machines, state),
    why: answererOf(why),
    timeline: timelineOf(why),
  });
}
