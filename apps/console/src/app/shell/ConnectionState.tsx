import { useEffect, useState } from 'react';
import { connection, reconnectNow } from '../../api/connection.js';
import { session } from '../../api/session.js';
import { useStore } from '../../api/store.js';
import { Button } from '../../parts/Button.js';
import { t } from '../../texts/texts.js';

/** A connection that comes back at once is not worth a word. */
const QUIET_MS = 1_000;

/** Live, or since when it is not, and what one can do. */
export function ConnectionState() {
  const { state, since } = useStore(connection);
  const seconds = useSecondsSince(since, state !== 'open');
  useEffect(() => {
    if (state === 'refused') session.set({ state: 'out' });
  }, [state]);
  if (state === 'open' || seconds * 1_000 < QUIET_MS)
    return <span className="live">{state === 'open' && t.shell.live}</span>;
  return (
    <span className="lost" role="status">
      {state === 'connecting' ? t.shell.connecting : t.shell.lost(seconds)}
      <Button onClick={reconnectNow}>{t.shell.reconnect}</Button>
    </span>
  );
}

function useSecondsSince(since: number, isCounting: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    if (!isCounting) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [since, isCounting]);
  return Math.max(0, Math.floor((now - since) / 1_000));
}
