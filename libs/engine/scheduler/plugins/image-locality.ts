import { MAX_SCORE, type ScorePlugin } from '../plugin.js';

const MB = 1024 * 1024;
const MIN_THRESHOLD = 23 * MB;
const MAX_PER_CONTAINER = 1000 * MB;

/** The names under which nodes list the image: 'docker.io/library/nginx:latest' for 'nginx'. */
function fullImageNames(image: string): readonly string[] {
  const tagged = image.includes(':', image.lastIndexOf('/') + 1) ? image : `${image}:latest`;
  if (!tagged.includes('/')) return [tagged, `docker.io/library/${tagged}`];
  const isHost = /[.:]/.test(tagged.slice(1, tagged.indexOf('/')));
  return isHost ? [tagged] : [tagged, `docker.io/${tagged}`];
}

/**
 * Prefers nodes that hold the pod's images; an image counts less while few nodes hold it. Models plugins/imagelocality.
 */
export const imageLocality: ScorePlugin = {
  name: 'ImageLocality',
  weight: 1,
  preScore(pod, { nodes }, feasible) {
    const wanted = pod.spec.containers.map((c) => fullImageNames(c.image ?? ''));
    const spread = wanted.map((ns) => nodes.filter((i) => ns.some((n) => i.images.has(n))).length / nodes.length);
    if (feasible.length < 2 || spread.every((s) => s === 0 || s === 1)) return undefined;
    const top = MAX_PER_CONTAINER * wanted.length;
    return {
      score(info) {
        let sum = 0;
        wanted.forEach((ns, i) => {
          const held = ns.find((n) => info.images.has(n));
          if (held) sum += Math.floor(info.images.get(held)! * spread[i]!);
        });
        const clamped = Math.min(Math.max(sum, MIN_THRESHOLD), top);
        return Math.floor((MAX_SCORE * (clamped - MIN_THRESHOLD)) / (top - MIN_THRESHOLD));
      },
    };
  },
};
