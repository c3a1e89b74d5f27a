import { useEffect, useRef } from 'react';
import { placeInStrip, type Run } from './lanes.js';

const SPAN_MS = 30_000;
const FRAME_MS = 100;
const [W, H] = [360, 28];

/** The runs of one lane as dots that move to the left; drawn ten times a second while one is in sight. */
export function Strip({ runs }: { readonly runs: readonly Run[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const ctx = canvas.current!.getContext('2d')!;
    const style = getComputedStyle(canvas.current!);
    const colours = {
      ok: style.getPropertyValue('--good').trim(),
      requeue: style.getPropertyValue('--info').trim(),
      error: style.getPropertyValue('--bad').trim(),
    };
    const draw = (): boolean => {
      const now = Date.now();
      ctx.clearRect(0, 0, W, H);
      let seen = false;
      for (const run of runs) {
        const x = placeInStrip(run, now, SPAN_MS);
        if (x === undefined) continue;
        seen = true;
        ctx.fillStyle = colours[run.outcome as keyof typeof colours] ?? colours.ok;
        ctx.globalAlpha = 0.35 + 0.65 * x;
        ctx.beginPath();
        ctx.arc(4 + x * (W - 12), H / 2, 2.5 + Math.min(7, 1.6 * run.writes), 0, 2 * Math.PI);
        ctx.fill();
      }
      return seen;
    };
    if (!draw()) return;
    const timer = setInterval(() => draw() || clearInterval(timer), FRAME_MS);
    return () => clearInterval(timer);
  }, [runs, runs.at(-1)?.key]);
  return <canvas ref={canvas} width={W} height={H} aria-hidden="true" />;
}
