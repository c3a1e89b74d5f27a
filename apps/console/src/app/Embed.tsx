import { useState } from 'react';
import { setToken } from '../api/credentials.js';
import { EmptyState } from '../parts/Notice.js';
import { t } from '../texts/texts.js';
import { findView } from '../views/views.js';
import { TokenCluster } from './cluster-context.js';
import { useRoute, useUrlState } from './router.js';
import { ViewFrame } from './ViewFrame.js';

export const isEmbedded = (): boolean => /^\/embed(\/|$)/.test(location.pathname);

const TOKEN = /^#token=(tc_[\w.-]+)$/;

/** Takes the token out of the address, so that nobody reads it there. */
function takeToken(): string | undefined {
  const [, token] = TOKEN.exec(location.hash) ?? [];
  if (token) history.replaceState(history.state, '', location.pathname + location.search);
  setToken(token);
  return token;
}

/** One view of one cluster in a frame of somebody's page: /embed/<view>?cluster=<id>#token=<token>. */
export function Embed() {
  const [token] = useState(takeToken);
  const [clusterId] = useUrlState('cluster');
  const { view: id, rest } = useRoute();
  const view = findView('cluster', id);
  if (!token || clusterId === '') return <EmptyState icon="link" title={t.embed.noToken} />;
  if (!view) return <EmptyState icon="link" title={t.common.notFound} />;
  return (
    <TokenCluster clusterId={clusterId}>
      <main className="embedded">
        <ViewFrame view={view} rest={rest} />
      </main>
    </TokenCluster>
  );
}
