import { useSyncExternalStore } from 'react';

/** As the sheets say it. */
const NARROW = '(max-width: 720px)';

/** The page is as wide as a phone. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);

function subscribe(tell: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', tell);
  return () => query.removeEventListener('change', tell);
}
