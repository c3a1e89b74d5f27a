import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Failure } from '../../api/failure.js';
import { follow, useSubscription } from '../../api/graphql.js';
import { useStore } from '../../api/store.js';
import { theme } from '../../app/theme.js';
import { t } from '../../texts/texts.js';
import { PictureEngine } from './engine.js';
import { downParts, faultyThings } from './panel/facts-of.js';
import type { Mode } from './model/groups.js';
import { FOLLOW_FLOWS, FOLLOW_PICTURE } from './model/operations.generated.js';
import { DARK, LIGHT } from './paint/palette.js';
import { Story } from './model/story.js';

/** The page's words follow the picture a few times a second: they are read, not watched. */
const TOLD_MS = 250;

export interface Picture {
  readonly engine: PictureEngine | undefined;
  readonly story: Story;
  /** Goes up when the words have to be made anew. */
  readonly turn: number;
  readonly failure: Failure | undefined;
  /** Of the flows alone. */
  readonly flowFailure: Failure | undefined;
}

/** The picture of a cluster on a canvas: at a moment, or live. */
export function usePicture(
  canvas: RefObject<HTMLCanvasElement | null>,
  { clusterId, at, mode }: { readonly clusterId: string; readonly at: string; readonly mode: Mode },
): Picture {
  const [engine, setEngine] = useState<PictureEngine>();
  const story = useRef(new Story());
  const [turn, setTurn] = useState(0);
  const [failure, setFailure] = useState<Failure>();
  const chosenTheme = useStore(theme);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const made = new PictureEngine(canvas.current!, t.picture.inside, {
      acted: (acts) => void story.current.tell(acts),
      changed: () =>
        (timer ??= setTimeout(() => {
          timer = undefined;
          made.faulty = faultyThings(made.world);
          made.down = downParts(made.world);
          setTurn((last) => last + 1);
        }, TOLD_MS)),
    });
    setEngine(made);
    // For whoever measures the page.
    Object.assign(canvas.current!, { picture: made });
    const stop = followScreen(canvas.current!, made);
    return () => {
      clearTimeout(timer);
      stop();
      made.dispose();
    };
  }, [canvas]);
  useEffect(() => {
    if (!engine) return;
    setFailure(undefined);
    return follow(FOLLOW_PICTURE, () => ({ id: clusterId, ...(at ? { at } : {}) }), {
      next: ({ pictureChanges }) => {
        setFailure(undefined);
        engine.apply(pictureChanges);
      },
      error: setFailure,
    });
  }, [engine, clusterId, at]);
  const flowFailure = useSubscription(
    FOLLOW_FLOWS,
    () => ({ id: clusterId }),
    ({ flows }) => engine?.tellFlows(flows.flows),
    {
      key: clusterId,
      skip: !engine || at !== '' || mode !== 'traffic',
    },
  );
  useEffect(() => engine?.setMode(mode), [engine, mode]);
  useEffect(() => {
    if (!engine) return;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const paint = (): void => {
      engine.palette = chosenTheme === 'dark' || (chosenTheme === 'system' && dark.matches) ? DARK : LIGHT;
      engine.draw();
    };
    paint();
    dark.addEventListener('change', paint);
    return () => dark.removeEventListener('change', paint);
  }, [engine, chosenTheme]);
  return { engine, story: story.current, turn, failure, flowFailure };
}

/** The canvas has the size of its place and the sharpness of its screen; nothing flies for whom motion is too much. */
function followScreen(canvas: HTMLCanvasElement, engine: PictureEngine): () => void {
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const setStill = (): void => engine.setStill(still.matches);
  setStill();
  still.addEventListener('change', setStill);
  const observer = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = canvas;
    if (clientWidth > 0 && clientHeight > 0) engine.resize(clientWidth, clientHeight, Math.min(2, devicePixelRatio));
  });
  observer.observe(canvas);
  return () => {
    observer.disconnect();
    still.removeEventListener('change', setStill);
  };
}
