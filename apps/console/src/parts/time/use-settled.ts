import { useEffect, useRef, useState } from 'react';

/** A hand that rests so long has settled. */
const SETTLED_MS = 150;

/** What is being chosen by dragging, and how it is: each pixel of a drag would be a reading of the past otherwise. */
export function useSettled<T>(onSettled: (value: T) => void): [dragged: T | undefined, drag: (value: T) => void] {
  const [dragged, setDragged] = useState<T>();
  const latest = useRef(onSettled);
  latest.current = onSettled;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const drag = (value: T): void => {
    setDragged(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      latest.current(value);
      setDragged(undefined);
    }, SETTLED_MS);
  };
  return [dragged, drag];
}
