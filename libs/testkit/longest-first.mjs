import Sequencer from '@jest/test-sequencer';

/**
 * Suites that take half a minute and more: begun last, one of them would leave the other cores idle. Those of browsers
 * are over when a neighbour's latency is measured beside a hostile tenant.
 */
const LONG = [
  'testkit/transcripts.spec',
  'testkit/fuzz.spec',
  'console/',
  'worker/',
  'apps/',
  'testkit/',
  'labs',
  'containers/',
];

const rankOf = ({ path }) => {
  const rank = LONG.findIndex((part) => path.includes(part));
  return rank < 0 ? LONG.length : rank;
};

/** Jest's order, which goes by the size of a file until it has seen how long it takes, with the long suites first. */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    return [...(await super.sort(tests))].sort((a, b) => rankOf(a) - rankOf(b));
  }
}
