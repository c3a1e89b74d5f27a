import { useEffect, useState } from 'react';
import { closeConnection, connection } from '../../api/connection.js';
import { setToken } from '../../api/credentials.js';
import { useStore } from '../../api/store.js';
import { EmptyState } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';
import { findView } from '../../views/views.js';
import { ConnectionState } from '../shell/ConnectionState.js';
import { TokenCluster } from '../cluster-context.js';
import { originOf, parseEmbedRequest, type EmbedEvent } from './embed-messages.js';
import { withParam } from '../routing/route.js';
import { navigate, useMoment, useRoute, useUrlState } from '../routing/router.js';
import { Toasts } from '../shell/Toasts.js';
import { ViewFrame } from '../shell/ViewFrame.js';

export const isEmbedded = (): boolean => /^\/embed(\/|$)/.test(location.pathname);

const TOKEN = /^#token=(tc_[\w.-]+)$/;

/** Takes the token out of the address, so that nobody reads it there. */
function takeToken(): string | undefined {
  const [, token] = TOKEN.exec(location.hash) ?? [];
  if (token) history.replaceState(history.state, '', location.pathname + location.search);
  setToken(token);
  return token;
}

// Before anything renders, and once: React renders twice while developing.
const given = isEmbedded() ? takeToken() : undefined;

/** One view of one cluster in a frame of somebody's page: /embed/<view>?cluster=<id>#token=<token>. */
export function Embed() {
  const [clusterId] = useUrlState('cluster');
  const { view: id, rest } = useRoute();
  const [turn, setTurn] = useState(0);
  useMessages(id, clusterId, () => setTurn((last) => last + 1));
  const view = findView('cluster', id);
  if (!given || clusterId === '') return <EmptyState icon="link" title={t.embed.noToken} />;
  if (!view) return <EmptyState icon="link" title={t.common.notFound} />;
  return (
    <main className="embedded">
      <EmbedConnection />
      <TokenCluster key={turn} clusterId={clusterId}>
        <ViewFrame view={view} rest={rest} />
      </TokenCluster>
      <Toasts />
    </main>
  );
}

/** Says nothing while all is well. */
function EmbedConnection() {
  const { state } = useStore(connection);
  return state === 'open' ? null : <ConnectionState />;
}

/** Speaks with the page around, when that has named its origin. */
function useMessages(view: string, cluster: string, onToken: () => void): void {
  const [at] = useMoment();
  const { state } = useStore(connection);
  useEffect(() => tell({ type: 'terrarium:ready', view, cluster }), [view, cluster]);
  useEffect(() => tell({ type: 'terrarium:place', view, path: location.pathname, moment: at }), [view, at]);
  useEffect(() => tell({ type: 'terrarium:connection', state }), [state]);
  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent): void => {
      if (source !== window.parent || origin !== originOf(location.search)) return;
      const asked = parseEmbedRequest(data);
      if (asked?.type === 'terrarium:token') {
        setToken(asked.token);
        closeConnection();
        onToken();
      } else if (asked) {
        const search = asked.moment === undefined ? location.search : withParam(location.search, 'at', asked.moment);
        navigate((asked.view === undefined ? location.pathname : `/embed/${asked.view}`) + search);
      }
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
    // What it calls is of the page, not of a rendering.
  }, []);
}

function tell(event: EmbedEvent): void {
  const origin = originOf(location.search);
  if (origin !== undefined && window.parent !== window) window.parent.postMessage(event, origin);
}
