import { expect, test } from '@jest/globals';
import { ClusterBed } from '../beds/cluster-bed.js';
import { askWhy } from './ask.js';
import { CAUSE_WORLDS } from './cause-worlds.js';
import { MORE_WORLDS } from './more-worlds.js';
import { REACH_WORLDS } from './reach-worlds.js';

test.each(Object.entries({ ...MORE_WORLDS, ...REACH_WORLDS, ...CAUSE_WORLDS }))(
  '%s',
  (_name, { build, ask, reason, says, also = [], from }) => {
    const bed = new ClusterBed('instant', 2);
    const answer = askWhy(bed, ask(build(bed)));
    expect(answer.reason).toBe(reason);
    for (const part of says) expect(answer.message).toContain(part);
    const rest = JSON.stringify(answer.findings);
    for (const part of also) expect(rest).toContain(JSON.stringify(part).slice(1, -1));
    if (from !== undefined) expect(answer.chain[0]?.text).toContain(from);
    // What no API serves is nobody's reason.
    expect(answer.text).not.toContain('runtimes/');
  },
);
