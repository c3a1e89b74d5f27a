import { useEffect } from 'react';
import { createStore, useStore } from '../api/store.js';
import { formatAge } from './format.js';

const TICK_MS = 1_000;
const now = createStore(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Real time, by the second; one timer for the whole page, as long as something shows it. */
export function useNow(): number {
  useEffect(() => {
    if (users++ === 0) timer = setInterval(() => now.set(Date.now()), TICK_MS);
    return () => {
      if (--users === 0) clearInterval(timer);
    };
  }, []);
  return useStore(now);
}

/** How long ago, or in how long. */
export function Age({ at }: { readonly at: string }) {
  const ms = useNow() - Date.parse(at);
  return (
    <time dateTime={at} title={at}>
      {formatAge(Math.abs(ms))}
    </time>
  );
}
