import { debian, debianOrAlpine } from '../bases.js';
import { LRUCache } from 'lru-cache';
import { toolImage } from '../../programs/server.js';
import { digitsOfPi } from '../../tools/scripting/perl.js';

const MAX_DIGITS = 5000;
const MAX_TEXTS = 16;
// oxlint-disable-next-line house/no-module-state -- digits of pi
const texts = new LRUCache<number, string>({ max: MAX_TEXTS });

/** Perl, with the one-liner of the Job tutorial. */
export const image = toolImage(
  {
    names: ['perl', 'public.ecr.aws/docker/library/perl'],
    tags: /^(latest|slim|threaded|stable|devel|trixie|bookworm|bullseye|buster|5|5\.\d{1,2}(\.\d{1,2})?)(-[a-z0-9.-]+)?$/,
    layersMB: [48.5, 24.0, 64.4, 211.2, 0.01, 15.6],
    files: debian(),
    variant: (tag) => ({ files: debianOrAlpine(tag) }),
    config: { cmd: ['perl', '-de0'] },
  },
  ({ argv }) => {
    const asked = /print\s+bpi\((\d+)\)/.exec(argv.join(' '));
    if (!asked) return undefined;
    const digits = Math.min(Number(asked[1]), MAX_DIGITS);
    const afterMs = 800 + digits * 3;
    return {
      exit: { afterMs, code: 0 },
      listens: [],
      readyAfterMs: 0,
      lines(until) {
        if (until < afterMs) return [];
        let text = texts.get(digits);
        if (!text) texts.set(digits, (text = digitsOfPi(digits - 1)));
        return [{ at: afterMs, text }];
      },
    };
  },
);
